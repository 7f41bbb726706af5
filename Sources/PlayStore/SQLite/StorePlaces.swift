package import Archive
internal import SQLite

/// How far a database has read the logs, asked beside whoever writes it.
package enum StorePlaces {
    /// - Throws: ``StoreFault``.
    package static func read(data: DataPaths) throws -> LogPlaces {
        do {
            let connection = try SQLiteConnection(path: data.database, mode: .readOnly)
            try connection.execute("PRAGMA wal_autocheckpoint = 0")
            try SQLiteStore.check(connection, path: data.database)
            return try StoreRecords(connection).places()
        } catch let error as SQLiteError {
            throw StoreFault.unreadable(path: data.database, error)
        }
    }
}
