import ClickHouse
import StoreTestSupport
import Testing

@testable import PlayStore
@testable import PlayStoreClickHouse

@Suite("The tables of a ClickHouse store")
struct ClickHouseSchemaTests {
    private func script(_ items: String = "", isReplicated: Bool = false) throws -> String {
        ClickHouseSetup.script(try ClickHouseURL("clickhouse://one/qoe\(items)"), isReplicated: isReplicated)
    }

    @Test("lie on each server, by the day of the play, the first of several on top")
    func plain() throws {
        let script = try script()
        #expect(script.contains("ENGINE = ReplacingMergeTree(version)\nPARTITION BY day\nORDER BY (hour, play_id)"))
        #expect(!script.contains("Distributed("))
        #expect(script.contains("FROM qoe.stored_plays FINAL"))
    }

    @Test("have one over all shards each when there is a cluster")
    func cluster() throws {
        let script = try script("?cluster=main-1")
        #expect(
            script.contains(
                "ENGINE = Distributed('main-1', qoe, stored_plays, cityHash64(coalesce(session_id, toString(play_id))))"
            ))
        #expect(script.contains("FROM qoe.cluster_plays FINAL"))
    }

    @Test("keep copies of each other when told so")
    func replicated() throws {
        let script = try script("?cluster=main", isReplicated: true)
        #expect(
            script.contains(
                "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/qoe/stored_plays', '{replica}', version)"))
    }

    @Test("have all columns of the embedded database's views")
    func views() throws {
        let fixture = try StoreFixture()
        let columns = Set(ClickHouseTable.plays.columns.map(\.name))
        for column in try fixture.columns(of: "plays") { #expect(columns.contains(column), "\(column)") }
        let accounts = Set(ClickHouseTable.accounts.columns.map(\.name))
        for column in try fixture.columns(of: "accounts") { #expect(accounts.contains(column), "\(column)") }
    }

    @Test("say what each is for")
    func comments() throws {
        for statement in ClickHouseSchema(try ClickHouseURL("clickhouse://one/qoe"), isReplicated: false)
            .statements(store: "s")
        {
            #expect(!statement.comment.isEmpty)
            #expect(!statement.sql.contains(";"))
        }
    }

    @Test("is not made where a table is there that keeps copies and should not, or should and does not")
    func engines() throws {
        let server = FakeClickHouse()
        let client = ClickHouseClient(try ClickHouseURL("clickhouse://one/qoe"), password: nil, exchange: server)
        for (engine, isReplicated) in [("ReplicatedReplacingMergeTree", false), ("ReplacingMergeTree", true)] {
            server.set(engines: "stored_plays\t\(engine)\n")
            #expect(throws: ClickHouseStoreError.otherEngine("stored_plays", host: "one:8123", engine)) {
                try ClickHouseSetup.create(client, isReplicated: isReplicated)
            }
            #expect(server.statements.allSatisfy { !$0.hasPrefix("CREATE TABLE") })
        }
        try ClickHouseSetup.create(client, isReplicated: false)
    }
}
