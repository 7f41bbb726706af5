internal import Archive
internal import PlaybackEvents

/// Looks events up in the archive.
struct ArchivedEvents {
    let paths: DataPaths

    /// Which of these events have a line in the archive.
    ///
    /// - Parameter day: the day of receipt of all of them; an event's line is in a file of that day, whenever it was written.
    /// - Complexity: O(bytes of that day's files).
    func present(of names: Set<EventName>, receivedOn day: UTCDay) throws(FileFault) -> Set<EventName> {
        var present: Set<EventName> = []
        if names.isEmpty { return present }
        for segment in try SegmentList(directory: paths.archive, kind: .plays).segments where segment.day == day {
            let start = LogPlace(segment: segment.sequence, offset: 0)
            let end = LogPlace(segment: segment.sequence + 1, offset: 0)
            try LoggedPlays.forEachPlay(of: paths, from: start, upTo: end) { entry, _ in
                let name = EventName(requestId: entry.requestId, index: entry.index)
                if names.contains(name) { present.insert(name) }
            }
        }
        return present
    }
}
