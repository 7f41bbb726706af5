internal import PlaybackEvents
internal import SQLite

extension SQLiteStore {
    /// Removes somebody's plays from rows and columns, what else tells of them, and their bytes from the files.
    ///
    /// Readers and a crash see all of it or nothing. The counts become what the archive makes of them once its lines are gone.
    package func erase(_ erasure: StoreErasure) throws -> Int64 {
        columns.cancel()
        // On the disk before anything builds on it: a power cut must not take back what the noted totals know.
        try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        if erasure.marks == nil { try erasure.note(StoreErasure.Marks(totals)) }
        // What is deleted is overwritten.
        try connection.execute("PRAGMA secure_delete = ON")
        defer { try? connection.execute("PRAGMA secure_delete = OFF") }
        let eraser = try RowEraser(connection, erasure, rows: rows, columns: columns, records: records)
        let after: StoreTotals
        do {
            after = try connection.transaction { try eraser.run(totals) }
        } catch {
            // It was rolled back, and what is loaded until the next try says nothing of it.
            if erasure.marks == nil { try? erasure.note(nil) }
            throw error
        }
        totals = after
        forgetGatherers()
        try rows.reload()
        try columns.reload()
        let plays = try eraser.plays(most: DatabaseScrub.mostNames)
        let isAnew = try DatabaseScrub(connection, path: path, erasure.target, plays: plays).run()
        if isAnew { watch.noteShrinking() }
        return eraser.removed
    }

    /// How many rows an erasure would remove.
    static func countErasable(_ connection: SQLiteConnection, _ target: ErasureTarget) throws -> Int64 {
        let condition = try ErasedRows.condition(of: target, on: connection)
        return try PlayTable.allCases.reduce(0) { count, table in
            try count + condition.integer("SELECT count(*) FROM \(table.rawValue)", on: connection)
        }
    }
}

/// Which rows are somebody's.
struct ErasedRows {
    private var sql: String
    private var id: Identifier128?

    /// Looks up the entries of dictionaries that stand for somebody.
    ///
    /// - Complexity: O(entries).
    static func condition(of target: ErasureTarget, on connection: SQLiteConnection) throws -> ErasedRows {
        switch target {
        case .play(let id): return ErasedRows(sql: "play_id = ?", id: id)
        case .session(let session):
            let runs = try connection.prepare("SELECT id FROM runs WHERE session_id = ?")
            try runs.bind(1, String(decoding: session, as: UTF8.self))
            return ErasedRows(column: "run", try ids(runs))
        case .tag:
            let tombstones = Tombstones(target)
            let sets = try connection.prepare("SELECT id, tags FROM tag_sets")
            var ids: [Int64] = []
            while try sets.step() {
                if tombstones.has(anyOf: sets.bytes(1)) { ids.append(sets.int(0)) }
            }
            return ErasedRows(column: "tag_set", ids)
        }
    }

    private static func ids(_ rows: SQLiteStatement) throws(SQLiteError) -> [Int64] {
        var ids: [Int64] = []
        while try rows.step() { ids.append(rows.int(0)) }
        return ids
    }

    private init(sql: String, id: Identifier128?) {
        (self.sql, self.id) = (sql, id)
    }

    private init(column: String, _ ids: [Int64]) {
        // As text, since a statement has few parameters.
        self.init(sql: "\(column) IN (\(ids.map(String.init).joined(separator: ", ")))", id: nil)
    }

    /// A statement with the condition behind it.
    func statement(_ head: String, on connection: SQLiteConnection) throws(SQLiteError) -> SQLiteStatement {
        let statement = try connection.prepare("\(head) WHERE \(sql)")
        if let id { try statement.bind(1, id: id) }
        return statement
    }

    func integer(_ head: String, on connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        let statement = try statement(head, on: connection)
        return try statement.step() ? statement.int(0) : 0
    }
}
