internal import Archive
internal import PlayFolding
internal import PlaybackEvents

/// Where a data directory's reports are read from, and which of the plays that close are archived already.
struct FoldStart {
    /// Reading begins there.
    var from: LogPlace
    /// Plays that close before it are archived.
    var written: LogPlace
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
    init(_ paths: DataPaths, reportsEnd: LogPlace, archiveEnd: LogPlace) throws(FileFault) {
        if let places = try FoldPlaces.read(paths) {
            (from, written, rule) = (places.from, places.written, .all)
            archived = try FoldedLines(paths, after: places.archive, upTo: archiveEnd)
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
