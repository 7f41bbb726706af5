internal import Archive
internal import PlayStore
internal import PlaybackEvents

/// Looks events up in the logs.
struct ArchivedEvents {
    let paths: DataPaths

    /// Which of these events have a line in the archive.
    ///
    /// - Parameter day: the day of receipt of all of them; an event's line is in a file of that day, whenever it was written.
    /// - Complexity: O(bytes of that day's files).
    func present(of names: Set<EventName>, receivedOn day: UTCDay) throws(FileError) -> Set<EventName> {
        var present: Set<EventName> = []
        if names.isEmpty { return present }
        try forEachEntry(receivedOn: day) { entry in
            let plays: Int32
            switch entry.kind {
            case .account: return
            case .play: plays = 1
            // What was erased was there all the same.
            case .erased(let count, _): plays = Int32(clamping: count)
            }
            for further in 0..<plays {
                let name = EventName(requestId: entry.requestId, index: entry.index &+ further)
                if names.contains(name) { present.insert(name) }
            }
        }
        return present
    }

    /// The names of all lines that a log has of a day of receipt.
    ///
    /// - Complexity: O(bytes of that day's files); memory for 16 bytes a line, and what a set leaves empty.
    func names(in log: LogKind, receivedOn day: UTCDay) throws(FileError) -> Set<LineName> {
        var names: Set<LineName> = []
        if log == .plays {
            try forEachEntry(receivedOn: day) { names.insert(LineName($0)) }
        } else {
            try forEachChunk(of: log, receivedOn: day) { chunk in
                chunk.forEachLine { _, line in
                    if let line = try? QuarantineLine.parse(line) { names.insert(LineName(line)) }
                }
            }
        }
        return names
    }

    private func forEachEntry(receivedOn day: UTCDay, _ body: (LoggedPlays.Entry) -> Void) throws(FileError) {
        var lines = LoggedPlays()
        try forEachChunk(of: .plays, receivedOn: day) { chunk in
            lines.removeAll(keepingCapacity: true)
            // A line that can't be read is the follower's to report.
            chunk.forEachLine { _, line in _ = try? lines.append(line: line) }
            lines.entries.forEach(body)
        }
    }

    private func forEachChunk(
        of log: LogKind, receivedOn day: UTCDay, _ body: (LogChunk) -> Void
    ) throws(FileError) {
        let reader = LogReader(directory: paths.log(log), log: log)
        for segment in try SegmentList(directory: paths.log(log), kind: log).segments where segment.day == day {
            var position = LogPosition(segment: segment.sequence, offset: 0)
            let end = LogPosition(segment: segment.sequence + 1, offset: 0)
            while let chunk = try reader.next(after: position, upTo: end, maxBytes: 1 << 20) {
                position = chunk.end
                body(chunk)
            }
        }
    }
}

/// What names an event for ever: its request, and its place in it from 0.
struct EventName: Hashable {
    var requestId: Identifier128
    var index: Int32
}
