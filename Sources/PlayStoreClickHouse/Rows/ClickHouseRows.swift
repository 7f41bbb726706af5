internal import ClickHouse
internal import Glibc
internal import PlayStore

/// Removes rows from a store, on every server of the URL.
struct ClickHouseRows {
    private let client: ClickHouseClient
    private let layout: ClickHouseLayout
    private var database: String { client.url.database }

    init(_ client: ClickHouseClient) {
        self.client = client
        layout = ClickHouseLayout(client)
    }

    /// Removes everything that one ingest server has put in.
    func removeAll(of node: String) throws {
        let name = SQLText.literal(node)
        let others = try client.integer(
            "SELECT count() FROM \(layout.relation(.nodes)) FINAL WHERE node <> \(name)")
        if others == 0 {
            try client.onEveryHost("TRUNCATE TABLE \(database).\(ClickHouseTable.plays.rawValue)")
        } else {
            try delete(from: .plays, "node = \(name)")
        }
        for table in ClickHouseTable.allCases where table != .plays && table != .nodes {
            try client.onEveryHost("ALTER TABLE \(database).\(table.rawValue) DROP PARTITION \(name)")
        }
        for table in ClickHouseTable.allCases where table != .nodes { try checkGone(from: table, "node = \(name)") }
        // Its own name last: where something is left, the next try has to know whose.
        try client.onEveryHost("ALTER TABLE \(database).\(ClickHouseTable.nodes.rawValue) DROP PARTITION \(name)")
        try checkGone(from: .nodes, "node = \(name)")
    }

    /// Removes the plays of old days, and what was counted of them. What came on a day that stays has arrived, and is noted
    /// first; until the plays are gone it is there twice, as whoever counts it knows.
    ///
    /// - Parameters:
    ///   - day: the first day to stay, UTC days since 1970.
    ///   - record: of the server that does it.
    /// - Returns: the number of plays removed.
    func removePlays(before day: Int64, for record: ClickHouseRecord) throws -> Int64 {
        // Readers leave out from then on what senders said on those days.
        try client.insert(
            into: layout.target(.prunings), RowCompressor().compressed(Array("\(record.identity.node)\t\(day)\n".utf8)),
            token: "\(record.identity.directory)-pruned-\(day)", leavesOutRepeats: !record.identity.isRebuilt)
        let columns = ClickHouseTable.pruned.columns.map(\.name).joined(separator: ", ")
        let midnight = SQLText.literal(day * PlayHour.length * 24)
        try client.onEveryHost(
            "INSERT INTO \(database).\(ClickHouseTable.pruned.rawValue) (\(columns)) SELECT \(columns) "
                + "FROM \(database).\(ClickHouseTable.plays.rawValue) FINAL "
                + "WHERE day < \(SQLText.literal(day)) AND received_at >= \(midnight)")
        let removed = try client.integer(
            "SELECT count() FROM \(layout.relation(.plays)) FINAL WHERE day < \(SQLText.literal(day))")
        let table = ClickHouseTable.plays.rawValue
        var days: Set<Int64> = []
        try client.onEveryHost(
            query:
                "SELECT DISTINCT partition FROM system.parts WHERE database = '\(database)' AND table = '\(table)' AND active",
            columns: 1
        ) { _, row in
            if let found = row.integer(0), found < day { days.insert(found) }
        }
        for day in days.sorted() { try client.onEveryHost("ALTER TABLE \(database).\(table) DROP PARTITION \(day)") }
        try checkGone(from: .plays, "day < \(SQLText.literal(day))")
        try delete(from: .arrivals, "day < \(SQLText.literal(day))")
        try delete(from: .rejections, "hour < \(SQLText.literal(day * 24))")
        try delete(from: .pruned, "received_at < \(midnight)")
        return removed
    }

    /// Deletes rows, and waits until that is done.
    func delete(from table: ClickHouseTable, _ condition: String) throws {
        try client.onEveryHost("ALTER TABLE \(database).\(table.rawValue) DELETE WHERE \(condition)")
        let query =
            "SELECT count() FROM system.mutations WHERE database = '\(database)' AND table = '\(table.rawValue)' AND is_done = 0"
        var left: Int64 = 1
        while left > 0 {
            left = 0
            try client.onEveryHost(query: query, columns: 1) { _, row in left += row.integer(0) ?? 0 }
            if left > 0 { usleep(100_000) }
        }
    }

    func checkGone(from table: ClickHouseTable, _ condition: String) throws {
        var hosts: [String] = []
        try client.query(
            "SELECT DISTINCT hostName() FROM \(layout.relation(table)) WHERE \(condition)", columns: 1
        ) { hosts.append(String(decoding: $0.text(0), as: UTF8.self)) }
        if !hosts.isEmpty { throw ClickHouseStoreError.rowsLeft(hosts.sorted()) }
    }
}
