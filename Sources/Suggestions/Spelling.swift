/// Finds what a mistyped word was meant to be.
package enum Spelling {
    /// Of a longer word only so many bytes are compared.
    private static let longest = 64

    /// The candidate that is `word` but for the case of its letters; else the shortest that holds it; else the one with
    /// the fewest edits from it, when they are few enough to be a slip.
    ///
    /// - Complexity: O(candidates · length²).
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        if let same = candidates.first(where: { $0.lowercased() == word }) { return same }
        if word.utf8.count > 2 {
            let holders = candidates.filter { $0.lowercased().contains(word) }
            if let shortest = holders.min(by: { $0.utf8.count < $1.utf8.count }) { return shortest }
        }
        let bytes = Array(word.utf8.prefix(longest))
        let ranked = candidates.map { (candidate: $0, edits: edits(from: bytes, to: Array($0.lowercased().utf8))) }
        guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
        return best.edits <= slips(in: bytes.count) ? best.candidate : nil
    }

    /// How many edits a word of so many bytes may be away from what was meant: of one or two letters, two edits leave
    /// nothing.
    private static func slips(in count: Int) -> Int {
        count <= 2 ? 1 : max(2, count / 3)
    }

    /// Levenshtein's distance, row by row.
    private static func edits(from one: [UInt8], to other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (i, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, candidate) in other.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (byte == candidate ? 0 : 1))
                diagonal = above
            }
        }
        return row[other.count]
    }
}
