internal import SQLite

/// Finds a sender's highest account before a time.
struct HighestAccount {
    /// One request's running totals of its sender.
    struct Report {
        /// What ``init(_:)`` reads.
        static let columns = "account, sender, sequence, made, dropped, rejected, received_at"

        var number: Int64
        var sender: Int64
        var sequence: Int64
        var made: Int64
        var dropped: Int64
        var rejected: Int64
        /// Ms since 1970.
        var receivedAt: Int64
        var arrivals: ClosedRange<Int64>?

        /// - Throws: ``SQLiteError/impossibleRow`` for what would not fit into sums, or what no account says.
        init(_ row: SQLiteStatement) throws(SQLiteError) {
            guard (2...5).allSatisfy({ 0...1 << 53 ~= row.int($0) }),
                PlayHour.possible.contains(PlayHour(of: row.int(6)).number)
            else { throw SQLiteError.impossibleRow }
            (number, sender, sequence) = (row.int(0), row.int(1), row.int(2))
            (made, dropped, rejected, receivedAt) = (row.int(3), row.int(4), row.int(5), row.int(6))
        }

        private func precedes(_ other: Report) -> Bool { (receivedAt, number) < (other.receivedAt, other.number) }

        /// Of two with one sequence the first received stands.
        func outdoes(_ other: Report) -> Bool {
            sequence != other.sequence ? sequence > other.sequence : precedes(other)
        }
    }

    private let connection: SQLiteConnection
    private let highest: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        highest = try connection.prepare(
            """
            SELECT \(Report.columns) FROM sender_accounts WHERE sender = ? AND received_at < ?
            ORDER BY sequence DESC, received_at, account LIMIT 1
            """)
    }

    /// The first receipt of all, ms since 1970; -1 where accounts were pruned, `.max` without any.
    func firstReceipt() throws(SQLiteError) -> Int64 {
        let rows = try connection.prepare("SELECT min(received_at) FROM sender_accounts")
        return try rows.step() ? rows.intOrNil(0) ?? .max : .max
    }

    /// - Complexity: logarithmic in the accounts, and linear in those of the sender that came later.
    func of(_ sender: Int64, before time: Int64) throws(SQLiteError) -> Report? {
        defer { highest.reset() }
        try highest.bind(1, sender)
        try highest.bind(2, time)
        return try highest.step() ? try Report(highest) : nil
    }

    /// Of every sender that pruning has left a last account.
    func all() throws(SQLiteError) -> [Int64: Report] {
        var reports: [Int64: Report] = [:]
        let rows = try connection.prepare("SELECT \(Report.columns) FROM sender_accounts WHERE received_at < 0")
        while try rows.step() {
            let report = try Report(rows)
            if let known = reports[report.sender], !report.outdoes(known) { continue }
            reports[report.sender] = report
        }
        return reports
    }
}
