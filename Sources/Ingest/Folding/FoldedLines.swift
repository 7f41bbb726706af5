internal import Archive
internal import PlaybackEvents

/// Plays in the archive that were put together from reports: their request's id is their own.
struct FoldedLines {
    /// Their ids, each until the play is met again.
    private(set) var ids: Set<Identifier128> = []
    /// The newest receipt among them, ms since 1970; nil without any.
    private(set) var newest: Int64?

    /// Those that stand behind a place.
    ///
    /// - Complexity: O(bytes behind it).
    init(_ paths: DataPaths, after place: LogPlace, upTo end: LogPlace) throws(FileFault) {
        try read(paths, from: place, upTo: end)
    }

    /// Those of the archive's last file that has any.
    ///
    /// - Complexity: O(bytes of that file and of those after it).
    init(lastOf paths: DataPaths, upTo end: LogPlace) throws(FileFault) {
        for segment in try SegmentList(directory: paths.archive, kind: .plays).segments.reversed() {
            let start = LogPlace(segment: segment.sequence, offset: 0)
            let next = LogPlace(segment: segment.sequence + 1, offset: 0)
            try read(paths, from: start, upTo: min(end, next))
            if newest != nil { return }
        }
    }

    private mutating func read(_ paths: DataPaths, from start: LogPlace, upTo end: LogPlace) throws(FileFault) {
        try LoggedPlays.forEachPlay(of: paths, from: start, upTo: end) { entry, play in
            guard play.isFolded(in: entry.requestId) else { return }
            ids.insert(entry.requestId)
            newest = max(newest ?? .min, entry.receivedAt)
        }
    }

    /// Whether a play stands there; each is asked for once.
    mutating func take(_ id: Identifier128) -> Bool { ids.remove(id) != nil }
}

extension Play {
    /// Whether it was put together from reports: requests of clients have ids of their own.
    func isFolded(in requestId: Identifier128) -> Bool { playId == requestId }
}
