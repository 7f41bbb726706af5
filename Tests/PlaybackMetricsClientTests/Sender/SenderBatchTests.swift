import Foundation
import PlaybackMetricsClient
import Testing

@Suite("The sender's batches", .timeLimit(.minutes(2)))
struct SenderBatchTests {
    @Test("go out one after the other until the queue is empty, at most 100 plays each, in order")
    func batches() async throws {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<250)
        await bench.sender.flush()
        #expect(try http.sentNumbers == [Array(0..<100), Array(100..<200), Array(200..<250)])
        #expect(bench.sender.stats.delivered == 250)
        #expect(bench.sender.stats.isConserved)
    }

    @Test("make no request when nothing waits")
    func empty() async {
        let http = ScriptedHTTPClient()
        await SenderBench(http).sender.flush()
        #expect(http.bodies.isEmpty)
    }

    @Test("hold the latest 500 plays; the oldest go, and are counted")
    func bound() async throws {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<1234)
        #expect(bench.sender.stats.queued == 500)
        #expect(bench.sender.stats.dropped(.overflow) == 734)
        await bench.sender.flush()
        #expect(try http.sentNumbers.joined().map { $0 } == Array(734..<1234))
    }

    @Test("spare what is on the wire when the queue is full, and count it in the bound")
    func boundInFlight() async throws {
        let http = HeldHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<500)
        async let flush: Void = bench.sender.flush()
        await http.untilPosted(1)
        bench.record(500..<510)
        #expect(bench.sender.stats.inFlight == 100)
        #expect(bench.sender.stats.queued == 400)
        #expect(bench.sender.stats.dropped(.overflow) == 10)
        http.answer(nil)
        await flush
        #expect(bench.sender.stats.queued == 500)
        #expect(bench.sender.stats.isConserved)
        // 100 to 109, the oldest that were not on the wire, are gone.
        bench.clock.advance(by: .seconds(60))
        async let again: Void = bench.sender.flush()
        for count in 2...6 {
            await http.untilPosted(count)
            http.answer(.status(202))
        }
        await again
        let numbers = try http.bodies.dropFirst().flatMap { try SentBody($0).events.map(\.number) }
        #expect(numbers == Array(0..<100) + Array(110..<510))
    }

    @Test("drop what comes when all that there is room for is on the wire")
    func allInFlight() async {
        let http = HeldHTTPClient()
        let bench = SenderBench(http, capacity: 5)
        bench.record(0..<5)
        async let flush: Void = bench.sender.flush()
        await http.untilPosted(1)
        bench.record(5..<8)
        #expect(bench.sender.stats.dropped(.overflow) == 3)
        #expect(bench.sender.stats.inFlight == 5)
        http.answer(.status(202))
        await flush
        #expect(bench.sender.stats.delivered == 5)
        #expect(bench.sender.stats.isConserved)
    }

    @Test("go back to the front in their order when the request fails")
    func putBack() async throws {
        let http = ScriptedHTTPClient([nil])
        let bench = SenderBench(http)
        bench.record(0..<150)
        await bench.sender.flush()
        #expect(bench.sender.stats.queued == 150)
        bench.record(150..<160)
        bench.clock.advance(by: .seconds(30))
        await bench.sender.flush()
        #expect(try http.sentNumbers == [Array(0..<100), Array(0..<100), Array(100..<160)])
    }

    @Test("are sent by one request at a time; a flush asked for meanwhile joins and covers what came since")
    func joins() async throws {
        let http = HeldHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<1)
        async let first: Void = bench.sender.flush()
        await http.untilPosted(1)
        bench.record(1..<3)
        async let second: Void = bench.sender.flush()
        async let third: Void = bench.sender.flush()
        http.answer(.status(202))
        await http.untilPosted(2)
        http.answer(.status(202))
        await first
        await second
        await third
        #expect(http.bodies.count == 2)
        #expect(try SentBody(http.bodies[1]).events.map(\.number) == [1, 2])
    }

    @Test("are not cancelled with whoever asked for the flush")
    func cancelledCaller() async {
        let http = HeldHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<1)
        let caller = Task { await bench.sender.flush() }
        await http.untilPosted(1)
        caller.cancel()
        http.answer(.status(202))
        await caller.value
        #expect(bench.sender.stats.delivered == 1)
    }

    @Test("tell the age of each play anew for every attempt")
    func ages() async throws {
        let http = ScriptedHTTPClient([nil])
        let bench = SenderBench(http)
        bench.record(0..<1)
        bench.clock.advance(by: .milliseconds(1500))
        bench.record(1..<2)
        bench.clock.advance(by: .milliseconds(250))
        await bench.sender.flush()
        bench.clock.advance(by: .seconds(3600))
        await bench.sender.flush()
        let ages = try http.bodies.map { try SentBody($0).events.map(\.ageMs) }
        #expect(ages == [[1750, 250], [3_601_750, 3_600_250]])
    }

    @Test("leave out a play with impossible figures, and it alone")
    func unencodable() async throws {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http)
        for number in 0..<7 {
            var play = PlaybackSummary.sample(number)
            switch number {
            case 1: play.watchedMs = -1
            case 3: play.stalledMs = play.watchedMs + 1
            case 5: play.stalls = 0
            case 6: play.startupMs = .max
            default: break
            }
            bench.sender.record(play)
        }
        await bench.sender.flush()
        #expect(try http.sentNumbers == [[0, 2, 4]])
        #expect(bench.sender.stats.dropped(.unencodable) == 4)
        #expect(bench.sender.stats.isConserved)
    }

    @Test("make no request of impossible plays alone")
    func onlyUnencodable() async {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http)
        var play = PlaybackSummary.sample()
        play.bytes = -1
        bench.sender.record(play)
        await bench.sender.flush()
        #expect(http.bodies.isEmpty)
        #expect(bench.sender.stats.dropped(.unencodable) == 1)
        #expect(bench.sender.stats.attempts == 0)
    }
}
