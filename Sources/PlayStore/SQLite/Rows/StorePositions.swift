package import Archive
internal import Glibc
internal import SQLite

/// How far a database has read the logs, asked beside whoever writes it.
package enum StorePositions {
    /// - Throws: ``SQLiteStoreError``.
    package static func read(data: DataPaths) throws -> LogPositions {
        do {
            let database = try ReadOnlyDatabase(data)
            let positions = try StoreRecords(database.connection).positions()
            try database.checkUnchanged()
            return positions
        } catch let error as SQLiteError {
            throw SQLiteStoreError.unreadable(path: data.database, error)
        }
    }

    /// The same where nobody else has the database open. SQLite then needs no index of the write-ahead log beside it, for which
    /// a full disk has no room.
    static func readAlone(data: DataPaths) throws -> LogPositions {
        do {
            let connection = try SQLiteConnection(path: data.database, mode: .readWrite)
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            do {
                try SQLiteStore.check(connection, path: data.database)
            } catch SQLiteStoreError.olderLayout {
                // It has its places where every layout has them, and is raised by whoever writes to it.
            }
            try StoreOrigin.check(connection, data)
            return try StoreRecords.positions(connection)
        } catch let error as SQLiteError {
            throw SQLiteStoreError.unreadable(path: data.database, error)
        }
    }

    /// The same of a database of any layout, beside whoever writes it; nil where it can't be told.
    static func readAny(data: DataPaths) -> LogPositions? {
        guard let connection = try? SQLiteConnection(path: data.database, mode: .readOnly),
            (try? connection.execute("PRAGMA wal_autocheckpoint = 0")) != nil,
            (try? connection.integer("PRAGMA application_id")) == StoreSchema.applicationId
        else { return nil }
        return try? StoreRecords.positions(connection)
    }

    /// What a database remembers of a data directory, of whatever version the two are; nothing, where it can't be understood.
    ///
    /// - Throws: a ``FileError`` while somebody else keeps everybody off the database: it may know more than nothing.
    static func remembered(_ data: DataPaths) throws(FileError) -> RememberedDirectory {
        guard !SQLiteStore.isMissingOrEmpty(data.database) else { return RememberedDirectory() }
        do {
            let connection = try SQLiteConnection(path: data.database, mode: .readOnly)
            var remembered = RememberedDirectory()
            remembered.isPruned =
                try connection.integer("SELECT EXISTS (SELECT 1 FROM totals WHERE pruned_before IS NOT NULL)") == 1
            let hasOrigin = try connection.integer("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'origin')")
            if hasOrigin == 1 { remembered.identity = try StoreOrigin(connection).directory }
            return remembered
        } catch {
            if error.isBusy { throw FileError("read", data.database, code: EBUSY) }
            return RememberedDirectory()
        }
    }
}
