/// A stretch of a log file that holds no good member.
package struct LogDamage: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// A member begins, and the file ends before its end.
        case tornMember = "torn member"
        /// A member whose bytes have changed.
        case badMember = "bad member"
        /// Nothing but zeros.
        case zeros = "zeros"
        /// Bytes that are no gzip.
        case garbage = "no gzip"
    }

    /// The path below the data directory.
    package var file: String
    package var range: Range<Int64>
    package var kind: Kind

    package init(file: String, range: Range<Int64>, kind: Kind) {
        self.file = file
        self.range = range
        self.kind = kind
    }

    package var description: String {
        "\(file): bytes \(range.lowerBound)–\(range.upperBound): \(kind.rawValue)"
    }
}
