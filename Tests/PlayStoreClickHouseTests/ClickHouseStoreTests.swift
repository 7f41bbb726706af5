import Archive
import ClickHouse
import Foundation
import StoreTestSupport
import Testing

@testable import PlayStore
@testable import PlayStoreClickHouse

@Suite("A store on ClickHouse")
struct ClickHouseStoreTests {
    private let fixture: StoreFixture
    private let server = FakeClickHouse()

    init() throws {
        fixture = try StoreFixture()
    }

    /// Fails followers at once instead of after a minute.
    private var impatient: FollowerConfiguration {
        var configuration = FollowerConfiguration()
        configuration.patienceMs = 0
        return configuration
    }

    @Test("gets the same plays as the embedded one, column by column")
    func sameRows() throws {
        try fixture.receive(
            """
            {"context":{"sessionId":"s\\u00e41","cdn":"fastly","cdnRegion":"eu","appVersion":"5","osVersion":"17","tags":{"a":"b"}},
             "events":[
              {"videoId":"v\\"1\\\\2","stalls":1,"stalledMs":900,"watchedMs":20000,"startupMs":412,"avgBitrate":2000000,
               "ageMs":1000,"playId":"\(firstId)","memoryBytes":5,"accessLogStartupMs":700,"attempt":2,"source":"stream",
               "playerStalls":2,"playerStalledMs":1000,
               "error":{"domain":"D","code":-1}},
              {"videoId":"v2","stalls":0,"stalledMs":0,"watchedMs":0,"waitedMs":3,"endedAt":5,"cdnRegion":null},
              {"videoId":"v3","stalls":0,"stalledMs":0,"watchedMs":9,"bytes":77,"network":"wifi","deviceModel":"x","player":"y"}
             ]}
            """)
        try fixture.receive(events: [event(#""ageMs":2500000000"#), event(#""ageMs":86400000"#)], region: "edge")
        try fixture.load()
        try fixture.load(into: server)
        let columns = try fixture.columns(of: "plays")
        let embedded = try fixture.rows("SELECT * FROM plays ORDER BY arrival").map { row in
            Dictionary(uniqueKeysWithValues: zip(columns, row))
        }
        let posted = try server.rows(.plays)
        #expect(embedded.count == 5)
        #expect(posted.count == embedded.count)
        for (one, other) in zip(embedded, posted) {
            for column in columns { #expect(one[column] == other[column], "\(column)") }
        }
    }

    @Test("gets accounts, arrivals and rejections as the embedded one counts them")
    func smallTables() throws {
        try fixture.receive(
            """
            {"sender":{"senderId":"p","sequence":4,"made":9,"dropped":2,"rejected":1},
             "events":[\(event(id: firstId)),{},\(event())]}
            """)
        try fixture.receive(#"{"sender":{"senderId":"p","sequence":5,"made":9,"dropped":2,"rejected":1},"events":[]}"#)
        try fixture.load(into: server)
        let accounts = try server.rows(.accounts)
        #expect(accounts.map { $0["sequence"] } == ["4", "5"])
        #expect(accounts.map { $0["first_arrival"] } == ["1", "3"])
        #expect(accounts.map { $0["last_arrival"] } == ["2", "2"])
        #expect(try server.rows(.arrivals).map { $0["arrivals"] } == ["2"])
        #expect(try server.rows(.rejections).map { [$0["code"], $0["events"]] } == [["missing", "1"]])
    }

    @Test("numbers the plays of every server apart")
    func nodes() throws {
        try fixture.receive(events: [event(id: firstId)])
        try fixture.load(into: server, node: "edge-2")
        let arrival = try #require(try server.rows(.plays)[0]["arrival"].flatMap { Int64($0) })
        #expect(arrival > 1 << 44)
        #expect(arrival % (1 << 44) == 1)
        #expect(try server.rows(.nodes).map { $0["node"] } == ["edge-2"])
    }

    @Test("lets the first of the log stand, whichever is posted last and whatever the server's clock said")
    func versions() throws {
        try fixture.receive(events: [event(id: firstId, #""startupMs":1"#)], at: StoreFixture.halfPastTen + 1)
        try fixture.receive(events: [event(id: firstId, #""startupMs":2"#)], at: StoreFixture.halfPastTen)
        try fixture.receive(events: [event(id: firstId, #""startupMs":3"#)], at: StoreFixture.halfPastTen)
        let totals = try fixture.load(into: server)
        #expect(try standing()?["startup_ms"] == "1")
        #expect(totals.duplicates == 2)
        #expect(totals.conflicts == 2)
    }

    @Test("lets the earlier receipt stand between the logs of two servers")
    func versionsOfTwo() throws {
        let other = try StoreFixture()
        try fixture.receive(events: [event(id: firstId, #""startupMs":1"#)], at: StoreFixture.halfPastTen)
        try other.receive(events: [event(id: firstId, #""startupMs":2"#)], at: StoreFixture.halfPastTen - 1)
        try fixture.load(into: server)
        try other.load(into: server, node: "two")
        #expect(try standing()?["startup_ms"] == "2")
    }

    @Test("goes on with the versions after a restart, and makes those of a chunk once more that was lost")
    func versionsAfterRestart() throws {
        try fixture.receive(events: [event(id: firstId, #""startupMs":1"#)], at: StoreFixture.halfPastTen)
        try fixture.load(into: server)
        // The clock has been set back by an hour.
        try fixture.receive(events: [event(id: firstId, #""startupMs":2"#)], at: StoreFixture.halfPastTen - 3_600_000)
        server.fail { request throws(HTTPExchangeError) in
            guard request.items.contains(where: { $0.value.contains("stored_plays") }) else { return nil }
            throw HTTPExchangeError("the connection broke off")
        }
        let follower = try fixture.follower(into: server, impatient)
        #expect(throws: ClickHouseError.self) { try follower.followToEnd() }
        server.fail(nil)
        try fixture.load(into: server)
        let versions = try server.rows(.plays).map { $0["version"] }
        #expect(versions.count >= 3 && Set(versions.dropFirst()).count == 1)
        #expect(try standing()?["startup_ms"] == "1")
    }

    private func standing() throws -> [String: String]? {
        try server.rows(.plays).max { UInt64($0["version"] ?? "") ?? 0 < UInt64($1["version"] ?? "") ?? 0 }
    }

    @Test("moves its places only when everything is there")
    func positions() throws {
        try fixture.receive(
            """
            {"sender":{"senderId":"p","sequence":1,"made":1,"dropped":0,"rejected":0},"events":[\(event(id: firstId))]}
            """)
        server.fail { request throws(HTTPExchangeError) in
            guard request.items.contains(where: { $0.value.contains("stored_accounts") }) else { return nil }
            throw HTTPExchangeError("the connection broke off")
        }
        let follower = try fixture.follower(into: server, impatient)
        #expect(throws: ClickHouseError.self) { try follower.followToEnd() }
        #expect(try fixture.record().positions() == LogPositions())
        server.fail(nil)
        try follower.followToEnd()
        #expect(try fixture.record().positions().plays > .beginning)
        #expect(try fixture.record().pending() == nil)
    }

    @Test("gets the same bytes again, from the next host, when a response is lost")
    func lostAnswer() throws {
        try fixture.receive(events: [event(id: firstId), event(id: secondId)])
        let follower = try fixture.follower(into: server, hosts: "one,two", impatient)
        server.fail { request throws(HTTPExchangeError) in
            guard request.host.name == "one", request.items.contains(where: { $0.value.contains("stored_plays") })
            else { return nil }
            throw HTTPExchangeError("the connection broke off")
        }
        try follower.followToEnd()
        let posts = server.insertions.filter { $0.table == "stored_plays" }
        #expect(posts.map(\.host) == ["one", "two"])
        #expect(posts[0].bytes == posts[1].bytes)
        #expect(posts[0].token == posts[1].token)
    }

    @Test("gets a chunk again as it was when the process died over it, whatever has come since")
    func crash() throws {
        // Near the end of an hour, so that the hours of repeats are at stake too.
        let late = StoreFixture.halfPastTen + 29 * StoreFixture.minute
        try fixture.receive(events: [event(id: firstId), event(id: secondId), "{}"], at: late)
        server.fail { request throws(HTTPExchangeError) in
            if request.items.contains(where: { $0.value.contains("stored_arrivals") }) {
                throw HTTPExchangeError("no response in 120 seconds")
            }
            return nil
        }
        #expect(throws: ClickHouseError.self) { try fixture.follower(into: server, impatient).followToEnd() }
        let before = server.insertions
        server.fail(nil)
        try fixture.receive(events: [event(id: firstId), event()], at: late + 4 * StoreFixture.minute)
        let totals = try fixture.load(into: server)
        #expect(totals.arrivals == 4)
        let after = server.insertions.dropFirst(before.count)
        for insertion in before where insertion.table != "stored_nodes" { #expect(after.contains(insertion)) }
        let rows = try server.rows(.plays)
        let hours = Set(rows.filter { $0["play_id"] == firstId }.compactMap { $0["hour"] })
        #expect(hours.count == 1)
    }
}
