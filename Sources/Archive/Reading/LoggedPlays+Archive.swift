package import PlaybackEvents

extension LoggedPlays {
    /// Lends the entry of each play of a data directory's archive between two places, in the log's order.
    ///
    /// A line that can't be read is passed over: the follower reports it.
    ///
    /// - Complexity: O(bytes between them).
    package static func forEachPlay(
        of paths: DataPaths, from start: LogPosition, upTo end: LogPosition, _ body: (Entry, Play) -> Void
    ) throws(FileError) {
        let reader = LogReader(directory: paths.archive)
        var lines = LoggedPlays()
        var position = start
        while let chunk = try reader.next(after: position, upTo: end, maxBytes: 1 << 20) {
            position = chunk.end
            lines.removeAll(keepingCapacity: true)
            for line in chunk.lines.split(separator: 0x0A) { _ = try? lines.append(line: line.span.bytes) }
            for entry in lines.entries {
                if case .play(let play) = entry.kind { body(entry, play) }
            }
        }
    }
}
