package import ClickHouse
internal import PlayStore
internal import PlaybackEvents

/// Makes the tables of a ClickHouse store.
package enum ClickHouseSetup {
    /// Makes what is missing on every host of the URL; what is there stays as it is.
    ///
    /// - Throws: ``ClickHouseError``, and ``ClickHouseStoreError`` when the tables that are there are others.
    package static func create(_ client: ClickHouseClient, isReplicated: Bool) throws {
        // Before anything is made: what was made wrongly could not be made rightly any more.
        try checkEngines(client, isReplicated: isReplicated)
        let store = try existing(client) ?? random()
        for statement in ClickHouseSchema(client.url, isReplicated: isReplicated).statements(store: store) {
            try client.onEveryHost(statement.sql)
        }
        try ClickHouseLayout(client).check()
        // A shard without the tables says so here, not at the first play.
        for table in ClickHouseTable.allCases {
            _ = try client.integer("SELECT count() FROM \(ClickHouseLayout(client).relation(table))")
        }
    }

    /// What was there before is not made again: of two copies of which one is not replicated, each has half of the rows.
    private static func checkEngines(_ client: ClickHouseClient, isReplicated: Bool) throws {
        let tables = ClickHouseTable.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        try client.onEveryHost(
            query: """
                SELECT name, engine FROM system.tables
                WHERE database = '\(client.url.database)' AND name IN (\(tables))
                """, columns: 2
        ) { host, row in
            let (table, engine) = (
                String(decoding: row.text(0), as: UTF8.self), String(decoding: row.text(1), as: UTF8.self)
            )
            guard engine.hasPrefix("Replicated") == isReplicated else {
                throw ClickHouseStoreError.otherEngine(table, host: "\(host)", engine)
            }
        }
    }

    /// The name of the store, where a host has it already.
    private static func existing(_ client: ClickHouseClient) throws -> String? {
        var store: String?
        let database = client.url.database
        var hosts: Set<ClickHouseURL.Host> = []
        try client.onEveryHost(
            query: "SELECT name FROM system.tables WHERE database = '\(database)' AND name = 'layout'", columns: 1
        ) { host, _ in hosts.insert(host) }
        guard !hosts.isEmpty else { return nil }
        try client.onEveryHost(query: "SELECT store FROM \(database).layout", columns: 1, only: hosts) { _, row in
            store = String(decoding: row.text(0), as: UTF8.self)
        }
        return store
    }

    private static func random() -> String {
        Identifier128(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)).hexadecimalText
    }

    /// What ``create(_:isReplicated:)`` runs, to be read or run by hand.
    package static func script(_ url: ClickHouseURL, isReplicated: Bool) -> String {
        ClickHouseSchema(url, isReplicated: isReplicated).statements(store: random()).map { statement in
            statement.comment.map { "-- \($0)\n" }.joined() + statement.sql + ";\n"
        }.joined(separator: "\n")
    }
}
