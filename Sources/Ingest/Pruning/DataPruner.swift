package import Archive
package import PlayStore

/// Removes old days from a data directory.
package enum DataPruner {
    package struct Removed: Sendable, Equatable {
        package var plays: Int64 = 0
        package var archive = LogPruner.Removed()
        package var quarantine = LogPruner.Removed()
        package var reports = LogPruner.Removed()
        /// Why the database keeps its old plays, though files were removed: the disk had no room for its part of the work.
        package var databaseFault: String?

        package init() {}
    }

    /// Removes the plays of old days from the database, and when told so the files of old days of receipt from both
    /// logs that it follows; and old reports of players, which are a log of viewing by the second.
    ///
    /// The files go first: on a full disk they make the room that the database needs. A play is never later than its receipt,
    /// so each holds only plays that go, too. A file that the database has not read to its end stays, whatever its day.
    ///
    /// - Parameters:
    ///   - day: the first day to stay, in UTC.
    ///   - reportsDay: the first day to stay of players' reports, nil for all; files of which reports are still needed stay in any case.
    ///   - onNotice: told of a database that was raised to this program's layout.
    ///   - progress: gets the number of plays removed so far.
    /// - Throws: ``DataDirectoryError`` while another process has the directory, ``SQLiteStoreError``, or what the system said.
    package static func prune(
        _ root: String, store: any StoreChoice = EmbeddedChoice(), before day: UTCDay, archiveToo: Bool,
        reportsBefore reportsDay: UTCDay? = nil,
        onNotice: @escaping @Sendable (FollowerNotice) -> Void = { _ in }, progress: (Int64) -> Void = { _ in }
    ) throws -> Removed {
        let directory = try DataDirectory(root, remembered: store.remembered)
        return try withExtendedLifetime(directory) {
            var removed = Removed()
            if let reportsDay, let positions = try FoldPositions.read(directory.paths) {
                removed.reports = try LogPruner(directory).prune(.reports, before: reportsDay, readUpTo: positions.from)
            }
            if archiveToo {
                let positions = try store.placesAlone(directory.paths)
                let pruner = LogPruner(directory)
                removed.archive = try pruner.prune(.plays, before: day, readUpTo: positions.plays)
                removed.quarantine = try pruner.prune(.rejected, before: day, readUpTo: positions.rejected)
            }
            do {
                removed.plays = try store.prune(
                    directory.paths, before: day.number, onNotice: onNotice, progress: progress)
            } catch {
                guard removed.archive.files + removed.quarantine.files + removed.reports.files > 0,
                    let words = EmbeddedChoice.wordsOfDisk(error)
                else { throw error }
                removed.databaseFault = words
            }
            return removed
        }
    }
}
