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
}
