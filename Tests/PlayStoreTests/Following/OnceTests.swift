import PlayStore
import PlaybackEvents
import StoreTestSupport
import Testing

@Suite("A play is stored once")
struct OnceTests {
    private let fixture: StoreFixture
    private let ten = StoreFixture.halfPastTen - 30 * StoreFixture.minute
    private let minute = StoreFixture.minute
    private let hour = StoreFixture.hour

    init() throws {
        fixture = try StoreFixture()
    }

    /// The startup times of the stored plays, in the order of their arrival.
    private func startups() throws -> [String] {
        try fixture.rows("SELECT startup_ms FROM plays ORDER BY arrival").map { $0[0] }
    }

    private func age(_ ms: Int64) -> String { #""ageMs":\#(ms)"# }
    private func clock(_ ms: Int64) -> String { #""endedAt":\#(ms)"# }

    @Test("when it is twice in one batch, and the first stands")
    func inABatch() throws {
        try fixture.receive(events: [
            event(id: firstId, #""startupMs":1"#), event(id: firstId, #""startupMs":2"#), event(id: secondId),
        ])
        let totals = try fixture.load()
        #expect(totals.arrivals == 3)
        #expect(totals.loaded == 2)
        #expect(totals.duplicates == 1)
        #expect(totals.conflicts == 1)
        #expect(try startups() == ["1", "NULL"])
    }

    @Test("when it comes again in another request", arguments: [1, 65_536])
    func acrossCommits(rows: Int) throws {
        for _ in 0..<3 { try fixture.receive(events: [event(id: firstId, age(1_000)), event(id: secondId, age(9))]) }
        var configuration = FollowerConfiguration()
        configuration.batchRows = rows
        configuration.chunkBytes = 1
        let totals = try fixture.load(configuration)
        #expect(totals.loaded == 2)
        #expect(totals.duplicates == 4)
        #expect(totals.conflicts == 0)
    }

    @Test("when it comes again after a restart")
    func acrossRestarts() throws {
        try fixture.receive(events: [event(id: firstId, age(0))])
        try fixture.load()
        try fixture.receive(events: [event(id: firstId.uppercased(), age(0))])
        let totals = try fixture.load()
        #expect(totals.loaded == 1)
        #expect(totals.duplicates == 1)
    }

    @Test("when a retry lands on the other side of the hour", arguments: [false, true])
    func overTheHour(backwards: Bool) throws {
        let (before, after) = (ten + hour - 1_000, ten + hour + 1_000)
        try fixture.receive(events: [event(id: firstId, #""startupMs":1,\#(age(0))"#)], at: backwards ? after : before)
        try fixture.receive(events: [event(id: firstId, #""startupMs":2,\#(age(0))"#)], at: backwards ? before : after)
        #expect(try fixture.load().loaded == 1)
        #expect(try startups() == ["1"])
    }

    @Test("when a retry lands on the other side of midnight")
    func overMidnight() throws {
        let midnight = ten + 14 * hour
        try fixture.receive(events: [event(id: firstId, age(500))], at: midnight + 100)
        try fixture.receive(events: [event(id: firstId, age(500))], at: midnight + 900)
        try fixture.receive(events: [event(id: firstId, age(500))], at: midnight - 100)
        #expect(try fixture.load().loaded == 1)
    }

    @Test("when the same bytes with a stale age are replayed within six minutes, not when much later")
    func staleAges() throws {
        try fixture.receive(events: [event(id: firstId, age(0))], at: ten + 57 * minute)
        // Without anybody else's plays it would look like a step of the clock.
        try fixture.receive(events: [event(id: secondId, age(0))], at: ten + 62 * minute)
        try fixture.receive(events: [event(id: firstId, age(0))], at: ten + 66 * minute)
        #expect(try fixture.load().loaded == 2)
        try fixture.receive(events: [event(id: firstId, age(0))], at: ten + 66 * minute + 1)
        #expect(try fixture.load().loaded == 3)
    }

    @Test("whatever the hour of its repeats, when nothing tells its time")
    func datedByReceipt() throws {
        try fixture.receive(events: [event(id: firstId)], at: ten)
        try fixture.load()
        for later in [5 * hour, 90 * 24 * hour, hour] {
            try fixture.receive(events: [event(id: firstId)], at: ten + later)
        }
        let totals = try fixture.load()
        #expect(totals.loaded == 1)
        #expect(totals.duplicates == 3)
        #expect(totals.conflicts == 0)
    }

    @Test("when a clock that was not believed is believed later")
    func clockAhead() throws {
        let twoHoursAhead = clock(ten + 2 * hour)
        try fixture.receive(events: [event(id: firstId, twoHoursAhead)], at: ten)
        try fixture.receive(events: [event(id: firstId, twoHoursAhead)], at: ten + 3 * hour)
        #expect(try fixture.load().loaded == 1)
        #expect(try fixture.rows("SELECT hour, clock_skewed FROM plays") == [["\(ten / hour)", "1"]])
    }

    @Test("when a clock that was believed is not believed any more")
    func clockTooOld() throws {
        try fixture.receive(events: [event(id: firstId, clock(ten - 2_000))], at: ten)
        try fixture.receive(events: [event(id: firstId, clock(ten - 2_000))], at: ten + 31 * 24 * hour)
        let totals = try fixture.load()
        #expect(totals.loaded == 1)
        #expect(totals.conflicts == 0)
    }

    @Test("when its age has grown beyond what is believed")
    func ageTooOld() throws {
        try fixture.receive(events: [event(id: firstId, age(2_000))], at: ten)
        try fixture.receive(events: [event(id: firstId, age(31 * 24 * hour))], at: ten + 31 * 24 * hour)
        #expect(try fixture.load().loaded == 1)
    }

    @Test("when a clock a little ahead was cut to the receipt")
    func clockSlightlyAhead() throws {
        let clock = clock(ten + hour + 3 * minute)
        try fixture.receive(events: [event(id: firstId, clock)], at: ten + hour - minute)
        try fixture.receive(events: [event(id: firstId, clock)], at: ten + hour + 40 * minute)
        #expect(try fixture.load().loaded == 1)
    }

    @Test("when it comes again hours late", arguments: [1, 65_536])
    func lateRepeats(rows: Int) throws {
        var configuration = FollowerConfiguration()
        configuration.batchRows = rows
        configuration.chunkBytes = 1
        try fixture.receive(events: [event(id: firstId, age(0))], at: ten)
        try fixture.receive(events: [event(id: firstId, age(50 * hour))], at: ten + 50 * hour)
        // Received late first, then again by a clock that stepped back.
        try fixture.receive(events: [event(id: secondId, age(50 * hour))], at: ten + 50 * hour)
        try fixture.receive(events: [event(id: secondId, age(0))], at: ten)
        let totals = try fixture.load(configuration)
        #expect(totals.loaded == 2)
        #expect(totals.duplicates == 2)
    }

    @Test("as often as it is sent, without an identifier")
    func withoutIdentifier() throws {
        try fixture.receive(events: [event(), event()])
        try fixture.receive(events: [event()])
        let totals = try fixture.load()
        #expect(totals.loaded == 3)
        #expect(try fixture.integer("SELECT sum(play_id_made) FROM plays") == 3)
        #expect(try fixture.integer("SELECT count(DISTINCT play_id) FROM plays") == 3)
    }

    @Test("when its line without an identifier is in the log twice")
    func replayedLine() throws {
        let request = Identifier128(high: 3, low: 4)
        let body = #"{"events":[\#(event("\"startupMs\":1")),\#(event("\"startupMs\":2"))]}"#
        try fixture.receive(body, requestId: request)
        try fixture.receive(body, requestId: request, replayed: true)
        let totals = try fixture.load()
        #expect(totals.loaded == 2)
        #expect(totals.duplicates == 2)
        #expect(totals.conflicts == 0)
    }
}
