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
    /// - Throws: what SQLite says of either, but that the second one is locked or may not be opened.
    func begin(with first: SQLiteConnection) throws(SQLiteError) -> SQLitePlayScanner? {
        do throws(SQLiteError) {
            guard let (second, scanner) = try open() else { return nil }
            for _ in 0..<Self.tries {
                try first.execute("BEGIN")
                let mark = try StoreMark(first)
                try second.execute("BEGIN")
                if try StoreMark(second) == mark { return scanner }
                end()
                first.rollBack()
            }
        } catch {
            end()
            first.rollBack()
            // One thread can read all the same where somebody locks the file, or the system lets it be opened no second time.
            guard error.isBusy || error.isDenied else { throw error }
        }
        return nil
    }

    func end() {
        opened?.connection.rollBack()
    }

    private func open() throws(SQLiteError) -> (SQLiteConnection, SQLitePlayScanner)? {
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
