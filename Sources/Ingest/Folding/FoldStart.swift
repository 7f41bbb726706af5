internal import Archive
internal import PlayFolding
internal import PlaybackEvents

/// Where a data directory's reports are read from, and which of the plays that close are archived already.
struct FoldStart {
    /// Reading begins there.
    var from: LogPosition
    /// Plays that close before it are archived.
    var written: LogPosition
    /// Archived plays that may come once more behind it.
    var archived: FoldedLines
    /// Which plays may be archived where no file says how far that had come.
    var rule: Rule

    enum Rule {
        case all
        /// Those that close at or after a receipt, ms since 1970.
        case closing(from: Int64)
        /// Those of which the beginning is there, up to a receipt: of others the reports may have been pruned. Nil before the
        /// first line.
        case whole(until: Int64?)
    }

    /// - Parameter ends: the ends of the logs now.
    /// - Complexity: O(bytes of the archive behind where the file says that it ended). Without the file, O(bytes of the
    ///   archive's last files) up to one that has a play of this kind.
    init(_ paths: DataPaths, reportsEnd: LogPosition, archiveEnd: LogPosition) throws(FileError) {
        if let positions = try FoldPositions.read(paths) {
            (from, written, rule) = (positions.from, positions.written, .all)
            archived = try FoldedLines(paths, after: positions.archive, upTo: archiveEnd)
            return
        }
        (from, written) = (.beginning, .beginning)
        let hasReports =
            try LogReader(directory: paths.reports, log: .reports)
            .next(after: .beginning, upTo: reportsEnd, maxBytes: 1) != nil
        // Where there are no reports, none of their plays can come once more.
        archived =
            try hasReports
            ? FoldedLines(lastOf: paths, upTo: archiveEnd) : FoldedLines(paths, after: archiveEnd, upTo: archiveEnd)
        if let newest = archived.newest {
            rule = .closing(from: newest)
        } else {
            rule = try Inventory(paths).isWhole(.reports) ? .all : .whole(until: nil)
        }
    }

    /// Notes the first line that is read, by its receipt.
    mutating func begin(at receivedAt: Int64) {
        if case .whole(until: nil) = rule { rule = .whole(until: receivedAt + Self.day) }
    }

    private static let day: Int64 = 86_400_000

    func allows(_ play: ClosedPlay) -> Bool {
        switch rule {
        case .all: true
        case .closing(let from): play.batch.receipt.receivedAt >= from
        case .whole(let until): play.beginsRun || play.batch.receipt.receivedAt >= until ?? .max
        }
    }
}

/// Plays in the archive that were put together from reports: their request's id is their own.
struct FoldedLines {
    /// Their ids, each until the play is met again.
    private(set) var ids: Set<Identifier128> = []
    /// The newest receipt among them, ms since 1970; nil without any.
    private(set) var newest: Int64?

    /// Those that stand behind a place.
    ///
    /// - Complexity: O(bytes behind it).
    init(_ paths: DataPaths, after position: LogPosition, upTo end: LogPosition) throws(FileError) {
        try read(paths, from: position, upTo: end)
    }

    /// Those of the archive's last file that has any.
    ///
    /// - Complexity: O(bytes of that file and of those after it).
    init(lastOf paths: DataPaths, upTo end: LogPosition) throws(FileError) {
        for segment in try SegmentList(directory: paths.archive, kind: .plays).segments.reversed() {
            let start = LogPosition(segment: segment.sequence, offset: 0)
            let next = LogPosition(segment: segment.sequence + 1, offset: 0)
            try read(paths, from: start, upTo: min(end, next))
            if newest != nil { return }
        }
    }

    private mutating func read(_ paths: DataPaths, from start: LogPosition, upTo end: LogPosition) throws(FileError) {
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
