extension String {
    /// The text with what would change how the rest is shown written out: marks that turn the direction of writing,
    /// line ends, characters without a width. `a\u{202E}b` becomes `a⟨U+202E⟩b`.
    ///
    /// - Complexity: O(n); the text itself when there is nothing of the kind.
    var visible: String {
        guard unicodeScalars.contains(where: \.hides) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.hides {
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
