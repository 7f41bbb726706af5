internal import Archive
internal import ClickHouse
internal import PlayStore
internal import PlaybackEvents

/// The tables of a store as they were found: asked for once, before the first use.
final class ClickHouseLayout {
    let client: ClickHouseClient
    let schema: ClickHouseSchema
    private(set) var isAttached = false

    init(_ client: ClickHouseClient) {
        self.client = client
        schema = ClickHouseSchema(client.url, isReplicated: false)
    }

    /// `database.table (column, …)` to insert into.
    func target(_ table: ClickHouseTable) -> String {
        "\(schema.relation(table)) (\(table.columns.map(\.name).joined(separator: ", ")))"
    }

    /// `database.table` to read from.
    func relation(_ table: ClickHouseTable) -> String { schema.relation(table) }

    /// Checks that the tables are this program's, made for the cluster that the URL names.
    ///
    /// - Returns: the name of the store.
    @discardableResult
    func check() throws -> String {
        var found: (version: Int64, store: String, cluster: String)?
        try client.query(
            "SELECT version, store, cluster FROM \(client.url.database).layout ORDER BY version DESC LIMIT 1",
            columns: 3
        ) { row in
            found = (
                row.integer(0) ?? 0, String(decoding: row.text(1), as: UTF8.self),
                String(decoding: row.text(2), as: UTF8.self)
            )
        }
        guard let found else { throw ClickHouseStoreError.noLayout(database: client.url.database) }
        guard found.version == ClickHouseSchema.version else {
            throw ClickHouseStoreError.otherLayout(found: found.version)
        }
        let cluster = client.url.cluster ?? ""
        guard found.cluster == cluster else {
            throw ClickHouseStoreError.otherCluster(made: found.cluster, named: cluster)
        }
        return found.store
    }

    /// Makes sure that a record is about this store, and that no other data directory feeds it under the same name.
    func attach(_ record: ClickHouseRecord) throws {
        guard !isAttached else { return }
        if try record.isRebuilding { throw ClickHouseStoreError.unfinishedRebuild }
        let store = try check()
        if let known = record.identity.store, known != store {
            throw ClickHouseStoreError.otherStore
        }
        try register(record)
        try checkNewest(record)
        if record.identity.store == nil { try record.set(store: store) }
        isAttached = true
    }

    /// Enters the server into the list of those that feed the store.
    private func register(_ record: ClickHouseRecord) throws {
        guard try !isRegistered(record) else { return }
        let node = ClickHouseNode(record.identity.node)
        let row = Array("\(node.name)\t\(node.number)\t\(record.identity.directory)\n".utf8)
        try client.insert(
            into: target(.nodes), RowCompressor().compressed(row), token: "node-\(record.identity.directory)",
            leavesOutRepeats: !record.identity.isRebuilt)
        // Another one may have come in at the same moment, and a copy may not have the row yet.
        guard try isRegistered(record) else {
            throw ClickHouseError("ClickHouse does not show the row of \(node.name) yet", isTransient: true)
        }
    }

    private func isRegistered(_ record: ClickHouseRecord) throws -> Bool {
        let node = ClickHouseNode(record.identity.node)
        var isKnown = false
        for (other, directory) in try nodes() {
            if other.name == node.name {
                guard directory == record.identity.directory else { throw ClickHouseStoreError.nodeTaken(node.name) }
                isKnown = true
            } else if other.number == node.number {
                throw ClickHouseStoreError.nodeNumberTaken(node.name, other: other.name)
            }
        }
        return isKnown
    }

    /// The servers that feed the store, and their data directories.
    func nodes() throws -> [(node: ClickHouseNode, directory: String)] {
        var nodes: [(ClickHouseNode, String)] = []
        try client.query("SELECT node, directory FROM \(relation(.nodes)) FINAL", columns: 2) { row in
            let texts = [0, 1].map { String(decoding: row.text($0), as: UTF8.self) }
            nodes.append((ClickHouseNode(texts[0]), texts[1]))
        }
        return nodes
    }

    /// Makes sure that the store has nothing of this server's logs beyond what the record knows of.
    private func checkNewest(_ record: ClickHouseRecord) throws {
        let positions = try record.positions()
        let node = SQLText.literal(record.identity.node)
        for (table, position) in [(ClickHouseTable.arrivals, positions.plays), (.rejections, positions.rejected)] {
            let beyond = try client.integer(
                """
                SELECT count() FROM \(relation(table))
                WHERE node = \(node) AND (segment > \(position.segment) OR segment = \(position.segment) AND offset > \(position.offset))
                """)
            if beyond > 0 { throw ClickHouseStoreError.oldRecord }
        }
    }

    /// Whether other servers feed the store.
    private func hasOthers(than node: ClickHouseNode) throws -> Bool {
        try client.integer(
            "SELECT count() FROM \(relation(.nodes)) FINAL WHERE node <> \(SQLText.literal(node.name))") > 0
    }

    /// Which of some plays the store has at another hour than their own.
    func elsewhere(
        _ plays: [StoredPlay], of node: ClickHouseNode, _ hours: PlayHours
    ) throws -> [Identifier128: Int64] {
        var asked: [String: (id: Identifier128, hour: Int64)] = [:]
        let isAmongOthers = try !plays.isEmpty && hasOthers(than: node)
        for play in plays {
            for hour in try hours.candidates(of: play, isAmongOthers: isAmongOthers) {
                asked["\(hour) \(play.id.uuidText)"] = (play.id, hour)
            }
        }
        var found: [Identifier128: Int64] = [:]
        let keys = asked.values.sorted { ($0.hour, $0.id) < ($1.hour, $1.id) }
        for start in stride(from: 0, to: keys.count, by: Self.mostKeys) {
            let batch = keys[start..<min(start + Self.mostKeys, keys.count)]
            let list = batch.map { "(\($0.hour), '\($0.id.uuidText)')" }.joined(separator: ", ")
            try client.query(
                "SELECT DISTINCT hour, toString(play_id) FROM \(relation(.plays)) WHERE (hour, play_id) IN (\(list))",
                columns: 2
            ) { row in
                let key = "\(row.integer(0) ?? 0) \(String(decoding: row.text(1), as: UTF8.self))"
                if let play = asked[key] { found[play.id] = min(found[play.id] ?? .max, play.hour) }
            }
        }
        return found
    }

    /// Keys that one query asks for.
    static let mostKeys = 10_000
}

/// An ingest server among those that feed one store.
struct ClickHouseNode: Equatable {
    /// Letters, digits, `-` and `_`.
    let name: String
    /// Its number, 0 to 2¹⁷, which follows from the name; 0 for a server that was given none.
    let number: Int64

    private static let shift: Int64 = 44

    init(_ name: String) {
        self.name = name
        guard name != "main" else {
            number = 0
            return
        }
        // FNV-1a (Fowler, Noll, Vo).
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        number = Int64((hash ^ hash >> 32) % (1 << 17)) + 1
    }

    /// A number of this server's log as one of the whole store: those of different servers never meet.
    func arrival(_ number: Int64) -> Int64 { self.number << Self.shift + number }
}
