/// What was wrong with the words that asked for a report: one line that says what would be right.
package struct ReportRequestError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// The known name that holds `word` or differs least from it, nil when none comes near.
///
/// - Complexity: O(names × length²).
func nearestName(to word: String, among names: [String]) -> String? {
    if word.utf8.count > 2, let whole = names.first(where: { $0.lowercased().contains(word.lowercased()) }) {
        return whole
    }
    let word = Array(word.lowercased().utf8.prefix(64))
    var best: (name: String, distance: Int)?
    for name in names {
        let distance = editDistance(word, Array(name.lowercased().utf8))
        if distance < best?.distance ?? .max { best = (name, distance) }
    }
    guard let best, best.distance <= max(2, word.count / 3) else { return nil }
    return best.name
}

/// How many bytes must be put in, left out or changed to make one word of the other (Levenshtein).
private func editDistance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var row = Array(0...other.count)
    for (i, byte) in one.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, otherByte) in other.enumerated() {
            let above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, diagonal + (byte == otherByte ? 0 : 1))
            diagonal = above
        }
    }
    return row[other.count]
}
