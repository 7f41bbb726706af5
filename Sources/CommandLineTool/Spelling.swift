/// Finds what a mistyped word was meant to be.
package enum Spelling {
    /// The candidate with the fewest edits from `word`, when there are few enough to be a slip.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { (candidate: $0, edits: edits(from: Array(word.utf8), to: Array($0.utf8))) }
        guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
        return best.edits <= max(2, word.utf8.count / 3) ? best.candidate : nil
    }

    /// Levenshtein's distance, row by row.
    ///
    /// - Complexity: O(n · m).
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
