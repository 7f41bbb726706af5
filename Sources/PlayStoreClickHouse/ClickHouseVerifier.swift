internal import Archive
internal import ClickHouse
internal import PlayStore
internal import PlaybackEvents
internal import SQLite

/// Holds a ClickHouse store against the logs of a data directory that feeds it.
struct ClickHouseVerifier {
    private let data: DataPaths
    private let client: ClickHouseClient
    private let layout: ClickHouseLayout
    private let record: ClickHouseRecord
    private let hours: PlayHours
    private var result = StoreVerification()
    private let tombstones: Tombstones
    /// Lines of plays that were erased.
    private var erased: Int64 = 0

    init(data: DataPaths, client: ClickHouseClient) throws {
        self.data = data
        self.client = client
        tombstones = try EraseFolder(data).tombstones()
        layout = ClickHouseLayout(client)
        record = try ClickHouseRecord.existing(data)
        // From its first read on, the transaction sees one moment of the record.
        try record.connection.execute("BEGIN")
        hours = try PlayHours(record)
        result.positions = try record.positions()
        result.totals = try record.totals()
    }

    /// - Parameter progress: gets the number of the archive's plays that have been looked up.
    mutating func verify(_ progress: (Int64) -> Void) throws -> StoreVerification {
        let store = try layout.check()
        guard record.identity.store == store || record.identity.store == nil else {
            throw ClickHouseStoreError.otherStore
        }
        if try record.isRebuilding { throw ClickHouseStoreError.unfinishedRebuild }
        try checkPlays(progress)
        try checkSmallTables()
        for log in LogKind.followed where try reader(of: log).next(after: result.positions[log], maxBytes: 1) != nil {
            result.isAtEnd = false
        }
        return result
    }

    /// Looks every play of the archive up.
    private mutating func checkPlays(_ progress: (Int64) -> Void) throws {
        let reader = reader(of: .plays)
        var found = StoreTotals()
        var position = LogPosition.beginning
        var lines = LoggedPlays()
        var keys: [Identifier128: Set<Int64>] = [:]
        var prunedFirsts = PrunedFirsts(before: result.totals.prunedBefore)
        while let chunk = try reader.next(after: position, upTo: result.positions.plays, maxBytes: 1 << 20) {
            position = chunk.end
            lines.removeAll(keepingCapacity: true)
            chunk.forEachLine { _, line in
                if (try? lines.append(line: line)) == nil { found.unloadable += 1 }
            }
            lines.erase(tombstones)
            for entry in lines.entries { try add(entry, to: &keys, &prunedFirsts, &found) }
            if keys.count >= ClickHouseLayout.mostKeys {
                try lookUp(keys)
                keys.removeAll(keepingCapacity: true)
            }
            progress(found.arrivals)
        }
        try lookUp(keys)
        guard try isWhole(.plays) else { return }
        result.compare("plays in the archive", result.totals.arrivals, found.arrivals)
        result.compare("accounts in the archive", result.totals.accounts, found.accounts)
        result.compare("lines of the archive that can't be loaded", result.totals.unloadable, found.unloadable)
    }

    private mutating func add(
        _ entry: LoggedPlays.Entry, to keys: inout [Identifier128: Set<Int64>], _ prunedFirsts: inout PrunedFirsts,
        _ found: inout StoreTotals
    ) throws {
        let play: Play
        switch entry.kind {
        case .play(let value): play = value
        case .account:
            found.accounts += 1
            return
        case .erased(let plays, _):
            found.arrivals += plays
            erased += plays
            return
        }
        let id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
        guard let stored = StoredPlay(play, id: id, arrival: 0) else {
            found.unloadable += 1
            return
        }
        found.arrivals += 1
        let possible = try hours.possible(for: stored)
        // One that may lie in an hour that was pruned need not be there, nor a repeat of such a one.
        let stays = possible.min() ?? .min >= result.totals.prunedBefore ?? .min
        if stays, !prunedFirsts.contains(id) { keys[id, default: []].formUnion(possible) }
        prunedFirsts.note(stored)
    }

    private mutating func lookUp(_ keys: [Identifier128: Set<Int64>]) throws {
        guard !keys.isEmpty else { return }
        let list = keys.flatMap { id, hours in hours.map { "(\($0), '\(id.uuidText)')" } }.joined(separator: ", ")
        let condition = "FROM \(layout.relation(.plays)) WHERE (hour, play_id) IN (\(list))"
        guard try client.integer("SELECT uniqExact(play_id) \(condition)") != Int64(keys.count) else { return }
        var missing = Set(keys.keys.map(\.uuidText))
        try client.query("SELECT DISTINCT toString(play_id) \(condition)", columns: 1) { row in
            missing.remove(String(decoding: row.text(0), as: UTF8.self))
        }
        for (id, hours) in keys where missing.contains(id.uuidText) {
            result.add(.missing(playId: id.uuidText, hour: hours.min() ?? 0))
        }
    }

    private mutating func checkSmallTables() throws {
        let node = ClickHouseNode(record.identity.node)
        let mine = "FINAL WHERE node = \(SQLText.literal(node.name))"
        let end = SQLText.literal(node.arrival(result.totals.arrivals))
        // What is being posted may be there already.
        if try ClickHouseRecord.existing(data).isUnchanged(since: result.positions) {
            let beyond = try client.integer(
                "SELECT count() FROM \(layout.relation(.plays)) \(mine) AND arrival > \(end)")
            result.compare("plays of this server beyond those that the record knows of", 0, beyond)
        }
        if result.totals.prunedBefore == nil {
            // Of this server's plays those that stand; the others were sent before, to this one or to another.
            let standing = try client.integer(
                "SELECT count() FROM \(layout.relation(.plays)) \(mine) AND arrival <= \(end)")
            result.totals.loaded = standing
            result.totals.duplicates = result.totals.arrivals - standing - erased
        }
        result.compare(
            "senders' accounts", result.totals.accounts,
            try client.integer(
                "SELECT count() FROM \(layout.relation(.accounts)) \(mine) AND account <= "
                    + SQLText.literal(node.arrival(result.totals.accounts))))
        guard result.totals.prunedBefore == nil, try isWhole(.rejected) else { return }
        try checkChunks(
            "plays by hour of receipt", .arrivals, "arrivals", mine, result.positions.plays,
            result.totals.arrivals - erased)
        try checkChunks("rejected events", .rejections, "events", mine, result.positions.rejected, try rejected())
    }

    private mutating func checkChunks(
        _ what: String, _ table: ClickHouseTable, _ column: String, _ mine: String, _ position: LogPosition,
        _ expected: Int64
    ) throws {
        let sum = try client.integer(
            "SELECT sum(\(column)) FROM \(layout.relation(table)) \(mine) AND (segment < \(position.segment)"
                + " OR segment = \(position.segment) AND offset < \(position.offset))")
        result.compare(what, expected, sum)
    }

    private func rejected() throws -> Int64 {
        let reader = reader(of: .rejected)
        var position = LogPosition.beginning
        var tally = RejectionTally()
        while let chunk = try reader.next(after: position, upTo: result.positions.rejected, maxBytes: 1 << 20) {
            position = chunk.end
            tally.add(quarantine: chunk)
        }
        return tally.events.values.reduce(0, +)
    }

    /// No file of a log has gone, pruned or lost.
    private func isWhole(_ log: LogKind) throws -> Bool {
        try Inventory(data).isWhole(log)
    }

    private func reader(of log: LogKind) -> LogReader {
        LogReader(directory: data.log(log), log: log)
    }
}
