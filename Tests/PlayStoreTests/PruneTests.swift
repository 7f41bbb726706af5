import PlayStore
import Reports
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@Suite("Pruning")
struct PruneTests {
    private static let day = 24 * StoreFixture.hour
    private static let today = StoreFixture.halfPastTen / day

    private func account(_ sequence: Int, _ sender: String = "p") -> String {
        #""sender":{"senderId":"\#(sender)","sequence":\#(sequence),"made":\#(sequence),"dropped":0,"rejected":0}"#
    }

    private func filled() throws -> StoreFixture {
        let fixture = try StoreFixture()
        for back in (0..<5).reversed() {
            let received = StoreFixture.halfPastTen - Int64(back) * Self.day
            let events = [
                event(id: "01930000-0000-7000-8000-0000000000\(10 + back)", #""sessionId":"s\#(back)""#),
                event(#""ageMs":90000000,"cdn":"c\#(back)""#), "{}",
            ]
            try fixture.receive(#"{\#(account(5 - back)),"events":[\#(events.joined(separator: ","))]}"#, at: received)
        }
        try fixture.load()
        return fixture
    }

    @Test("takes whole old days and what belongs to them, and nothing else")
    func oldDays() throws {
        let fixture = try filled()
        let kept = try fixture.rows("SELECT * FROM plays WHERE day >= \(Self.today - 2) ORDER BY arrival")
        let store = try SQLiteStore(data: fixture.data)
        var progress: [Int64] = []
        // Two days' own plays, and those of three days that are of the day before.
        #expect(try store.prune(before: Self.today - 2) { progress.append($0) } == 5)
        #expect(progress.last == 5)
        #expect(store.totals.pruned == 5)
        #expect(try fixture.rows("SELECT * FROM plays ORDER BY arrival") == kept)
        #expect(kept.count == 5)
        #expect(try fixture.rows("SELECT session_id FROM runs ORDER BY id").map { $0[0] } == ["s2", "s1", "s0"])
        // The account of the first day that stays still tells who served the play that came with it and is gone.
        #expect(try fixture.rows("SELECT cdn FROM deliveries ORDER BY id").map { $0[0] } == ["c2", "c1", "c0"])
        #expect(try fixture.integer("SELECT count(*) FROM hours") == 5)
        #expect(try fixture.integer("SELECT count(*) FROM receipt_dated_plays") == 3)
        #expect(try fixture.integer("SELECT count(*) FROM rejections") == 3)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
    }

    @Test("leaves repeats whose first has gone, which verify then doesn't miss")
    func repeats() throws {
        let fixture = try StoreFixture()
        let midnight = Self.today * Self.day
        let thirdId = "01930000-0000-7000-8000-000000000003"
        let fourthId = "01930000-0000-7000-8000-000000000004"
        // Dated by nothing but the receipt, and then by an age that lies in an hour that stays.
        try fixture.receive(events: [event(#""playId":"\#(fourthId)""#)], at: midnight - 12 * StoreFixture.hour)
        // Near midnight; dated by the receipt alone; and after a step of the server's clock.
        try fixture.receive(
            events: [event(id: firstId), event(#""playId":"\#(thirdId)","ageMs":60000"#)], at: midnight - 60_000)
        try fixture.receive(events: [event(#""playId":"\#(secondId)","ageMs":0"#)], at: midnight - 30_000)
        try fixture.receive(events: [event(#""playId":"\#(secondId)","ageMs":1000"#)], at: midnight + 90_000)
        // An hour later by any other clock.
        let age = StoreFixture.hour + 210_000
        try fixture.receive(
            events: [event(#""playId":"\#(thirdId)","ageMs":\#(age)"#)], at: midnight + 13 * StoreFixture.hour)
        try fixture.receive(events: [event(id: firstId)], at: midnight + 14 * StoreFixture.hour)
        try fixture.receive(
            events: [event(#""playId":"\#(fourthId)","ageMs":60000"#)], at: midnight + 15 * StoreFixture.hour)
        #expect(try fixture.load().duplicates == 4)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
        try SQLiteStore(data: fixture.data).prune(before: Self.today)
        #expect(try fixture.integer("SELECT count(*) FROM plays") == 0)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
    }

    @Test("keeps each sender's last account before the days that stay")
    func accounts() throws {
        let fixture = try filled()
        try SQLiteStore(data: fixture.data).prune(before: Self.today - 1)
        #expect(try fixture.rows("SELECT sequence FROM accounts ORDER BY account").map { $0[0] } == ["3", "4", "5"])
    }

    @Test("makes no sender lose what it took away: delivery says nothing of days that are gone")
    func delivery() throws {
        let fixture = try filled()
        func rows(_ request: ReportRequest) throws -> [[ReportCell]] {
            try ReportMaker(store: SQLiteReportStore(data: fixture.data)).table(.delivery, request).rows
        }
        let byDay = ReportRequest(by: [.day])
        let last = try rows(byDay).suffix(2)
        try SQLiteStore(data: fixture.data).prune(before: Self.today - 1)
        try SQLiteStore(data: fixture.data).prune(before: Self.today - 1)
        // A play that came on the first day that stays, and had happened the day before, is gone and has arrived.
        #expect(try rows(byDay) == Array(last))
        // Two accounts of one play each, and two plays with each.
        for by in [[], [PlayDimension.cdn], [.videoId]] {
            let all = try rows(ReportRequest(by: by)).last ?? []
            #expect(all.dropFirst(1 + by.count).prefix(3) == [.integer(1), .integer(2), .integer(4)])
        }
    }

    @Test("lets the follower go on, and a pruned play come again")
    func comesAgain() throws {
        let fixture = try filled()
        try SQLiteStore(data: fixture.data).prune(before: Self.today)
        try fixture.receive(
            events: [event(id: "01930000-0000-7000-8000-000000000014")], at: StoreFixture.halfPastTen - 4 * Self.day)
        try fixture.receive(events: [event(id: "01930000-0000-7000-8000-000000000010")])
        let totals = try fixture.load()
        #expect(totals.duplicates == 1)
        #expect(totals.loaded == 11)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
        #expect(try SQLiteStore(data: fixture.data).prune(before: Self.today) == 1)
    }

    @Test("goes an hour at a time, with loads between, and comes to the same as at once")
    func piecemeal() throws {
        let (once, bits) = (try filled(), try filled())
        try SQLiteStore(data: once.data).prune(before: Self.today - 1)
        let store = try SQLiteStore(data: bits.data)
        var hours: [Int64] = []
        var loads = 0
        while let removed = try store.pruneSome(before: Self.today - 1) {
            if removed > 0 { hours.append(removed) }
            loads += 1
            for fixture in [once, bits] {
                try fixture.receive(
                    events: [event(#""cdn":"c\#(loads)""#), event()], at: StoreFixture.halfPastTen + 5_000)
            }
            let (batch, end) = try bits.batch(for: store)
            try store.commit(batch, upTo: end)
        }
        #expect(hours.allSatisfy { $0 <= 2 } && hours.reduce(0, +) == 7)
        try once.load()
        let plays = "SELECT day, cdn, session_id, received_at, arrival FROM plays ORDER BY arrival"
        #expect(try bits.rows(plays) == once.rows(plays))
        let accounts = "SELECT sender_id, sequence, received_at FROM accounts ORDER BY account"
        #expect(try bits.rows(accounts) == once.rows(accounts))
        #expect(try StoreVerifier.run(data: bits.data).findings == [])
        #expect(try store.freeBytes() != nil)
    }

    @Test("of a follower's thread is done between loads, and told with the room that it has made")
    func onTheThread() throws {
        let fixture = try filled()
        let notices = Mutex<[FollowerNotice]>([])
        var configuration = FollowerConfiguration()
        configuration.pollMs = 10
        configuration.onNotice = { notice in notices.withLock { $0.append(notice) } }
        let follower = Follower(
            store: try SQLiteStore(data: fixture.data), data: fixture.data, configuration: configuration)
        try follower.start()
        defer { follower.stop() }
        follower.prune(before: Self.today - 2)
        try waitUntil("old days to go") { notices.withLock { !$0.isEmpty } }
        let said = notices.withLock { $0 }
        guard said.count == 1, case .pruned(plays: 5, before: Self.today - 2, freeBytes: _) = said[0] else {
            Issue.record("\(said)")
            return
        }
        #expect(follower.status.totals.pruned == 5)
        try fixture.receive(events: [event()])
        follower.wake()
        try follower.followToEnd()
        #expect(follower.status.totals.loaded == 11)
    }
}
