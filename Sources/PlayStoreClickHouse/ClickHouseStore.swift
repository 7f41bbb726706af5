package import Archive
package import ClickHouse
package import PlayStore
package import PlaybackEvents
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

    // Touched by commits.
    package private(set) var places: LogPlaces
    package private(set) var totals: StoreTotals
    package private(set) var pending: LogPlaces?
    private var sealed: GatheredChunk
    private var prepared: PreparedChunk?
    private let memory = PreparedChunk.Memory()
    /// The last day before which all was removed.
    private var prunedDay: Int64?

    // Touched by gathering.
    private var chunk: GatheredChunk

    /// Opens the record of a data directory. The store itself is asked at the first commit: one that is away for a while keeps
    /// no server from taking plays in.
    ///
    /// The caller holds the ``DataDirectory``.
    ///
    /// - Parameter node: this server's name among those that feed the store, as long as the record has none.
    /// - Throws: ``ClickHouseFault`` for a record that is missing or foreign.
    package init(data: DataPaths, client: ClickHouseClient, node: NodeName) throws {
        self.client = client
        record = try ClickHouseRecord.open(data, node: node)
        try record.take(node: node)
        recordPath = data.clickHouseRecord
        watch = DatabaseWatch(path: data.clickHouseRecord, applicationId: ClickHouseRecord.applicationId)
        layout = ClickHouseLayout(client)
        self.node = ClickHouseNode(record.identity.node)
        hours = try PlayHours(record)
        places = try record.places()
        totals = try record.totals()
        pending = try record.pending()
        let versions = try record.versions()
        sealed = GatheredChunk(after: totals, versions, node: self.node)
        chunk = GatheredChunk(after: totals, versions, node: self.node)
    }

    package var gathered: Int { chunk.count }

    package func gather(_ lines: borrowing LoggedPlays, unloadable: Int) -> [Int] {
        chunk.add(lines, unreadable: unloadable)
    }

    package func gather(_ rejections: RejectionTally) {
        chunk.add(rejections)
    }

    package func seal() {
        swap(&chunk, &sealed)
        chunk.empty(after: sealed.end, sealed.versions)
    }

    package func commit(upTo places: LogPlaces) throws {
        try layout.attach(record)
        let prepared = try self.prepared ?? prepare(upTo: places)
        self.prepared = prepared
        for insertion in prepared.insertions {
            try client.insert(
                into: layout.target(insertion.table), insertion.rows, token: insertion.token,
                // A replicated table remembers blocks of which a rebuild has removed the rows.
                leavesOutRepeats: !record.identity.isRebuilt)
        }
        try record.finish(upTo: prepared.end, prepared.totals, prepared.versions)
        self.places = prepared.end
        totals = prepared.totals
        pending = nil
        self.prepared = nil
        sealed.empty(after: totals, prepared.versions)
    }

    /// Notes what is about to be posted, and makes its bytes.
    private func prepare(upTo end: LogPlaces) throws -> PreparedChunk {
        // One transaction of the record for all of the chunk's plays: each look would lock the file otherwise.
        let elsewhere = try record.reading { try layout.elsewhere(sealed.rows.map(\.play), of: node, hours) }
        hours.begin(elsewhere: elsewhere)
        var prepared: PreparedChunk?
        try record.begin(upTo: end) {
            prepared = try PreparedChunk(
                sealed, from: places, to: end, after: totals, node: node, hours: hours,
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
        let removed = try ClickHouseRows(client).removePlays(before: day)
        try record.forget(before: day * 24)
        prunedDay = day
        return removed
    }

    package func damage() -> String? {
        watch.fault { _ in try ClickHouseRecord(path: recordPath, mode: .readOnly).places() == places }
    }

    package func endSoon() {
        client.end(inSeconds: 4)
    }

    package func rest() throws {
        try record.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
