/// What ``StoreVerifier`` found.
package struct StoreVerification: Sendable, Equatable {
    /// Something that is wrong with the database.
    package enum Finding: Sendable, Equatable, CustomStringConvertible {
        /// What SQLite's own check says.
        case damaged(String)
        /// Two numbers that should be the same.
        case differs(what: String, expected: Int64, found: Int64)
        /// A play of the archive that the database lacks.
        case missing(playId: String, hour: Int64)
        /// A column of a closed hour is another than its rows make.
        case columnDiffers(hour: Int64, column: String)
        /// A stored value that is not what the archive says.
        case wrong(what: String, column: String, expected: String, found: String)
        /// Something that should not be there, or not so.
        case stranger(String)

        package var description: String {
            switch self {
            case .damaged(let words): "the database is damaged: \(words)"
            case .differs(let what, let expected, let found): "\(what): \(found), should be \(expected)"
            case .wrong(let what, let column, let expected, let found):
                "\(what): \(column) is \(found), should be \(expected)"
            case .stranger(let words): words
            case .missing(let playId, let hour):
                "play \(playId) of UTC hour \(hour) since 1970 is in the archive, not in the database"
            case .columnDiffers(let hour, let column):
                "the column \(column) of UTC hour \(hour) since 1970 is not what the rows of that hour make"
            }
        }

        /// What it is one of, in the plural.
        package var kind: String {
            switch self {
            case .damaged: "signs of a damaged database"
            case .differs: "counts that differ"
            case .missing: "plays that the database lacks"
            case .columnDiffers: "columns that differ from their rows"
            case .wrong: "wrong values"
            case .stranger: "things out of place in the database"
            }
        }
    }

    /// The first of each kind; empty when all is well.
    package var findings: [Finding] = []
    /// How many there were of each kind.
    package private(set) var counts: [String: Int] = [:]
    /// How many there were altogether.
    package var count: Int { counts.values.reduce(0, +) }
    /// Up to where the database has read the logs.
    package var positions = LogPositions()
    package var totals = StoreTotals()
    /// The database has read all that the logs held at the end of the check.
    package var isAtEnd = true

    /// So many of a kind are named.
    package static let mostOfAKind = 10

    package init() {}

    package mutating func add(_ finding: Finding) {
        counts[finding.kind, default: 0] += 1
        if counts[finding.kind, default: 0] <= Self.mostOfAKind { findings.append(finding) }
    }

    mutating func add(_ what: String, _ difference: RowComparison.Difference) {
        add(
            .wrong(
                what: what, column: difference.column, expected: difference.expected, found: difference.found))
    }

    package mutating func compare(_ what: String, _ expected: Int64, _ found: Int64) {
        if expected != found { add(.differs(what: what, expected: expected, found: found)) }
    }
}
