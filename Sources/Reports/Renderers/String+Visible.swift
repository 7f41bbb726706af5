extension String {
    /// The text with what would change how the rest is shown written out: marks that turn the direction of writing,
    /// line ends, characters without a width, and space at either end. `a\u{202E}b ` becomes `a⟨U+202E⟩b⟨U+0020⟩`.
    ///
    /// - Complexity: O(n); the text itself when there is nothing of the kind.
    var visible: String {
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        let isAtEnd = unicodeScalars.first.map(isSpace) == true || unicodeScalars.last.map(isSpace) == true
        guard isAtEnd || unicodeScalars.contains(where: \.hides) else { return self }
        let start = unicodeScalars.firstIndex { !isSpace($0) } ?? endIndex
        let end = unicodeScalars.lastIndex { !isSpace($0) } ?? endIndex
        var text = ""
        for (index, scalar) in zip(unicodeScalars.indices, unicodeScalars) {
            if scalar.hides || index < start || index > end {
                let number = String(scalar.value, radix: 16, uppercase: true)
                text += "⟨U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number + "⟩"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var hides: Bool {
        // The joiners hold emoji and the letters of some scripts together.
        guard value != 0x200C && value != 0x200D else { return false }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
