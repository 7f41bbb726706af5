package import ClickHouse
internal import PlayStore

/// The tables and views of a ClickHouse store.
package struct ClickHouseSchema: Sendable {
    /// Raised with every change of a table.
    static let version: Int64 = 5

    /// A statement, and what it is for.
    package struct Statement: Sendable, Equatable {
        package var comment: [String]
        package var sql: String
    }

    let database: String
    let cluster: String?
    let isReplicated: Bool

    /// - Parameter isReplicated: tables keep copies of each other through ZooKeeper or Keeper.
    package init(_ url: ClickHouseURL, isReplicated: Bool) {
        database = url.database
        cluster = url.cluster
        self.isReplicated = isReplicated
    }

    /// Everything, in the order in which it is to be run on each server; run again it changes nothing.
    ///
    /// - Parameter store: names the store for ever, so that no data directory takes it for another one.
    package func statements(store: String) -> [Statement] {
        var statements = [
            Statement(comment: ["Everything is in this database."], sql: "CREATE DATABASE IF NOT EXISTS \(database)")
        ]
        for table in ClickHouseTable.allCases {
            statements.append(creation(of: table))
            if cluster != nil { statements.append(distribution(of: table)) }
        }
        return statements + views + [layoutCreation, layoutRow(store: store)]
    }

    // MARK: Tables

    private func creation(of table: ClickHouseTable) -> Statement {
        let width = table.columns.map(\.name.count).max() ?? 0
        let columns = table.columns.map { column in
            "    \(column.name)\(String(repeating: " ", count: width - column.name.count)) \(column.type)"
        }
        let meanings = table.columns.map { "  \($0.name): \($0.meaning)" }
        return Statement(
            comment: [table.meaning] + meanings,
            sql: """
                CREATE TABLE IF NOT EXISTS \(database).\(table.rawValue) (
                \(columns.joined(separator: ",\n"))
                )
                ENGINE = \(engine(of: table))
                PARTITION BY \(table.partition)
                ORDER BY \(table.key)
                """)
    }

    private func engine(of table: ClickHouseTable) -> String {
        let version = table.version.map { [$0] } ?? []
        guard isReplicated else { return "ReplacingMergeTree(\(version.joined()))" }
        let path = "'/clickhouse/tables/{shard}/\(database)/\(table.rawValue)'"
        return "ReplicatedReplacingMergeTree(\(([path, "'{replica}'"] + version).joined(separator: ", ")))"
    }

    private func distribution(of table: ClickHouseTable) -> Statement {
        Statement(
            comment: ["The same over all shards: a row lies on the shard that its key names, with all its repeats."],
            sql: """
                CREATE TABLE IF NOT EXISTS \(database).\(table.distributed) AS \(database).\(table.rawValue)
                ENGINE = Distributed('\(cluster ?? "")', \(database), \(table.rawValue), \(table.shardingKey))
                """)
    }

    // MARK: Views

    func relation(_ table: ClickHouseTable) -> String { "\(database).\(table.name(cluster: cluster))" }

    private var views: [Statement] {
        let plays = ClickHouseTable.plays.columns.map(\.name)
            .filter { !ClickHouseTable.playHousekeeping.contains($0) || $0 == "node" }
            .map { $0 == "play_id" ? "toString(play_id) AS play_id" : $0 }
        let accounts = ClickHouseTable.accounts.columns.map(\.name)
        return [
            view(
                "plays", "Accepted plays, each once: what people and the queries of Queries/ read.",
                "SELECT\n    \(plays.joined(separator: ", "))\nFROM \(relation(.plays)) FINAL"),
            view(
                "accounts", "The senders' accounts.",
                "SELECT \(accounts.joined(separator: ", ")) FROM \(relation(.accounts)) FINAL"),
            view(
                "rejections", "Rejected events by hour of receipt and code.",
                "SELECT hour, code, sum(events) AS events FROM \(relation(.rejections)) FINAL GROUP BY hour, code"),
            view(
                "hours", "Plays by their own hour.",
                """
                SELECT hour, toInt64(count()) AS plays, max(arrival) AS last_arrival, max(received_at) AS last_received_at
                FROM \(relation(.plays)) FINAL
                GROUP BY hour
                """),
            view("repeats", "Repeats by hour of receipt: what arrived in it, less what of that stands.", repeats()),
        ]
    }

    /// - Parameter days: the UTC days since 1970 of the stored plays that are looked at; nil: all. What arrived may be repeats
    ///   of older ones.
    func repeats(in days: ClosedRange<Int64>? = nil) -> String {
        let condition = days.map { " WHERE day >= \($0.lowerBound) AND day <= \($0.upperBound)" } ?? ""
        return """
            SELECT hour, sum(difference) AS duplicates, sum(differing) AS conflicts
            FROM (
                SELECT hour, arrivals AS difference, conflicts AS differing FROM \(relation(.arrivals)) FINAL
                UNION ALL
                SELECT toInt32(intDiv(received_at, 3600000)) AS hour, toInt64(-1) AS difference, toInt64(0) AS differing
                FROM \(relation(.plays)) FINAL\(condition)
            )
            GROUP BY hour
            """
    }

    private func view(_ name: String, _ comment: String, _ select: String) -> Statement {
        Statement(comment: [comment], sql: "CREATE VIEW IF NOT EXISTS \(database).\(name) AS\n\(select)")
    }

    // MARK: Layout

    private var layoutCreation: Statement {
        Statement(
            comment: ["Which layout this is, and which store: the program asks before it reads or writes."],
            sql: """
                CREATE TABLE IF NOT EXISTS \(database).layout (version Int64, store String, cluster String)
                ENGINE = ReplacingMergeTree() ORDER BY version
                """)
    }

    private func layoutRow(store: String) -> Statement {
        Statement(
            comment: ["The row that says so, once."],
            sql: """
                INSERT INTO \(database).layout
                SELECT \(Self.version), '\(store)', '\(cluster ?? "")'
                WHERE (SELECT count() FROM \(database).layout) = 0
                """)
    }
}
