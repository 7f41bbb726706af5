internal import Archive
internal import Glibc
package import SQLite

extension SQLiteStore {
    static let pageBytes = 16_384

    /// Opens the database of a data directory for writing, and makes it where there are neither database nor plays.
    static func connection(_ data: DataPaths, _ configuration: StoreConfiguration) throws -> SQLiteConnection {
        let path = data.database
        if let outcome = try NextDatabase.putInPlace(data) { configuration.onNext(outcome) }
        if isMissingOrEmpty(path) {
            guard try SegmentList(directory: data.archive, kind: .plays).segments.isEmpty else {
                throw StoreFault.missing(path: path)
            }
            let new = DatabaseFile(path + ".new")
            do {
                try create(at: new.path, of: data)
                try new.replace(DatabaseFile(path))
            } catch {
                new.remove()
                throw error
            }
        }
        let connection = try connection(to: path, configuration)
        try StoreOrigin.check(connection, data)
        try StoreOrigin.adopt(connection, data)
        return connection
    }

    /// Opens a database that is there, for writing.
    static func connection(to path: String, _ configuration: StoreConfiguration) throws -> SQLiteConnection {
        do {
            let connection = try SQLiteConnection(
                path: path, mode: .readWrite, busyTimeoutMs: configuration.busyTimeoutMs)
            if let raise = try raise(connection, path: path) { configuration.onRaise(raise) }
            try connection.execute(
                """
                PRAGMA journal_mode = WAL;
                PRAGMA synchronous = NORMAL;
                PRAGMA secure_delete = OFF;
                PRAGMA temp_store = MEMORY;
                PRAGMA cache_size = -\(configuration.cacheBytes / 1024);
                PRAGMA wal_autocheckpoint = \(max(1, configuration.checkpointBytes / pageBytes));
                PRAGMA journal_size_limit = \(configuration.checkpointBytes);
                """)
            return connection
        } catch let error as SQLiteError {
            throw StoreFault.unreadable(path: path, error)
        }
    }

    /// A file of no bytes is what is left of a database that somebody emptied.
    package static func isMissingOrEmpty(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 ? [ENOENT, ENOTDIR].contains(errno) : status.st_size == 0
    }

    /// Makes an empty database with all tables, for a data directory.
    static func create(at path: String, of data: DataPaths) throws {
        try DatabaseFile(path).make()
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        // Without a write-ahead log as yet: where there is no room to copy it back, the file that is renamed would lack all of it.
        try connection.execute("PRAGMA page_size = \(pageBytes)")
        try connection.transaction {
            try connection.execute(StoreSchema.creation)
            try StoreOrigin.begin(connection, data)
        }
    }

    /// Raises a database of ours to this layout, in one transaction; nil where it has it already.
    private static func raise(_ connection: SQLiteConnection, path: String) throws -> LayoutRaise? {
        do {
            try check(connection, path: path)
            return nil
        } catch StoreFault.olderLayout(_, let found) {
            try connection.transaction {
                try connection.execute(StoreSchema.raise(from: found))
                try RunHashes(connection).fill()
            }
            return LayoutRaise(from: found, to: StoreSchema.version)
        }
    }

    /// Says whether a database is one of ours, of this layout.
    package static func check(_ connection: SQLiteConnection, path: String) throws {
        do {
            let application = try connection.integer("PRAGMA application_id")
            let version = try connection.integer("PRAGMA user_version")
            guard application == StoreSchema.applicationId else {
                throw StoreFault.foreign(path: path, reason: "it belongs to another application")
            }
            if (StoreSchema.oldestRaised..<StoreSchema.version).contains(version) {
                throw StoreFault.olderLayout(path: path, found: version)
            }
            guard version == StoreSchema.version else { throw StoreFault.otherLayout(path: path, found: version) }
        } catch let error as SQLiteError where error.isNoDatabase {
            throw StoreFault.foreign(path: path, reason: error.message)
        }
    }
}
