package import Archive
package import ClickHouse
package import PlayStore
internal import PlaybackEvents
internal import SQLite

/// A ClickHouse server or cluster as the store that follows the log.
///
/// A chunk is posted, the same bytes again and on another host, until every shard has it; only then the places move, in the
/// ``ClickHouseRecord``. Everything posted replaces itself, so nothing is counted twice.
package final class ClickHouseStore: Store {
    let client: ClickHouseClient
    let record: ClickHouseRecord
    let layout: ClickHouseLayout
    let node: ClickHouseNode
    private let hours: PlayHours
    /// Of the record's file; ClickHouse's tables are for its own servers to watch.
    let watch: DatabaseWatch
    let recordPath: String

    package private(set) var positions: LogPositions
    package private(set) var totals: StoreTotals
    package private(set) var pending: LogPositions?
    private var prepared: PreparedChunk?
    private let memory = PreparedChunk.Memory()
    /// The last day before which all was removed.
    private var prunedDay: Int64?

    /// Opens the record of a data directory. The store itself is asked at the first commit: one that is away for a while keeps
    /// no server from taking plays in.
    ///
    /// The caller holds the ``DataDirectory``.
    ///
    /// - Parameter node: this server's name among those that feed the store, as long as the record has none.
    /// - Throws: ``ClickHouseStoreError`` for a record that is missing or foreign.
    package init(data: DataPaths, client: ClickHouseClient, node: NodeName) throws {
        self.client = client
        record = try ClickHouseRecord.open(data, node: node)
        try record.take(node: node)
        recordPath = data.clickHouseRecord
        watch = DatabaseWatch(path: data.clickHouseRecord, applicationId: ClickHouseRecord.applicationId)
        layout = ClickHouseLayout(client)
        self.node = ClickHouseNode(record.identity.node)
        hours = try PlayHours(record)
        positions = try record.positions()
        totals = try record.totals()
        pending = try record.pending()
    }

    package func gatherer() throws -> GatheredChunk {
        GatheredChunk(after: totals, try record.versions(), node: node)
    }

    package func commit(_ batch: GatheredChunk, upTo positions: LogPositions) throws {
        try layout.attach(record)
        let prepared = try self.prepared ?? prepare(batch, upTo: positions)
        self.prepared = prepared
        for insertion in prepared.insertions {
            try client.insert(
                into: layout.target(insertion.table), insertion.rows, token: insertion.token,
                // A replicated table remembers blocks of which a rebuild has removed the rows.
                leavesOutRepeats: !record.identity.isRebuilt)
        }
        try record.finish(upTo: prepared.end, prepared.totals, prepared.versions)
        self.positions = prepared.end
        totals = prepared.totals
        pending = nil
        self.prepared = nil
    }

    /// Notes what is about to be posted, and makes its bytes.
    private func prepare(_ chunk: GatheredChunk, upTo end: LogPositions) throws -> PreparedChunk {
        // One transaction of the record for all of the chunk's plays: each look would lock the file otherwise.
        let elsewhere = try record.reading { try layout.elsewhere(chunk.rows.map(\.play), of: node, hours) }
        hours.begin(elsewhere: elsewhere)
        var prepared: PreparedChunk?
        try record.begin(upTo: end) {
            prepared = try PreparedChunk(
                chunk, from: positions, to: end, after: totals, node: node, hours: hours,
                directory: record.identity.directory, memory: memory)
        }
        pending = end
        guard let prepared else { preconditionFailure("a transaction that committed ran its body") }
        return prepared
    }

    /// Whole partitions go at once.
    package func pruneSome(before day: Int64) throws -> Int64? {
        if prunedDay == day { return nil }
        try layout.attach(record)
        var pruned = totals
        pruned.prunedBefore = max(totals.prunedBefore ?? .min, day * 24)
        try record.set(pruned)
        totals = pruned
        let removed = try ClickHouseRows(client).removePlays(before: day, for: record)
        try record.forget(before: day * 24)
        prunedDay = day
        return removed
    }

    package func damage() -> String? {
        watch.fault { _ in try ClickHouseRecord(path: recordPath, mode: .readOnly).positions() == positions }
    }

    package var endSoon: @Sendable () -> Void { { [client] in client.end(inSeconds: 4) } }

    package func rest() throws {
        try record.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

extension ClickHouseStore {
    /// Removes somebody's plays from the store, whichever server put them in, and from the record beside the archive.
    ///
    /// What arrived is counted apart from what stands: rows of their own take the erased plays out of that count. Every step may be
    /// done again.
    package func erase(_ erasure: StoreErasure) throws -> Int64 {
        try layout.attach(record)
        var ids: Set<Identifier128> = []
        var arrived = ArrivedPlays()
        try erasure.lines.forEachPlay { play in
            ids.insert(play.id)
            if play.end <= erasure.end { arrived.add(play, since: totals.prunedBefore) }
        }
        let condition = Self.condition(of: erasure.target)
        try client.query(
            "SELECT DISTINCT toString(play_id) FROM \(layout.relation(.plays)) WHERE \(condition)", columns: 1
        ) { row in
            if let id = Identifier128(uuidText: String(decoding: row.text(0), as: UTF8.self)) { ids.insert(id) }
        }
        if erasure.marks == nil { try erasure.note(StoreErasure.Marks(totals)) }
        var removed: Int64 = 0
        let rows = ClickHouseRows(client)
        // A repeat of an erased play may say another session than the first, and would stand in its place.
        let all = ids.sorted()
        for start in stride(from: 0, to: all.count, by: ClickHouseLayout.mostKeys) {
            let list = all[start..<min(start + ClickHouseLayout.mostKeys, all.count)]
            let named = "play_id IN (\(list.map { "'\($0.uuidText)'" }.joined(separator: ", ")))"
            removed += try client.integer("SELECT count() FROM \(layout.relation(.plays)) FINAL WHERE \(named)")
            for table in [ClickHouseTable.plays, .pruned] {
                try rows.delete(from: table, named)
                try rows.checkGone(from: table, named)
            }
        }
        try rows.checkGone(from: .plays, condition)
        try takeOut(arrived, erasure.id)
        try forget(all)
        if try DatabaseScrub(
            record.connection, path: recordPath, erasure.target, plays: Array(all.prefix(DatabaseScrub.mostNames))
        ).run() {
            watch.noteShrinking()
        }
        return removed
    }

    static func condition(of target: ErasureTarget) -> String {
        func literal(_ bytes: [UInt8]) -> String { SQLText.literal(String(decoding: bytes, as: UTF8.self)) }
        switch target {
        case .session(let session): return "session_id = \(literal(session))"
        case .play(let id): return "play_id = '\(id.uuidText)'"
        case .tag(let name, let value):
            return "JSONExtractString(ifNull(tags, ''), \(literal(name))) = \(literal(value))"
        }
    }

    /// How many of somebody's plays were counted as arrived, by the hour of their receipt and their day.
    private struct ArrivedPlays {
        struct Key: Hashable {
            var hour: Int64
            var day: Int64
        }

        private(set) var counts: [Key: Int64] = [:]

        mutating func add(_ play: ErasedLines.ErasedPlay, since prunedBefore: Int64?) {
            let hour = PlayHour(of: play.play.endedAt).number
            // With the plays of old days went what was counted of them.
            guard hour >= prunedBefore ?? .min else { return }
            counts[
                Key(hour: PlayHour(of: play.entry.receivedAt).number, day: PlayHour.day(ofHour: hour)), default: 0] += 1
        }
    }

    /// Takes plays out of what has arrived.
    private func takeOut(_ plays: ArrivedPlays, _ id: String) throws {
        let counts = plays.counts
        if counts.isEmpty { return }
        // No chunk of a log begins there.
        let number = Identifier128(hexadecimalText: id)?.low ?? 0
        let position = LogPosition(segment: -1, offset: Int64(number >> 2))
        var rows: [UInt8] = []
        for (key, count) in counts.sorted(by: { ($0.key.hour, $0.key.day) < ($1.key.hour, $1.key.day) }) {
            rows += ChunkTally.head(hour: key.hour, node, position)
            TSVText.append(key.day, to: &rows)
            rows.append(UInt8(ascii: "\t"))
            TSVText.append(-count, to: &rows)
            rows += Array("\t0\n".utf8)
        }
        try client.insert(
            into: layout.target(.arrivals), RowCompressor().compressed(rows),
            token: "\(record.identity.directory)-erased-\(id)", leavesOutRepeats: !record.identity.isRebuilt)
    }

    private func forget(_ ids: [Identifier128]) throws {
        try record.connection.execute("PRAGMA secure_delete = ON")
        defer { try? record.connection.execute("PRAGMA secure_delete = OFF") }
        try record.connection.transaction {
            for table in ["edge_plays", "receipt_dated_plays"] {
                let delete = try record.connection.prepare("DELETE FROM \(table) WHERE play_id = ?")
                for id in ids {
                    try delete.bind(1, id: id)
                    try delete.run()
                }
            }
        }
    }
}
