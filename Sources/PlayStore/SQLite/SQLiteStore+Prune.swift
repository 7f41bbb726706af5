internal import SQLite

extension SQLiteStore {
    /// Removes the plays of old days, and what else is of no use without them. To be called when nothing is gathered.
    ///
    /// An hour goes in one transaction, so readers and a crash see whole hours. What is freed stays in the file, for the
    /// plays to come. A repeat of a pruned play is a new play.
    ///
    /// - Parameters:
    ///   - day: the first day to stay, UTC days since 1970.
    ///   - progress: gets the number of plays removed so far.
    /// - Returns: the number of plays removed.
    /// - Complexity: linear in what is removed and, for the dictionaries, in what stays.
    @discardableResult
    package func prune(before day: Int64, progress: (Int64) -> Void = { _ in }) throws -> Int64 {
        let limit = day * 24
        columns.cancel()
        var removed: Int64 = 0
        while let hour = try oldestHour(before: limit) {
            removed += try prune(hour: hour, before: limit)
            progress(removed)
        }
        try connection.transaction {
            let limitMs = limit * PlayHour.length
            try connection.run("DELETE FROM receipt_dated_plays WHERE hour < ?", limit)
            try connection.run("DELETE FROM rejections WHERE hour < ?", limit)
            try connection.run("DELETE FROM repeats WHERE hour < ?", limit)
            try pruneAccounts(before: limitMs)
            try DictionaryPruner(connection).run()
            try RunHashes(connection).prune()
            totals.prunedBefore = max(totals.prunedBefore ?? limit, limit)
            try records.set(totals)
        }
        try discard()
        try rows.reload()
        try columns.reload()
        return removed
    }

    private func oldestHour(before limit: Int64) throws(SQLiteError) -> Int64? {
        let select = try connection.prepare("SELECT min(hour) FROM hours WHERE hour < ?")
        try select.bind(1, limit)
        return try select.step() ? select.intOrNil(0) : nil
    }

    private func prune(hour: Int64, before limit: Int64) throws -> Int64 {
        var pruned = totals
        let removed = try connection.transaction {
            var removed = 0
            for table in PlayTable.allCases {
                try connection.run("DELETE FROM \(table.rawValue) WHERE hour = ?", hour)
                removed += connection.changes
            }
            try columns.remove(hour)
            try connection.run("DELETE FROM hours WHERE hour = ?", hour)
            pruned.pruned += Int64(removed)
            pruned.prunedBefore = max(pruned.prunedBefore ?? limit, limit)
            try records.set(pruned)
            return Int64(removed)
        }
        totals = pruned
        return removed
    }

    /// A sender's next figures are set against its last account: of each sender the newest stays. It says nothing of its
    /// own day any more, whose plays are gone: it is dated before all receipts.
    private func pruneAccounts(before limitMs: Int64) throws(SQLiteError) {
        try connection.execute(
            "CREATE TEMP TABLE last_accounts (sender_id TEXT PRIMARY KEY, sequence INTEGER) WITHOUT ROWID")
        try connection.run(
            """
            INSERT INTO last_accounts
            SELECT n.sender_id, max(s.sequence)
            FROM sender_accounts AS s JOIN senders AS n ON n.id = s.sender
            WHERE s.received_at < ?
            GROUP BY n.sender_id
            """, limitMs)
        try connection.run(
            """
            DELETE FROM sender_accounts
            WHERE received_at < ? AND sequence < (
                SELECT l.sequence FROM senders AS n JOIN last_accounts AS l ON l.sender_id = n.sender_id
                WHERE n.id = sender_accounts.sender)
            """, limitMs)
        try connection.execute("DROP TABLE last_accounts")
        try connection.run(
            "UPDATE sender_accounts SET received_at = -1, stored = NULL, contexts = NULL WHERE received_at < ?", limitMs
        )
    }
}

extension SQLiteConnection {
    /// Runs one statement with one integer.
    fileprivate func run(_ sql: String, _ value: Int64) throws(SQLiteError) {
        let statement = try prepare(sql)
        try statement.bind(1, value)
        try statement.run()
    }
}
