import Archive
import ClickHouse
import Foundation
import StoreTestSupport
import Testing

@testable import PlayStore
@testable import PlayStoreClickHouse

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
    private func rebuild(node: String? = nil) throws -> StoreTotals {
        let client = ClickHouseClient(try ClickHouseURL("clickhouse://one/qoe"), password: nil, exchange: server)
        var configuration = FollowerConfiguration()
        configuration.patienceMs = 0
        return try ClickHouseChoice(client).rebuild(
            fixture.data, node: node.flatMap { NodeName($0) }, takesOver: node != nil, follower: configuration
        ) { _ in }
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
        server.fail { request throws(HTTPExchangeError) in
            if String(decoding: request.body, as: UTF8.self).hasPrefix("ALTER") { throw HTTPExchangeError("reset") }
            return nil
        }
        #expect(throws: ClickHouseError.self) { try rebuild() }
        server.fail(nil)
        #expect(throws: ClickHouseStoreError.unfinishedRebuild) { try fixture.load(into: server) }
        #expect(try rebuild().loaded == 2)
        #expect(try fixture.load(into: server).loaded == 2)
    }

    private func register(_ node: String, _ directory: String) {
        server.set(nodes: "\(node)\t\(directory)\n")
    }

    private var emptied: [String] {
        server.statements.filter { $0.hasPrefix("ALTER TABLE qoe.stored_arrivals") }
    }

    @Test("takes another name when it is told one, and leaves no rows under the old one")
    func rename() throws {
        register("main", try fixture.record().identity.directory)
        try rebuild(node: "two")
        #expect(try fixture.record().identity.node == "two")
        #expect(emptied.map { $0.suffix(6) } == ["'main'", " 'two'"])
    }

    @Test("may be run again, also under the same name", arguments: [nil, "main"])
    func again(_ node: String?) throws {
        try rebuild()
        #expect(try rebuild(node: node).loaded == 2)
        #expect(try fixture.record().identity.node == "main")
    }

    @Test("that was broken off lets nobody take another's name by a slip")
    func slip() throws {
        server.set(nodes: "main\t\(try fixture.record().identity.directory)\nother\t0123\n")
        server.fail { request throws(HTTPExchangeError) in
            guard request.items.contains(where: { $0.value.contains("stored_plays") }) else { return nil }
            throw HTTPExchangeError("reset")
        }
        #expect(throws: ClickHouseError.self) { try rebuild() }
        server.fail(nil)
        #expect(throws: ClickHouseStoreError.nodeTaken("other")) { try rebuild(node: "other") }
    }

    @Test("leaves its name until all of its rows are gone, so that the next try knows whose they are")
    func rowsLeft() throws {
        let directory = try fixture.record().identity.directory
        server.fail { request throws(HTTPExchangeError) in
            let query = String(decoding: request.body, as: UTF8.self)
            guard query.hasPrefix("SELECT DISTINCT hostName()"), query.contains("stored_accounts") else { return nil }
            return HTTPExchangeResponse(status: 200, body: Data("three\n".utf8))
        }
        #expect(throws: ClickHouseStoreError.rowsLeft(["three"])) { try rebuild(node: "two") }
        server.fail(nil)
        #expect(server.nodes == "main\t\(directory)\n")
        try rebuild(node: "two")
        #expect(server.nodes == "two\t\(directory)\n")
    }

    @Test("removes nothing of another data directory that has its name", arguments: [nil, "main", "other"])
    func taken(_ node: String?) throws {
        register(node ?? "main", "0123")
        #expect(throws: ClickHouseStoreError.nodeTaken(node ?? "main")) { try rebuild(node: node) }
        #expect(emptied.isEmpty)
        #expect(try fixture.record().identity.node == "main")
    }

    @Test("and a prune touch no store that the data directory does not feed")
    func prune() throws {
        let other = FakeClickHouse(layout: "5\tstore-2\t\n")
        for directory in [fixture, try StoreFixture()] {
            let client = ClickHouseClient(try ClickHouseURL("clickhouse://one/qoe"), password: nil, exchange: other)
            #expect(throws: ClickHouseStoreError.self) {
                try ClickHousePruner.run(directory.data, client, before: 30_000)
            }
        }
        #expect(other.statements.isEmpty)
        #expect(try fixture.record().totals().prunedBefore == nil)
    }

    @Test("takes the place of a lost data directory when it is told its name and has fed no store yet")
    func takeOver() throws {
        DatabaseFile(fixture.data.clickHouseRecord).remove()
        register("main", "0123")
        #expect(throws: ClickHouseStoreError.nodeTaken("main")) { try rebuild() }
        server.fail { request throws(HTTPExchangeError) in
            if String(decoding: request.body, as: UTF8.self).hasPrefix("ALTER") { throw HTTPExchangeError("reset") }
            return nil
        }
        #expect(throws: ClickHouseError.self) { try rebuild(node: "main") }
        server.fail(nil)
        // The other's name still stands there, but what has begun goes on.
        #expect(try rebuild().loaded == 2)
    }
}
