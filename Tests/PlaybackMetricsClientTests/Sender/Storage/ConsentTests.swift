import Foundation
import Testing

@testable import PlaybackMetricsClient

@Suite("The viewer's consent", .timeLimit(.minutes(2)))
struct ConsentTests {
    @Test("is waited for in memory alone: nothing is sent, nothing written, until it is there")
    func pending() async throws {
        let folder = try StorageFolder()
        let http = ScriptedHTTPClient()
        let sender = folder.sender(http, spool: .caches(limit: 500)) { $0.consent = .pending }
        for number in 0..<3 { sender.record(.sample(number)) }
        await sender.flush()
        #expect(sender.stats.queued == 3 && http.bodies.isEmpty && folder.files.isEmpty)
        sender.consent = .granted
        #expect(folder.files.count == 2)
        await sender.flush()
        #expect(try http.sentNumbers == [[0, 1, 2]])
    }

    @Test("once given keeps what was recorded before, should the app be killed then")
    func granted() async throws {
        let folder = try StorageFolder()
        do {
            let sender = folder.sender(ScriptedHTTPClient(), spool: .caches(limit: 500)) { $0.consent = .pending }
            for number in 0..<3 { sender.record(.sample(number)) }
            sender.consent = .granted
        }
        let http = ScriptedHTTPClient()
        await folder.sender(http, spool: .caches(limit: 500)).flush()
        #expect(try http.sentNumbers == [[0, 1, 2]])
    }

    @Test("refused forgets what waited")
    func denied() async throws {
        let bench = SenderBench(ScriptedHTTPClient()) { $0.consent = .pending }
        bench.record(0..<3)
        bench.sender.consent = .denied
        #expect(!bench.sender.isEnabled)
        bench.record(3..<4)
        #expect(bench.sender.stats.dropped(.disabled) == 3 && bench.sender.stats.recorded == 3)
        bench.sender.isEnabled = true
        #expect(bench.sender.consent == .granted)
    }

    @Test("wakes the timer that slept until it came")
    func wakes() async throws {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http) { $0.consent = .pending }
        bench.sender.start()
        bench.record(0..<1)
        await bench.clock.untilSleeping()
        #expect(bench.clock.untilNext == .seconds(86_400))
        bench.sender.consent = .granted
        await bench.clock.untilSleeping()
        bench.clock.advance(by: .seconds(30))
        await bench.clock.untilSleeping()
        #expect(try http.sentNumbers == [[0]])
        await bench.sender.stop()
    }
}

@Suite("Sampling")
struct SamplingTests {
    @Test(
        "measures sessions whole or not at all, with the rate as a tag",
        arguments: [(0.25, "0.25"), (0.5, "0.5"), (0.0001, "0.0001")])
    func sessions(_ rate: Double, _ tag: String) async throws {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http, capacity: 100_000) { $0.sampling = rate }
        for _ in 0..<2_000 {
            let session = PlaybackSession()
            for _ in 0..<3 {
                bench.sender.record(
                    PlaybackSummary(
                        videoId: "v1", playId: TimeOrderedIDs.shared.makeID(),
                        context: PlaybackContext(session: session)))
            }
        }
        await bench.sender.flush()
        let bodies = try http.bodies.map { try SentBody($0) }
        let sessions = Dictionary(
            grouping: bodies.flatMap { body in body.events.map { $0.sessionId ?? body.context.sessionId } }, by: { $0 })
        #expect(sessions.values.allSatisfy { $0.count == 3 })
        // Five standard errors.
        let error = 5 * (2_000 * rate * (1 - rate)).squareRoot()
        #expect(abs(Double(sessions.count) - 2_000 * rate) <= max(error, 5))
        #expect(bodies.allSatisfy { $0.context.tags?["sample"] == tag })
        #expect(bench.sender.stats.recorded == sessions.count * 3)
    }

    @Test("of everything marks nothing, and of nothing records nothing")
    func ends() async throws {
        let all = SenderBench(ScriptedHTTPClient()) { $0.sampling = 1 }
        all.record(0..<3)
        #expect(all.sender.stats.recorded == 3)
        let none = SenderBench(ScriptedHTTPClient()) { $0.sampling = -1 }
        none.record(0..<3)
        #expect(none.sender.stats.recorded == 0)
        let odd = SenderBench(ScriptedHTTPClient()) { $0.sampling = .nan }
        odd.record(0..<3)
        #expect(odd.sender.stats.recorded == 3)
    }

    @Test("takes the place of the tag `edges` where eight are taken, and yields to the team's and to `start`")
    func room() async throws {
        var full = PlaybackTags()
        for number in 0..<7 { full[TagName(stringLiteral: "t\(number)")] = "x" }
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http) { $0.sampling = 0.999_999 }
        for (number, own) in [OwnTag.edges, .start].enumerated() {
            var play = PlaybackSummary.sample(number)
            play.context.tags = full
            play.context.tags.set(own, to: "x")
            bench.sender.record(play)
            await bench.sender.flush()
        }
        let sent = try http.bodies.map { try SentBody($0).context.tags ?? [:] }
        #expect(sent.map(\.count) == [8, 8])
        #expect(sent[0]["sample"] != nil && sent[0]["edges"] == nil)
        #expect(sent[1]["sample"] == nil && sent[1]["start"] != nil)
    }
}
