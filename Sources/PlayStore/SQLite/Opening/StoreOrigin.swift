internal import Archive
internal import SQLite

/// Whose database it is, and what the logs had lost to pruning when it was begun.
struct StoreOrigin {
    static let table = """
        -- One row: the data directory's identity, and the lines of log files that had been pruned before this database was
        -- begun, so that it never had them; NULL where that isn't known.
        CREATE TABLE origin (
            directory TEXT,
            removed_plays INTEGER,
            removed_rejected INTEGER
        );
        INSERT INTO origin VALUES (NULL, NULL, NULL);
        """

    private(set) var directory: String?
    private var removed: [LogKind: Int64] = [:]

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        let select = try connection.prepare("SELECT directory, removed_plays, removed_rejected FROM origin")
        guard try select.step() else { return }
        directory = select.textOrNil(0)
        for (index, kind) in LogKind.followed.enumerated() { removed[kind] = select.intOrNil(index + 1) }
    }

    /// The lines of files that were pruned since the database was begun: it had them. Nil where that isn't known.
    func linesRemovedSince(_ inventory: Inventory, _ kind: LogKind) -> Int64? {
        guard let before = removed[kind], let log = inventory.log(kind) else { return nil }
        return log.removedLines &- before
    }

    /// Says whether a database is that of the directory that it lies in, as far as the two know whose they are.
    ///
    /// - Throws: ``SQLiteStoreError/otherDirectory(path:)``.
    static func check(_ connection: SQLiteConnection, _ data: DataPaths) throws {
        // Older layouts have no origin.
        let isThere = try connection.integer("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'origin')") != 0
        guard isThere, let mine = try StoreOrigin(connection).directory, let identity = try Manifest.identity(of: data)
        else { return }
        if mine != identity { throw SQLiteStoreError.otherDirectory(path: data.database) }
    }

    /// Notes whose a new database is, which begins with the logs as they are now.
    static func begin(_ connection: SQLiteConnection, _ data: DataPaths) throws {
        guard let manifest = try Manifest.read(data) else { return }
        try set(connection, manifest) { manifest[$0].removedLines }
    }

    /// Notes whose a database is that has followed the logs from their beginning, and didn't know that yet.
    static func adopt(_ connection: SQLiteConnection, _ data: DataPaths) throws {
        guard try StoreOrigin(connection).directory == nil, let manifest = try Manifest.read(data) else { return }
        // It may have had what was gone before the manifest was made, or been made anew after that.
        try set(connection, manifest) { manifest[$0].before == 0 ? 0 : nil }
    }

    private static func set(
        _ connection: SQLiteConnection, _ manifest: Manifest, removed: (LogKind) -> Int64?
    ) throws(SQLiteError) {
        let update = try connection.prepare(
            "UPDATE origin SET directory = ?, removed_plays = ?, removed_rejected = ?")
        try update.bind(1, manifest.identity)
        for (index, kind) in LogKind.followed.enumerated() { try update.bind(index + 2, removed(kind)) }
        try update.run()
    }
}
