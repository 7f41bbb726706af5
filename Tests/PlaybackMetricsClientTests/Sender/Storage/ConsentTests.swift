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

    @Test(
        "pending again after it was granted changes no file, and brings all to the disk once it is granted again",
        arguments: [false, true])
    func pendingAgain(isGrantedAgain: Bool) async throws {
        let folder = try StorageFolder()
        do {
            let sender = folder.sender(ScriptedHTTPClient(), spool: .caches(limit: 500)) { $0.capacity = 5 }
            for number in 0..<3 { sender.record(.sample(number)) }
            let before = try folder.contents
            sender.consent = .pending
            for number in 3..<8 { sender.record(.sample(number)) }
            #expect(sender.stats.dropped(.overflow) == 3)
            #expect(try folder.contents == before)
            if isGrantedAgain { sender.consent = .granted }
        }
        let http = ScriptedHTTPClient()
        await folder.sender(http, spool: .caches(limit: 500)).flush()
        let report = try #require(try http.bodies.map { try SentBody($0).sender }.first)
        if isGrantedAgain {
            #expect(try http.sentNumbers == [[3, 4, 5, 6, 7]])
            #expect(report.made == 8 && report.dropped == 3)
        } else {
            #expect(try http.sentNumbers == [[0, 1, 2]])
            #expect(report.made == 3 && report.dropped == 0)
        }
    }

    @Test("pending while plays are on the wire changes no file, and what was answered meanwhile is not sent again")
    func pendingOnTheWire() async throws {
        let folder = try StorageFolder()
        do {
            let sender = folder.sender(ScriptedHTTPClient(otherwise: nil), spool: .caches(limit: 500))
            sender.record(.sample(0))
        }
        do {
            let http = HeldHTTPClient()
            let sender = folder.sender(http, spool: .caches(limit: 500))
            sender.record(.sample(1))
            for request in 1...2 {
                async let flush: Void = sender.flush()
                await http.untilPosted(request)
                let before = try folder.contents
                sender.consent = .pending
                http.answer(.status(202))
                await flush
                #expect(try folder.contents == before)
                sender.consent = .granted
            }
            #expect(sender.stats.delivered == 1 && sender.stats.earlierDelivered == 1)
        }
        let http = ScriptedHTTPClient()
        await folder.sender(http, spool: .caches(limit: 500)).flush()
        #expect(http.bodies.isEmpty)
    }

    @Test("given late keeps to the bound of all plays together")
    func bound() async throws {
        let folder = try StorageFolder()
        do {
            let sender = folder.sender(ScriptedHTTPClient(), spool: .caches(limit: 500))
            for number in 0..<4 { sender.record(.sample(number)) }
        }
        let http = ScriptedHTTPClient()
        let sender = folder.sender(http, spool: .caches(limit: 500)) {
            $0.consent = .pending
            $0.capacity = 6
        }
        for number in 4..<9 { sender.record(.sample(number)) }
        sender.consent = .granted
        #expect(sender.stats.earlierQueued == 1 && sender.stats.queued == 5)
        await sender.flush()
        #expect(try http.sentNumbers == [[3], [4, 5, 6, 7, 8]])
        #expect(try SentBody(http.bodies[0]).sender.dropped == 3)
    }

    @Test("refused and given while plays are on the wire touches none of the plays kept since")
    func epochs() async throws {
        let folder = try StorageFolder()
        do {
            let http = HeldHTTPClient()
            let sender = folder.sender(http, spool: .caches(limit: 500))
            for number in 0..<3 { sender.record(.sample(number)) }
            async let flush: Void = sender.flush()
            await http.untilPosted(1)
            sender.isEnabled = false
            sender.isEnabled = true
            for number in 3..<6 { sender.record(.sample(number)) }
            http.answer(.status(202))
            await http.untilPosted(2)
            http.answer(nil)
            await flush
        }
        let http = ScriptedHTTPClient()
        await folder.sender(http, spool: .caches(limit: 500)).flush()
        #expect(try http.sentNumbers == [[3, 4, 5]])
        #expect(try SentBody(http.bodies[0]).sender.made == 6)
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
