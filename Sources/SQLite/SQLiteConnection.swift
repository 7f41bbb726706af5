internal import CSQLite
internal import Dispatch
internal import Synchronization

/// One SQLite connection: the only owner of its handle, closed when the object goes.
///
/// It is used by one thread at a time, which the compiler sees to; SQLite's own mutexes are off.
package final class SQLiteConnection {
    /// How a database file is opened.
    package enum Mode: Sendable {
        case readOnly, readWrite, readWriteCreate
        /// Read only, and as long as it is open nobody else writes: without locks, and without a write-ahead log.
        case unchanging
    }

    let handle: OpaquePointer
    /// Ends what runs on the connection.
    package let interrupter: SQLiteInterrupter

    /// How many pages were not in the cache when they were asked for, so far.
    package var pagesRead: Int {
        var (now, highest) = (Int32(0), Int32(0))
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &now, &highest, 0)
        return Int(now)
    }

    /// For SQLite's progress handler, which keeps its address.
    private let deadline: UnsafeMutablePointer<ContinuousClock.Instant>

    /// SQLite counts each allocation under a lock unless told otherwise, before its first use.
    private static let isConfigured = csqlite_stop_counting_memory() == SQLITE_OK

    /// Opens `path`, `":memory:"` for a database that lives with the connection.
    ///
    /// - Parameter busyTimeoutMs: how long a statement waits for another connection's lock, in milliseconds.
    /// - Throws: the error of opening; the half-open handle is closed.
    package init(path: String, mode: Mode, busyTimeoutMs: Int32 = 5_000) throws(SQLiteError) {
        _ = Self.isConfigured
        let flags: Int32 =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .unchanging: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        var opened: OpaquePointer?
        let name = mode == .unchanging ? Self.unchangingName(path) : path
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw SQLiteError(code: code, message: message, statement: path)
        }
        handle = opened
        interrupter = SQLiteInterrupter(of: opened)
        deadline = .allocate(capacity: 1)
        deadline.initialize(to: .now)
        sqlite3_busy_timeout(handle, busyTimeoutMs)
        _ = csqlite_set_defensive(handle)
    }

    deinit {
        interrupter.forget()
        sqlite3_close_v2(handle)
        deadline.deallocate()
    }

    /// The file as a URI that says so: https://www.sqlite.org/uri.html.
    private static func unchangingName(_ path: String) -> String {
        var name = path.hasPrefix("/") ? "file://" : "file:"
        for byte in path.utf8 {
            let isPlain = byte > 0x20 && byte < 0x7F && !"%?#".utf8.contains(byte)
            name += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return name + "?immutable=1"
    }

    /// Runs one or more statements that return nothing of interest.
    package func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, in: sql) }
    }

    /// Prepares one statement.
    package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        try SQLiteStatement(connection: self, sql: sql)
    }

    /// The first column of a statement's first row, 0 without one.
    package func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.int(0) : 0
    }

    /// Runs `body` between `BEGIN IMMEDIATE` and `COMMIT`; whatever it throws rolls back.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Ends the transaction that is open, if any: after some errors (SQLITE_FULL, SQLITE_IOERR) SQLite has ended it already.
    package func rollBack() {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        // Whatever a rollback says, no transaction is left behind it: https://www.sqlite.org/lang_transaction.html.
        _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    package var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Ends whatever runs on this connection with `SQLITE_INTERRUPT` once so much time has gone by, counted from now.
    package func limit(to patience: Duration) {
        deadline.pointee = .now + patience
        // The handler is asked every so many steps of SQLite's machine: well under a millisecond apart.
        sqlite3_progress_handler(
            handle, 10_000,
            { context in
                guard let deadline = context?.assumingMemoryBound(to: ContinuousClock.Instant.self) else { return 0 }
                return deadline.pointee < .now ? 1 : 0
            }, deadline)
    }

    func error(_ code: Int32, in sql: String) -> SQLiteError {
        SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), statement: sql)
    }
}

/// Ends what runs on a connection, whichever thread runs it: SQLite allows this one call from any thread, as long as the
/// connection is open.
package final class SQLiteInterrupter: Sendable {
    /// The handle's address, nil when the connection is closed.
    private let address: Mutex<UInt?>

    fileprivate init(of handle: OpaquePointer) {
        address = Mutex(UInt(bitPattern: handle))
    }

    fileprivate func forget() {
        address.withLock { $0 = nil }
    }

    /// Ends what runs at that time.
    package func interrupt(afterSeconds seconds: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [self] in
            address.withLock { address in
                if let handle = address.flatMap(OpaquePointer.init(bitPattern:)) { sqlite3_interrupt(handle) }
            }
        }
    }
}
