internal import Glibc
internal import SQLite

/// A second connection that sees the same plays as a first: for reading on two threads.
final class CompanionConnection {
    private let path: String
    /// The file as it was before the first connection was opened.
    private let file: FileIdentity?
    private var opened: (connection: SQLiteConnection, scanner: SQLitePlayScanner)?
    /// How long all its queries may take together; nil: as long as they take.
    var patience: Duration?

    /// A server commits some times a second, so that the first try mostly succeeds.
    private static let tries = 5

    /// Before the first connection is opened.
    init(path: String) {
        self.path = path
        file = FileIdentity(path)
    }

    /// Begins a transaction on both connections.
    ///
    /// - Returns: a scanner that sees what `first` sees; nil where that can't be had, and then `first` has no transaction.
    /// - Throws: what SQLite says of the first connection.
    func begin(with first: SQLiteConnection) throws(SQLiteError) -> SQLitePlayScanner? {
        guard let (second, scanner) = try? open() else { return nil }
        for _ in 0..<Self.tries {
            try first.execute("BEGIN")
            let mark = try StoreMark(first)
            if (try? second.execute("BEGIN")) != nil, (try? StoreMark(second)) == mark { return scanner }
            end()
            try first.execute("ROLLBACK")
        }
        return nil
    }

    func end() {
        try? opened?.connection.execute("ROLLBACK")
    }

    private func open() throws -> (SQLiteConnection, SQLitePlayScanner)? {
        if let opened { return opened }
        let connection = try SQLiteConnection(path: path, mode: .readOnly)
        try connection.execute("PRAGMA wal_autocheckpoint = 0")
        // A rebuilt database takes the place of the old one under the same name.
        guard let file, FileIdentity(path) == file else { return nil }
        if let patience { connection.limit(to: patience) }
        let pair = (connection: connection, scanner: try SQLitePlayScanner(connection: connection, fewestForTwo: .max))
        opened = pair
        return pair
    }
}

/// Which file a name stands for.
private struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}

/// What every transaction on plays changes: two connections that see the same see the same plays.
private struct StoreMark: Equatable {
    private var numbers: [Int64?] = []

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        for sql in ["SELECT segment, offset FROM log_places ORDER BY log", "SELECT * FROM totals"] {
            let rows = try connection.prepare(sql)
            while try rows.step() {
                for column in 0..<rows.columnCount { numbers.append(rows.intOrNil(column)) }
            }
        }
    }
}
