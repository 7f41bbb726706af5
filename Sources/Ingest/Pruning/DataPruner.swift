package import Archive
package import PlayStore

/// Removes old days from a data directory.
package enum DataPruner {
    package struct Removed: Sendable, Equatable {
        package var plays: Int64 = 0
        package var archive = LogPruner.Removed()
        package var quarantine = LogPruner.Removed()
    }

    /// Removes the plays of old days from the database, and when told so the files of old days of receipt from both logs.
    ///
    /// A play is never later than its receipt, so a file that goes holds only plays that have gone before it. A file that the
    /// database has not read to its end stays, whatever its day.
    ///
    /// - Parameters:
    ///   - day: the first day to stay, in UTC.
    ///   - onNotice: told of a database that was raised to this program's layout.
    ///   - progress: gets the number of plays removed so far.
    /// - Throws: ``DataDirectoryFault`` while another process has the directory, ``StoreFault``, or what the system said.
    package static func prune(
        _ root: String, store: StoreChoice = .embedded, before day: UTCDay, archiveToo: Bool,
        onNotice: @escaping @Sendable (FollowerNotice) -> Void = { _ in }, progress: (Int64) -> Void = { _ in }
    ) throws -> Removed {
        let directory = try DataDirectory(root)
        return try withExtendedLifetime(directory) {
            var removed = Removed()
            let places: LogPlaces
            (removed.plays, places) = try store.prune(
                directory.paths, before: day.number, onNotice: onNotice, progress: progress)
            if archiveToo {
                let pruner = LogPruner(directory.paths)
                removed.archive = try pruner.prune(.plays, before: day, readUpTo: places.plays)
                removed.quarantine = try pruner.prune(.rejected, before: day, readUpTo: places.rejected)
            }
            return removed
        }
    }
}
