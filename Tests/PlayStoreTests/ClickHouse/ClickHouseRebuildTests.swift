import Archive
import ClickHouse
import Testing

@testable import PlayStore

@Suite("A rebuild on ClickHouse")
struct ClickHouseRebuildTests {
    private let fixture: StoreFixture
    private let server = FakeClickHouse()

    init() throws {
        fixture = try StoreFixture()
        try fixture.receive(events: [event(id: firstId), event()])
        try fixture.load(into: server)
    }

    @discardableResult
    private func rebuild(node: String = "main") throws -> StoreTotals {
        let client = ClickHouseClient(try ClickHouseURL("clickhouse://one/qoe"), password: nil, exchange: server)
        var configuration = FollowerConfiguration()
        configuration.patienceMs = 0
        return try StoreChoice.clickHouse(client).rebuild(
            fixture.data, node: NodeName(node) ?? .standard, follower: configuration)
    }

    @Test("removes this server's rows and loads everything again, under the name that it had")
    func whole() throws {
        let before = try server.rows(.plays)
        #expect(try rebuild().loaded == 2)
        #expect(server.statements.contains { $0.hasPrefix("TRUNCATE TABLE qoe.stored_plays") })
        #expect(server.statements.contains("ALTER TABLE qoe.stored_arrivals DROP PARTITION 'main'"))
        #expect(try server.rows(.plays) == before + before)
    }

    @Test("deletes no more than its own rows where other servers feed the store")
    func others() throws {
        server.set(counts: ["node <> 'main'": 1])
        try rebuild()
        #expect(server.statements.contains("ALTER TABLE qoe.stored_plays DELETE WHERE node = 'main'"))
        #expect(!server.statements.contains { $0.hasPrefix("TRUNCATE") })
    }

    @Test("that is broken off while it removes rows lets nothing be loaded before it is run again")
    func brokenOff() throws {
        server.fail { request throws(HTTPExchangeFault) in
            if String(decoding: request.body, as: UTF8.self).hasPrefix("ALTER") { throw HTTPExchangeFault("reset") }
            return nil
        }
        #expect(throws: ClickHouseError.self) { try rebuild() }
        server.fail(nil)
        #expect(throws: ClickHouseFault.unfinishedRebuild) { try fixture.load(into: server) }
        #expect(try rebuild().loaded == 2)
        #expect(try fixture.load(into: server).loaded == 2)
    }

    @Test("takes another name when it is told one")
    func rename() throws {
        try rebuild(node: "two")
        #expect(try fixture.record().identity.node == "two")
    }
}
