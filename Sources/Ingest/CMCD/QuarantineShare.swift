package import Archive
internal import PlayFolding
internal import Synchronization

/// How much of the quarantine lines that are no reports may take: anybody who has seen a page knows its key, and must not fill
/// what is kept for batches.
package final class QuarantineShare: Sendable {
    /// In bytes of lines.
    package static let usual = 64 << 20

    private let limit: Int
    private let used = Atomic(0)

    package init(limit: Int = usual) {
        self.limit = limit
    }

    /// Takes bytes out of the share.
    ///
    /// - Returns: false when there are not so many left.
    func take(_ bytes: Int) -> Bool {
        if used.add(bytes, ordering: .relaxed).newValue <= limit { return true }
        used.subtract(bytes, ordering: .relaxed)
        return false
    }

    /// Gives bytes back that were taken, and came to nothing.
    func give(_ bytes: Int) {
        used.subtract(bytes, ordering: .relaxed)
    }

    /// Counts what an earlier process has put there.
    ///
    /// - Parameter end: the quarantine's end when this process began to write to it.
    /// - Complexity: reads the whole quarantine.
    package func countEarlier(_ paths: DataPaths, upTo end: LogPosition, isOver: () -> Bool) throws(FileError) {
        let reader = LogReader(directory: paths.rejected, log: .rejected)
        let mark = Array("\"code\":\"\(CMCDError.code)\"".utf8)
        var position = LogPosition.beginning
        while !isOver(), let chunk = try reader.next(after: position, upTo: end, maxBytes: 1 << 20) {
            position = chunk.end
            var bytes = 0
            for line in chunk.lines.split(separator: 0x0A) where line.prefix(160).firstRange(of: mark) != nil {
                bytes += line.count + 1
            }
            used.add(bytes, ordering: .relaxed)
            if used.load(ordering: .relaxed) > limit { return }
        }
    }
}
