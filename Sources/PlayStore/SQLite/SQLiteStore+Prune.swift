internal import SQLite

/// How far the removal of old days has come.
struct OldDays {
    /// The first hour to stay.
    let limit: Int64
    /// The first account that has not been looked at.
    var nextAccount: Int64 = 0
    /// Whether anything was removed, so that the dictionaries may have entries that nobody needs.
    var hasRemoved = false
}

extension SQLiteStore {
    /// Removes the plays of old days, and what else is of no use without them. To be called when nothing is gathered.
    ///
    /// What is freed stays in the file, for the plays to come. A repeat of a pruned play is a new play.
    ///
    /// - Parameters:
    ///   - day: the first day to stay, UTC days since 1970.
    ///   - progress: gets the number of plays removed so far.
    /// - Returns: the number of plays removed.
    /// - Complexity: linear in what is removed and, for the dictionaries, in what stays.
    @discardableResult
    package func prune(before day: Int64, progress: (Int64) -> Void = { _ in }) throws -> Int64 {
        var removed: Int64 = 0
        while let count = try pruneSome(before: day) {
            removed += count
            progress(removed)
        }
        return removed
    }

    /// An hour goes in one transaction, so readers and a crash see whole hours; so do some ten thousand accounts. What the
    /// dictionaries have for nobody any more goes last, in one transaction, for which the plays that stay are read once.
    package func pruneSome(before day: Int64) throws -> Int64? {
        var old = oldDays?.limit == day * 24 ? oldDays ?? OldDays(limit: day * 24) : OldDays(limit: day * 24)
        defer { oldDays = old }
        if let hour = try oldestHour(before: old.limit) {
            // Who makes columns reads the rows.
            columns.cancel()
            old.hasRemoved = true
            return try prune(hour: hour, before: old.limit)
        }
        if old.nextAccount <= totals.accounts {
            let accounts = old.nextAccount...old.nextAccount + Self.accountsAtOnce - 1
            let changed = try connection.transaction { try prune(accounts: accounts, before: old.limit) }
            old.hasRemoved = old.hasRemoved || changed > 0
            old.nextAccount = accounts.upperBound + 1
            return 0
        }
        if try !hasRest(of: old) {
            // A play of those days may come yet.
            old.nextAccount = 0
            return nil
        }
        columns.cancel()
        try pruneRest(before: old.limit)
        old.hasRemoved = false
        return 0
    }

    private static let accountsAtOnce: Int64 = 32_768

    private func hasRest(of old: OldDays) throws(SQLiteError) -> Bool {
        if old.hasRemoved || totals.prunedBefore ?? .min < old.limit { return true }
        let small = ["receipt_dated_plays", "rejections", "repeats"].map {
            "EXISTS (SELECT 1 FROM \($0) WHERE hour < \(old.limit))"
        }
        return try connection.integer("SELECT \(small.joined(separator: " OR "))") != 0
    }

    private func pruneRest(before limit: Int64) throws {
        var pruned = totals
        pruned.prunedBefore = max(totals.prunedBefore ?? limit, limit)
        try connection.transaction {
            try connection.run("DELETE FROM receipt_dated_plays WHERE hour < ?", limit)
            try connection.run("DELETE FROM rejections WHERE hour < ?", limit)
            try connection.run("DELETE FROM repeats WHERE hour < ?", limit)
            try DictionaryPruner(connection).run()
            try RunHashes(connection).prune()
            try records.set(pruned)
        }
        totals = pruned
        forgetGatherers()
        try rows.reload()
        try columns.reload()
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
    ///
    /// - Returns: how many were removed or changed.
    private func prune(accounts: ClosedRange<Int64>, before limit: Int64) throws(SQLiteError) -> Int {
        let delete = try connection.prepare(
            """
            DELETE FROM sender_accounts
            WHERE account BETWEEN ? AND ? AND received_at < ? AND EXISTS (
                SELECT 1 FROM sender_accounts AS later
                WHERE later.sender = sender_accounts.sender AND later.sequence > sender_accounts.sequence
                    AND later.received_at < ?)
            """)
        let limitMs = limit * PlayHour.length
        try delete.run(accounts.lowerBound, accounts.upperBound, limitMs, limitMs)
        let removed = connection.changes
        let change = try connection.prepare(
            """
            UPDATE sender_accounts SET received_at = -1, stored = NULL, contexts = NULL
            WHERE account BETWEEN ? AND ? AND received_at < ? AND received_at <> -1
            """)
        try change.run(accounts.lowerBound, accounts.upperBound, limitMs)
        return removed + connection.changes
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
