/// Something wrong with the files of a log.
package enum ArchiveFinding: Sendable, Equatable, CustomStringConvertible {
    /// Bytes that are no good member.
    case damage(LogDamage)
    /// A file without a byte.
    case emptyFile(String)
    /// Files of these numbers are missing, of which nothing is known but that.
    case missing(LogKind, ClosedRange<Int64>)
    /// A file that the manifest has is missing.
    case missingFile(SegmentName)
    /// Files that were not there when the manifest was made: nobody knows whether they were pruned or lost.
    case unknown(LogKind, ClosedRange<Int64>)
    /// A file of a server whose name the manifest doesn't have.
    case foreign(SegmentName)
    /// A file that is shorter than it was when it was closed, or has other lines.
    case shortened(SegmentName, expected: String, found: String)
    /// Lines of the manifest, by their numbers, that are none.
    case strangeManifest([Int])
    /// There is a file in the manifest's place that is none.
    case noManifest
    /// A file or folder whose name does not belong there, or whose sequence number another file has.
    case misplaced(String)
    /// A member of a compacted file that doesn't say where its commits stood, or not as it should: its lines are good, and
    /// places among them are not found.
    case misplacedMember(file: String, range: Range<Int64>)
    /// A good member whose last line does not end, or that holds none.
    case unendedLine(file: String, range: Range<Int64>)
    /// Bytes that were set aside at an earlier start, and still wait for somebody to look at them.
    case setAside(String)

    /// What it is one of, in the plural.
    package var kind: String {
        switch self {
        case .damage: "damaged stretches"
        case .emptyFile: "empty files"
        case .missing, .missingFile: "missing files"
        case .unknown: "files of which nothing is known"
        case .foreign: "files of another server"
        case .shortened: "shortened files"
        case .strangeManifest, .noManifest: "faults of the manifest"
        case .misplaced: "names that don't belong there"
        case .misplacedMember: "compacted stretches without their places"
        case .unendedLine: "lines without an end"
        case .setAside: "stretches that were set aside"
        }
    }

    package var description: String {
        switch self {
        case .damage(let damage): "\(damage)"
        case .emptyFile(let file): "\(file): empty, where a file has at least one member"
        case .missing(let kind, let range):
            range.count == 1
                ? "\(kind.folder): file \(range.lowerBound) is missing"
                : "\(kind.folder): files \(range.lowerBound)–\(range.upperBound) are missing"
        case .missingFile(let name): "\(name.label) is missing"
        case .unknown(let kind, let range):
            "\(kind.folder): files \(range.lowerBound)–\(range.upperBound) are not there, and were not when the manifest"
                + " was made: pruned or lost, that is unknown"
        case .foreign(let name):
            "\(name.label): a file of another server, \(name.node), whose name this directory's manifest doesn't have"
        case .shortened(let name, let expected, let found):
            "\(name.label): \(found), should be \(expected)"
        case .strangeManifest(let lines):
            "archive/manifest: no lines of a manifest: \(lines.map(String.init).joined(separator: ", ")); take them out, or put"
                + " a copy of the file in its place"
        case .noManifest: "archive/manifest is no manifest: move it away, and the next start makes one of what is there"
        case .misplaced(let path): "\(path): does not belong there"
        case .misplacedMember(let file, let range):
            "\(file): bytes \(range.lowerBound)–\(range.upperBound): what says where its commits stood isn't as it was written"
        case .unendedLine(let file, let range):
            "\(file): bytes \(range.lowerBound)–\(range.upperBound): the last line does not end in LF"
        case .setAside(let file): "\(file): damaged bytes that were set aside"
        }
    }
}
