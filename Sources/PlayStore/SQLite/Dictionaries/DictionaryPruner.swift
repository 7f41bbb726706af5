internal import SQLite

/// Removes from the dictionaries what no row refers to any more. Runs inside a transaction.
struct DictionaryPruner {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    func run() throws(SQLiteError) {
        var videos = IdSet()
        var errors = IdSet()
        var tagSets = IdSet()
        var deliveries = IdSet()
        var runs = IdSet()
        let rows = try connection.prepare("SELECT video, error, tag_set, delivery, run FROM play_rows")
        while try rows.step() {
            videos.insert(rows.int(0))
            errors.insert(rows.int(1))
            tagSets.insert(rows.int(2))
            deliveries.insert(rows.int(3))
            runs.insert(rows.int(4))
        }
        // Accounts tell of plays that may have gone.
        let accounts = try connection.prepare("SELECT contexts FROM sender_accounts WHERE contexts IS NOT NULL")
        while try accounts.step() {
            for context in StoredAccount.Arrived.contexts(0, of: accounts) { deliveries.insert(Int64(context)) }
        }
        try remove(from: .videos, but: videos)
        try remove(from: .errors, but: errors)
        try remove(from: .tagSets, but: tagSets)
        try remove(from: .deliveries, but: deliveries)
        try remove(from: .runs, but: runs)
        try remove(from: .devices, but: ids("SELECT device FROM runs"))
        try remove(from: .senders, but: ids("SELECT sender FROM sender_accounts"))
    }

    private func ids(_ sql: String) throws(SQLiteError) -> IdSet {
        var ids = IdSet()
        let rows = try connection.prepare(sql)
        while try rows.step() { ids.insert(rows.int(0)) }
        return ids
    }

    /// Numbers that are looked at together, so that memory doesn't go by how many are removed.
    private static let stretch: Int64 = 65_536

    private func remove(from table: DictionaryTable, but used: IdSet) throws(SQLiteError) {
        let rows = try connection.prepare(
            "SELECT id FROM \(table.name) WHERE id > ? ORDER BY id LIMIT \(Self.stretch)")
        let delete = try connection.prepare("DELETE FROM \(table.name) WHERE id = ?")
        var last = Int64.min
        while true {
            var unused: [Int64] = []
            let before = last
            rows.reset()
            try rows.bind(1, last)
            while try rows.step() {
                last = rows.int(0)
                if !used.contains(last) { unused.append(last) }
            }
            if last == before { return }
            for id in unused {
                try delete.bind(1, id)
                try delete.run()
            }
        }
    }
}

/// A set of a dictionary's numbers, a bit each.
private struct IdSet {
    private var words: [UInt64] = []

    mutating func insert(_ id: Int64) {
        guard id > 0, id <= UInt32.max else { return }
        let word = Int(id >> 6)
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: max(word + 1, 2 * words.count) - words.count))
        }
        words[word] |= 1 << UInt64(id & 63)
    }

    func contains(_ id: Int64) -> Bool {
        guard id > 0, id <= UInt32.max, Int(id >> 6) < words.count else { return false }
        return words[Int(id >> 6)] >> UInt64(id & 63) & 1 == 1
    }
}
