internal import Archive
internal import Foundation
internal import PlaybackEvents
internal import SQLite

/// What an erasure finds and has to find again, in a file beside its list: somebody may have more plays than memory has room.
///
/// It holds nothing that can't be found again, so it is made anew with every try.
final class ErasedRowList {
    private let connection: SQLiteConnection
    private let addRow: SQLiteStatement
    private let addPlay: SQLiteStatement
    private let addRun: SQLiteStatement
    private let addClaim: SQLiteStatement
    private let addAccount: SQLiteStatement

    private static let tables = """
        CREATE TABLE rows (hour INTEGER, play_id BLOB, PRIMARY KEY (hour, play_id)) WITHOUT ROWID;
        CREATE TABLE plays (play_id BLOB PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE runs (id INTEGER PRIMARY KEY);
        CREATE TABLE claims (hour INTEGER, play_id BLOB, PRIMARY KEY (hour, play_id)) WITHOUT ROWID;
        CREATE TABLE accounts (id INTEGER PRIMARY KEY);
        """
    private static let cacheBytes = 8 << 20

    /// - Parameter path: where the file is made; what is there goes.
    init(path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o640]) else {
            throw FileError("make", path, code: EIO)
        }
        connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.execute(
            """
            PRAGMA journal_mode = MEMORY;
            PRAGMA synchronous = OFF;
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA cache_size = -\(Self.cacheBytes / 1024);
            \(Self.tables)
            BEGIN
            """)
        addRow = try connection.prepare("INSERT OR IGNORE INTO rows VALUES (?, ?)")
        addPlay = try connection.prepare("INSERT OR IGNORE INTO plays VALUES (?)")
        addRun = try connection.prepare("INSERT OR IGNORE INTO runs VALUES (?)")
        addClaim = try connection.prepare("INSERT OR IGNORE INTO claims VALUES (?, ?)")
        addAccount = try connection.prepare("INSERT OR IGNORE INTO accounts VALUES (?)")
    }

    // MARK: What goes

    /// Adds a row that goes.
    func add(hour: Int64, _ id: Identifier128, run: Int64) throws {
        try addRow.bind(1, hour)
        try addRow.bind(2, id: id)
        try addRow.run()
        try add(id)
        // 0 stands for no run.
        if run != 0 { try addRun.run(run) }
    }

    /// Adds a play that goes, whether or not it has a row.
    func add(_ id: Identifier128) throws {
        try addPlay.bind(1, id: id)
        try addPlay.run()
    }

    func isEmpty() throws -> Bool { try connection.integer("SELECT EXISTS (SELECT 1 FROM plays)") == 0 }

    /// Visits the rows, by hour.
    func forEachRow(_ visit: (Int64, Identifier128) throws -> Void) throws {
        let rows = try connection.prepare("SELECT hour, play_id FROM rows ORDER BY hour, play_id")
        while try rows.step() { try visit(rows.int(0), rows.id(1)) }
    }

    /// The hours that have rows, ascending.
    func hours() throws -> [Int64] {
        let rows = try connection.prepare("SELECT DISTINCT hour FROM rows ORDER BY hour")
        var hours: [Int64] = []
        while try rows.step() { hours.append(rows.int(0)) }
        return hours
    }

    func forEachPlay(_ visit: (Identifier128) throws -> Void) throws {
        let rows = try connection.prepare("SELECT play_id FROM plays")
        while try rows.step() { try visit(rows.id(0)) }
    }

    /// Some of the plays.
    func plays(most: Int) throws -> [Identifier128] {
        let rows = try connection.prepare("SELECT play_id FROM plays LIMIT \(most)")
        var plays: [Identifier128] = []
        while try rows.step() { plays.append(rows.id(0)) }
        return plays
    }

    /// Visits the runs that the rows refer to, some at a time, ascending.
    func forEachRuns(_ visit: ([Int64]) throws -> Void) throws {
        let rows = try connection.prepare("SELECT id FROM runs ORDER BY id")
        var runs: [Int64] = []
        while try rows.step() {
            runs.append(rows.int(0))
            guard runs.count == Self.runsAtOnce else { continue }
            try visit(runs)
            runs.removeAll(keepingCapacity: true)
        }
        if !runs.isEmpty { try visit(runs) }
    }

    private static let runsAtOnce = 10_000

    // MARK: What was met

    /// - Returns: false for a row that was claimed before.
    func claim(hour: Int64, _ id: Identifier128) throws(SQLiteError) -> Bool {
        try addClaim.bind(1, hour)
        try addClaim.bind(2, id: id)
        try addClaim.run()
        return connection.changes > 0
    }

    func forgetClaims() throws { try connection.execute("DELETE FROM claims") }

    /// - Returns: false for an account that was met before.
    func meet(account: Int64) throws -> Bool {
        try addAccount.run(account)
        return connection.changes > 0
    }
}

extension SQLiteStatement {
    /// A column of sixteen bytes, the first the highest; others stand for none.
    func id(_ column: Int) -> Identifier128 {
        withBytes(column) { bytes in
            guard bytes.byteCount == 16 else { return Identifier128(high: 0, low: 0) }
            return Identifier128(
                high: UInt64(bigEndian: bytes.unsafeLoadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }
}
