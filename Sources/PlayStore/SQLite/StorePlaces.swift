package import Archive
internal import SQLite

/// How far a database has read the logs, asked beside whoever writes it.
package enum StorePlaces {
    /// - Throws: ``StoreFault``.
    package static func read(data: DataPaths) throws -> LogPlaces {
        do {
            let database = try ReadOnlyDatabase(data)
            let places = try StoreRecords(database.connection).places()
            try database.checkUnchanged()
            return places
        } catch let error as SQLiteError {
            throw StoreFault.unreadable(path: data.database, error)
        }
    }

    /// The same where nobody else has the database open. SQLite then needs no index of the write-ahead log beside it, for which
    /// a full disk has no room.
    static func readAlone(data: DataPaths) throws -> LogPlaces {
        do {
            let connection = try SQLiteConnection(path: data.database, mode: .readWrite)
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            do {
                try SQLiteStore.check(connection, path: data.database)
            } catch StoreFault.olderLayout {
                // It has its places where every layout has them, and is raised by whoever writes to it.
            }
            try StoreOrigin.check(connection, data)
            return try StoreRecords.places(connection)
        } catch let error as SQLiteError {
            throw StoreFault.unreadable(path: data.database, error)
        }
    }

    /// What a database remembers of a data directory, of whatever version the two are.
    static func remembered(_ data: DataPaths) -> RememberedDirectory {
        guard !SQLiteStore.isMissingOrEmpty(data.database),
            let connection = try? SQLiteConnection(path: data.database, mode: .readOnly)
        else { return RememberedDirectory() }
        let pruned = try? connection.integer("SELECT EXISTS (SELECT 1 FROM totals WHERE pruned_before IS NOT NULL)")
        return RememberedDirectory(
            identity: (try? StoreOrigin(connection))?.directory, isPruned: pruned == 1)
    }
}
