internal import Archive
internal import Glibc
internal import PlayStore
internal import PlaybackEvents
internal import SQLite

/// The follower's own memory of what a ClickHouse store has: a small SQLite database in the data directory.
///
/// It holds how far the logs have been loaded, the chunk that is being posted, and the hours of plays of which a repeat might
/// get another hour.
final class ClickHouseRecord {
    /// Who this directory is in a store.
    struct Identity: Equatable {
        /// Random, for ever.
        var directory: String
        /// The server's name when the record was made.
        var node: String
        /// The store that it has fed; nil before the first contact.
        var store: String?
        /// Whether all was loaded again at some time, after its rows had been removed.
        var isRebuilt: Bool
    }

    /// `PRAGMA user_version`.
    private static let version: Int64 = 2
    /// `PRAGMA application_id`: "qoe2" in ASCII.
    static let applicationId: Int64 = 0x716F_6532

    let connection: SQLiteConnection
    private(set) var identity: Identity

    /// Opens the record of a data directory, or makes an empty one where there are neither a record nor plays.
    ///
    /// - Parameter node: the server's name for a new record.
    static func open(_ data: DataPaths, node: NodeName) throws -> ClickHouseRecord {
        let path = data.clickHouseRecord
        if SQLiteStore.isMissingOrEmpty(path) {
            guard try SegmentList(directory: data.archive, kind: .plays).segments.isEmpty else {
                throw ClickHouseStoreError.noRecord(path: path)
            }
            try create(at: path, node: node, directory: try Manifest.identity(of: data))
        }
        return try ClickHouseRecord(path: path, mode: .readWrite)
    }

    /// Opens the record that a data directory has, beside whoever writes it.
    static func existing(_ data: DataPaths) throws -> ClickHouseRecord {
        guard !SQLiteStore.isMissingOrEmpty(data.clickHouseRecord) else {
            throw ClickHouseStoreError.absentRecord(path: data.clickHouseRecord)
        }
        return try ClickHouseRecord(path: data.clickHouseRecord, mode: .readOnly)
    }

    /// Makes an empty record in the place of whatever is there.
    ///
    /// - Parameters:
    ///   - directory: its name in the store, nil for a new one.
    ///   - store: a store that may hold rows which have to go before anything is loaded; nil for one that isn't known yet.
    static func create(
        at path: String, node: NodeName, directory: String? = nil, rebuilding store: String? = nil
    ) throws {
        let new = DatabaseFile(path + ".new")
        try new.make()
        do {
            let connection = try SQLiteConnection(path: new.path, mode: .readWrite)
            try connection.transaction {
                try connection.execute(creation)
                let insert = try connection.prepare("INSERT INTO identity VALUES (?, ?, ?4, ?3, ?3)")
                let random = Identifier128(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
                try insert.bind(1, directory ?? random.hexadecimalText)
                try insert.bind(2, node.description)
                try insert.bind(3, store == nil ? 0 : 1)
                if let store { try insert.bind(4, store) }
                try insert.run()
            }
        }
        try new.replace(DatabaseFile(path))
    }

    /// - Throws: ``ClickHouseStoreError`` for a file that is none of ours.
    init(path: String, mode: SQLiteConnection.Mode) throws {
        do {
            connection = try SQLiteConnection(path: path, mode: mode)
            guard try connection.integer("PRAGMA application_id") == Self.applicationId else {
                throw ClickHouseStoreError.foreignRecord(path: path, reason: "it belongs to another application")
            }
            let version = try connection.integer("PRAGMA user_version")
            guard version == Self.version else {
                throw ClickHouseStoreError.foreignRecord(path: path, reason: "it has version \(version)")
            }
            if mode != .readOnly { try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;") }
            let select = try connection.prepare("SELECT directory, node, store, is_rebuilt FROM identity")
            guard try select.step() else {
                throw ClickHouseStoreError.foreignRecord(path: path, reason: "it says not whose it is")
            }
            identity = Identity(
                directory: select.text(0), node: select.text(1), store: select.textOrNil(2),
                isRebuilt: select.int(3) != 0)
        } catch let error as SQLiteError where error.isNoDatabase {
            throw ClickHouseStoreError.foreignRecord(path: path, reason: error.message)
        }
    }

    var isRebuilding: Bool {
        get throws { try connection.integer("SELECT is_rebuilding FROM identity") != 0 }
    }

    func didEmpty() throws {
        try connection.execute("UPDATE identity SET is_rebuilding = 0")
    }

    /// Takes another name, as long as nothing was loaded under the one before.
    func take(node: NodeName) throws {
        guard identity.store == nil, identity.node != node.description else { return }
        let update = try connection.prepare("UPDATE identity SET node = ?")
        try update.bind(1, node.description)
        try update.run()
        identity.node = node.description
    }

    func set(store: String) throws {
        let update = try connection.prepare("UPDATE identity SET store = ?")
        try update.bind(1, store)
        try update.run()
        identity.store = store
    }

    private static let creation = """
        CREATE TABLE identity (directory TEXT, node TEXT, store TEXT, is_rebuilding INTEGER, is_rebuilt INTEGER);
        -- How far the logs have been loaded, and up to where the chunk goes that is being posted.
        CREATE TABLE log_places (
            log TEXT PRIMARY KEY,
            segment INTEGER,
            offset INTEGER,
            pending_segment INTEGER,
            pending_offset INTEGER
        ) WITHOUT ROWID;
        INSERT INTO log_places VALUES ('plays', 0, 0, NULL, NULL), ('rejected', 0, 0, NULL, NULL);
        -- One row.
        CREATE TABLE totals (
            arrivals INTEGER,
            accounts INTEGER,
            duplicates INTEGER,
            conflicts INTEGER,
            unloadable INTEGER,
            pruned_before INTEGER,
            -- A whole number of 64 bits without a sign.
            last_version INTEGER
        );
        INSERT INTO totals VALUES (0, 0, 0, 0, 0, NULL, 0);
        -- Plays so near an edge of their hour that a repeat may lie on the other side.
        CREATE TABLE edge_plays (
            hour INTEGER,
            play_id BLOB,
            PRIMARY KEY (hour, play_id)
        ) WITHOUT ROWID;
        -- Plays dated by their receipt alone, whose repeats would get another hour.
        CREATE TABLE receipt_dated_plays (
            play_id BLOB PRIMARY KEY,
            hour INTEGER
        ) WITHOUT ROWID;
        PRAGMA application_id = \(applicationId);
        PRAGMA user_version = \(version);
        """
}

extension DataPaths {
    /// The record of what a ClickHouse store has of the logs.
    package var clickHouseRecord: String { root + "/clickhouse.sqlite" }
}
