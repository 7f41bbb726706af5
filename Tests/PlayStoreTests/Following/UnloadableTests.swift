import Archive
import PlayStore
import PlaybackEvents
import Reports
import StoreTestSupport
import Synchronization
import Testing

@Suite("A line that can't be loaded")
struct UnloadableTests {
    private struct Full: Error {}

    private static let impossible = #"""
        {"videoId":"v","stalls":0,"stalledMs":0,"watchedMs":1,"endedAt":9223372036854775807,\#
        "receivedAt":9223372036854775807,"requestId":"00000000000000000000000000000001"}
        """#

    @Test("goes to the quarantine, and the follower goes on")
    func goesOn() throws {
        let fixture = try StoreFixture()
        try fixture.receive(events: [event(id: firstId)])
        try fixture.append("{\"playId\":17}\nno JSON\n\(Self.impossible)\n")
        try fixture.receive(events: [event(id: secondId)])
        let lines = Mutex<[UnloadableLine]>([])
        var configuration = FollowerConfiguration()
        configuration.quarantine = { line in lines.withLock { $0.append(line) } }
        let totals = try fixture.load(configuration)
        #expect(totals.loaded == 2)
        #expect(totals.unloadable == 3)
        #expect(totals.arrivals == 2)
        let found = lines.withLock { $0 }
        #expect(
            found.map { String(decoding: $0.line, as: UTF8.self) } == ["{\"playId\":17}", "no JSON", Self.impossible])
        #expect(found.allSatisfy { !$0.reason.isEmpty && $0.position.segment == 1 })
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
    }

    @Test("is also one with a time that no server's clock has, and what has the earliest and the latest is reported on")
    func times() throws {
        func play(_ endedAt: Int64, _ receivedAt: Int64, _ number: Int) -> String {
            #"{"videoId":"v","stalls":0,"stalledMs":0,"watchedMs":1,"endedAt":\#(endedAt),"receivedAt":\#(receivedAt),"#
                + #""requestId":"0000000000000000000000000000000\#(number)"}"# + "\n"
        }
        let (first, last) = (Receipt.times.lowerBound, Receipt.times.upperBound)
        let now = StoreFixture.halfPastTen
        let fixture = try StoreFixture()
        try fixture.append(play(first, now, 1) + play(now, last, 2))
        let bad = [play(first - 1, now, 3), play(.min, now, 4), play(now, last + 1, 5), play(now, .min, 6)]
        let account =
            #"{"sender":{"senderId":"s","sequence":1,"made":2,"dropped":0,"rejected":0},"receivedAt":\#(Int64.min),"#
            + #""requestId":"00000000000000000000000000000007"}"# + "\n"
        try fixture.append(bad.joined() + account)
        let lines = Mutex(0)
        var configuration = FollowerConfiguration()
        configuration.quarantine = { _ in lines.withLock { $0 += 1 } }
        let totals = try fixture.load(configuration)
        #expect(totals.loaded == 2 && totals.unloadable == 5 && totals.accounts == 0 && lines.withLock { $0 } == 5)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
        let report = try ReportMaker(store: SQLiteReportStore(data: fixture.data)).table(.summary, ReportRequest())
        #expect(!report.rows.isEmpty)
    }

    @Test("is not passed until the quarantine has it")
    func quarantineFull() throws {
        let fixture = try StoreFixture()
        try fixture.append("no JSON\nnor this\n")
        let calls = Mutex(0)
        var configuration = FollowerConfiguration()
        configuration.quarantine = { _ in
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            if call == 2 { throw Full() }
        }
        let follower = Follower(
            store: try SQLiteStore(data: fixture.data), data: fixture.data, configuration: configuration)
        #expect(throws: Full.self) { try follower.followToEnd() }
        #expect(try fixture.integer("SELECT offset FROM log_places WHERE log = 'plays'") == 0)
        try follower.followToEnd()
        #expect(calls.withLock { $0 } == 3)
        #expect(follower.status.totals.unloadable == 2)
    }

    @Test("is kept as a line of the quarantine that counts for no rejected event")
    func quarantineLine() throws {
        let fixture = try StoreFixture()
        try fixture.append("no JSON\n")
        var configuration = FollowerConfiguration()
        let committer = fixture.committer
        configuration.quarantine = { line in
            var lines: [UInt8] = []
            line.quarantined(now: StoreFixture.halfPastTen).append(to: &lines)
            try committer.commit(.init(rejected: lines, receivedAt: StoreFixture.halfPastTen))
        }
        try fixture.load(configuration)
        try fixture.load(configuration)
        #expect(try fixture.integer("SELECT count(*) FROM rejections") == 0)
        #expect(try fixture.integer("SELECT offset > 0 FROM log_places WHERE log = 'rejected'") == 1)
    }
}
