/// Something wrong with the files of a log.
package enum ArchiveFinding: Sendable, Equatable, CustomStringConvertible {
    /// Bytes that are no good member.
    case damage(LogDamage)
    /// A file without a byte.
    case emptyFile(String)
    /// Files are missing between two that are there.
    case missing(LogKind, ClosedRange<Int64>)
    /// A file or folder whose name does not belong there, or whose sequence number another file has.
    case misplaced(String)
    /// A good member whose last line does not end, or that holds none.
    case unendedLine(file: String, range: Range<Int64>)
    /// Bytes that were set aside at an earlier start, and still wait for somebody to look at them.
    case setAside(String)

    package var description: String {
        switch self {
        case .damage(let damage): "\(damage)"
        case .emptyFile(let file): "\(file): empty, where a file has at least one member"
        case .missing(let kind, let range):
            range.count == 1
                ? "\(kind.folder): file \(range.lowerBound) is missing"
                : "\(kind.folder): files \(range.lowerBound)–\(range.upperBound) are missing"
        case .misplaced(let path): "\(path): does not belong there"
        case .unendedLine(let file, let range):
            "\(file): bytes \(range.lowerBound)–\(range.upperBound): the last line does not end in LF"
        case .setAside(let file): "\(file): damaged bytes that were set aside"
        }
    }
}
