import ClickHouse
import StoreTestSupport
import Testing

@testable import PlayStore
@testable import PlayStoreClickHouse

@Suite("A repeat on ClickHouse keeps the hour of the first")
struct PlayHoursTests {
    private let fixture: StoreFixture
    private let server = FakeClickHouse()
    private let eleven = StoreFixture.halfPastTen + 30 * StoreFixture.minute

    init() throws {
        fixture = try StoreFixture()
    }

    /// The hours of all rows posted.
    private func hours() throws -> [Int64] {
        try server.rows(.plays).compactMap { $0["hour"].flatMap { Int64($0) } }
    }

    private func age(_ ms: Int64) -> String { #""ageMs":\#(ms)"# }

    @Test("when it lands on the other side of the hour", arguments: [1, -1])
    func overTheHour(direction: Int64) throws {
        try fixture.receive(events: [event(id: firstId, age(0))], at: eleven - direction * StoreFixture.minute)
        try fixture.load(into: server)
        try fixture.receive(events: [event(id: firstId, age(0))], at: eleven + direction * StoreFixture.minute)
        try fixture.load(into: server)
        #expect(Set(try hours()).count == 1)
    }

    @Test("when midnight lies between, and the row's day follows")
    func overMidnight() throws {
        let midnight = StoreFixture.halfPastTen + 13 * StoreFixture.hour + 30 * StoreFixture.minute
        try fixture.receive(events: [event(id: firstId, age(0))], at: midnight - 1)
        try fixture.load(into: server)
        try fixture.receive(events: [event(id: firstId, age(0))], at: midnight + 1)
        try fixture.load(into: server)
        let rows = try server.rows(.plays)
        #expect(Set(rows.map { $0["day"] }) == ["20786"])
    }

    @Test("when nothing but the receipt dates it, hours later")
    func receiptDated() throws {
        for hour in [0, 5, 30] as [Int64] {
            try fixture.receive(events: [event(id: firstId)], at: eleven + hour * StoreFixture.hour)
            try fixture.load(into: server)
        }
        #expect(Set(try hours()).count == 1)
    }

    @Test("when its clock is not believed any more: the store is asked for the hour that the clock names")
    func unbelieved() throws {
        let clock = #""endedAt":\#(eleven - 20 * StoreFixture.minute)"#
        try fixture.receive(events: [event(id: firstId, clock)], at: eleven)
        try fixture.load(into: server)
        let hour = try hours()[0]
        server.set(elsewhere: "\(hour)\t\(firstId)\n")
        try fixture.receive(events: [event(id: firstId, clock)], at: eleven + 40 * 24 * StoreFixture.hour)
        try fixture.load(into: server)
        #expect(try hours() == [hour, hour])
        #expect(server.queries.contains { $0.contains("(\(hour), '\(firstId)')") })
    }

    @Test("when another server has dated it to the other side of the hour, and after a crash too")
    func otherServer() throws {
        let hour = eleven / StoreFixture.hour
        server.set(counts: ["stored_nodes": 1])
        server.set(elsewhere: "\(hour - 1)\t\(firstId)\n")
        try fixture.receive(events: [event(id: firstId, age(0)), event(id: secondId, age(0))], at: eleven + 1)
        server.fail { request throws(HTTPExchangeError) in
            if request.items.contains(where: { $0.value.contains("stored_arrivals") }) {
                throw HTTPExchangeError("reset")
            }
            return nil
        }
        var configuration = FollowerConfiguration()
        configuration.patienceMs = 0
        #expect(throws: ClickHouseError.self) { try fixture.follower(into: server, configuration).followToEnd() }
        server.fail(nil)
        server.set(elsewhere: "")
        try fixture.load(into: server)
        #expect(try hours() == [hour - 1, hour, hour - 1, hour])
    }

    @Test("but a play without identifier is a play of its own each time")
    func anonymous() throws {
        try fixture.receive(events: [event(age(0)), event(age(0))], at: eleven - 1)
        try fixture.receive(events: [event(age(0))], at: eleven + 1)
        try fixture.load(into: server)
        #expect(Set(try server.rows(.plays).map { $0["play_id"] }).count == 3)
    }
}
