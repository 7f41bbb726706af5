internal import Platform

/// The name of one file of a log: `day=2026-11-30/plays-main-0000000017.ndjson.gz`.
package struct SegmentName: Sendable, Hashable {
    package var kind: LogKind
    package var node: NodeName
    /// The file's place in the log, from 1, one count for all days and nodes.
    package var sequence: Int64
    /// The UTC day of receipt of all that it holds.
    package var day: UTCDay

    static let suffix = ".ndjson.gz"
    /// So many digits that names sort as their numbers do; a larger number has more.
    private static let digits = 10
    /// More than any log can have, and far from where counting on would overflow.
    static let sequences: ClosedRange<Int64> = 1...1_000_000_000_000_000

    package init(kind: LogKind, node: NodeName, sequence: Int64, day: UTCDay) {
        self.kind = kind
        self.node = node
        self.sequence = sequence
        self.day = day
    }

    /// - Parameters:
    ///   - file: the file's name.
    ///   - folder: the name of the folder that holds it.
    package init?(file: String, folder: String, kind: LogKind) {
        guard folder.hasPrefix("day="), let day = UTCDay(folder.dropFirst(4)) else { return nil }
        guard let (node, sequence) = Self.parse(file: file, kind: kind) else { return nil }
        self.init(kind: kind, node: node, sequence: sequence, day: day)
    }

    /// The parts of a file's name without its folder.
    static func parse(file: some StringProtocol, kind: LogKind) -> (node: NodeName, sequence: Int64)? {
        guard file.hasPrefix(kind.rawValue + "-"), file.hasSuffix(suffix) else { return nil }
        let middle = file.dropFirst(kind.rawValue.count + 1).dropLast(suffix.count)
        guard let dash = middle.lastIndex(of: "-"), let node = NodeName(middle[..<dash]) else { return nil }
        let number = middle[middle.index(after: dash)...]
        guard number.count >= digits, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let sequence = Int64(number), sequences.contains(sequence), sequence.padded(to: digits) == number
        else { return nil }
        return (node, sequence)
    }

    package var folder: String { "day=\(day)" }
    package var file: String { "\(kind.rawValue)-\(node)-\(sequence.padded(to: Self.digits))\(Self.suffix)" }
    /// The path below the log's folder.
    package var path: String { folder + "/" + file }
}
