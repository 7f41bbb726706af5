internal import Archive
internal import ClickHouse
package import PlayStore
internal import PlaybackEvents
internal import SQLite

extension ClickHouseStore {
    /// Removes somebody's plays from the store, whichever server put them in, and from the record beside the archive.
    ///
    /// What arrived is counted apart from what stands: rows of their own take the erased plays out of that count. Every step may be
    /// done again.
    package func erase(_ erasure: StoreErasure) throws -> Int64 {
        try layout.attach(record)
        let plays = try erasure.lines.plays()
        var ids = Set(plays.map(\.id))
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
            try rows.delete(from: .plays, named)
            try rows.checkGone(from: .plays, named)
        }
        try rows.checkGone(from: .plays, condition)
        try takeOut(plays.filter { $0.end <= erasure.end }.map { ($0.entry.receivedAt, $0.play.endedAt) }, erasure.id)
        try forget(all)
        if try DatabaseScrub(record.connection, path: recordPath, erasure.target, plays: all).run() {
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

    /// Takes plays out of what has arrived.
    private func takeOut(_ plays: [(receivedAt: Int64, endedAt: Int64)], _ id: String) throws {
        struct Key: Hashable {
            var hour: Int64
            var day: Int64
        }
        var counts: [Key: Int64] = [:]
        for play in plays {
            let hour = PlayHour(of: play.endedAt).number
            // With the plays of old days went what was counted of them.
            guard hour >= totals.prunedBefore ?? .min else { continue }
            counts[Key(hour: PlayHour(of: play.receivedAt).number, day: PlayHour.day(ofHour: hour)), default: 0] += 1
        }
        if counts.isEmpty { return }
        // No chunk of a log begins there.
        let number = Identifier128(hexadecimalText: id)?.low ?? 0
        let place = LogPlace(segment: -1, offset: Int64(number >> 2))
        var rows: [UInt8] = []
        for (key, count) in counts.sorted(by: { ($0.key.hour, $0.key.day) < ($1.key.hour, $1.key.day) }) {
            rows += ChunkTally.head(hour: key.hour, node, place)
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
