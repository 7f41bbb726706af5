import PlayStore
import StoreTestSupport
import Testing

@Suite("The tables beside the plays")
struct SmallTablesTests {
    private let fixture: StoreFixture
    private let hour = StoreFixture.halfPastTen / StoreFixture.hour

    init() throws {
        fixture = try StoreFixture()
    }

    @Test("keep each account with the arrivals of its request, repeats included")
    func accounts() throws {
        let sender = #""sender":{"senderId":"p1","sequence":7,"made":240,"dropped":3,"rejected":1}"#
        try fixture.receive(events: [event(id: firstId)])
        try fixture.receive(#"{\#(sender),"events":[\#(event(id: firstId)),\#(event(id: secondId)),{}]}"#)
        try fixture.receive(#"{\#(sender),"events":[]}"#)
        try fixture.receive(events: [event()])
        try fixture.load()
        let columns = "account, sender_id, sequence, made, dropped, rejected, received_at, first_arrival, last_arrival"
        let received = "\(StoreFixture.halfPastTen)"
        #expect(
            try fixture.rows("SELECT \(columns) FROM accounts ORDER BY account") == [
                ["1", "p1", "7", "240", "3", "1", received, "2", "3"],
                ["2", "p1", "7", "240", "3", "1", received, "4", "3"],
            ])
    }

    @Test("note of each account how many plays of its request are no repeats, and the deliveries of those")
    func arrived() throws {
        let sender = #""sender":{"senderId":"p1","sequence":7,"made":240,"dropped":3,"rejected":1}"#
        func send(_ events: [String]) throws {
            try fixture.receive(#"{\#(sender),"events":[\#(events.joined(separator: ","))]}"#)
        }
        try send([event(id: firstId, #""cdnRegion":"eu""#), event(#""cdnRegion":"us""#), event(#""cdnRegion":"eu""#)])
        try send([event(id: firstId, #""cdnRegion":"eu""#), event(id: secondId, #""cdnRegion":"us""#)])
        try send([event(id: secondId, #""cdnRegion":"us""#)])
        try send([])
        try send([event()])
        try fixture.load()
        let ids = try fixture.rows("SELECT id FROM deliveries ORDER BY cdn_region").map { $0[0] }
        let both = "01000000" + "02000000"
        #expect(ids == ["1", "2"])
        #expect(
            try fixture.rows(
                "SELECT stored, CASE typeof(contexts) WHEN 'blob' THEN hex(contexts) ELSE contexts END FROM sender_accounts ORDER BY account"
            )
                == [["3", both], ["1", "2"], ["0", "NULL"], ["0", "NULL"], ["1", "0"]])
    }

    @Test("let all accounts of a sender go by one entry, though the cache has forgotten its name")
    func senders() throws {
        fixture.store.dictionaryBytes = 20_000
        func send(_ sender: String) throws {
            try fixture.receive(
                #"{"sender":{"senderId":"\#(sender)","sequence":1,"made":1,"dropped":0,"rejected":0},"events":[]}"#)
        }
        try send("returning")
        for number in 0..<500 { try send("sender-\(number)-with-a-name-that-takes-room") }
        try send("returning")
        try fixture.load()
        #expect(try fixture.rows("SELECT count(*) FROM senders WHERE sender_id = 'returning'") == [["2"]])
        #expect(
            try fixture.rows(
                "SELECT count(DISTINCT sender) FROM accounts AS a JOIN sender_accounts USING (account) WHERE sender_id = 'returning'"
            ) == [["1"]])
    }

    @Test("count rejected events by hour of receipt and code, of a refused request too")
    func rejections() throws {
        try fixture.receive(events: [event(), "{}", "3", event(#""ageMs":"x""#)])
        try fixture.receive(events: ["{}"], at: StoreFixture.halfPastTen + StoreFixture.hour)
        try fixture.load()
        #expect(
            try fixture.rows("SELECT hour, code, events FROM rejections ORDER BY hour, code") == [
                ["\(hour)", "missing", "1"], ["\(hour)", "wrong_type", "2"], ["\(hour + 1)", "missing", "1"],
            ])
    }

    @Test("count repeats by the hour of their receipt")
    func repeats() throws {
        try fixture.receive(events: [event(id: firstId, #""ageMs":0"#)])
        for later in [1, 3] {
            let age = Int64(later) * StoreFixture.hour
            try fixture.receive(
                events: [event(id: firstId, #""ageMs":\#(age),"startupMs":\#(later)"#)],
                at: StoreFixture.halfPastTen + age)
        }
        try fixture.load()
        #expect(
            try fixture.rows("SELECT * FROM repeats ORDER BY hour") == [
                ["\(hour + 1)", "1", "1"], ["\(hour + 3)", "1", "1"],
            ])
    }

    @Test("know of each hour its plays, the last arrival and the last receipt")
    func hours() throws {
        try fixture.receive(events: [event(id: firstId, #""ageMs":0"#), event(id: secondId, #""ageMs":7200000"#)])
        try fixture.load()
        let late = StoreFixture.halfPastTen + 9 * StoreFixture.hour
        try fixture.receive(events: [event(#""ageMs":\#(9 * StoreFixture.hour)"#)], at: late)
        // A repeat changes nothing.
        try fixture.receive(events: [event(id: firstId, #""ageMs":\#(9 * StoreFixture.hour)"#)], at: late + 1)
        try fixture.load()
        #expect(
            try fixture.rows("SELECT hour, plays, last_arrival, last_received_at FROM hours ORDER BY hour") == [
                ["\(hour - 2)", "1", "2", "\(StoreFixture.halfPastTen)"], ["\(hour)", "2", "3", "\(late)"],
            ])
    }
}
