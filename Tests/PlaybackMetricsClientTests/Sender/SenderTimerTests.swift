import Foundation
import PlaybackMetricsClient
import TestSupport
import Testing

@Suite("The sender's timer", .timeLimit(.minutes(2)))
struct SenderTimerTests {
    @Test("flushes first at a random point of the first 30 seconds", arguments: 1...20 as ClosedRange<UInt64>)
    func first(seed: UInt64) async throws {
        let bench = SenderBench(ScriptedHTTPClient(), seed: seed)
        bench.record(0..<1)
        bench.sender.start()
        await bench.clock.untilSleeping()
        let wait = try #require(bench.clock.untilNext)
        var random = SeededGenerator(seed: seed)
        #expect(wait == .seconds(30) * (Double(random.next() >> 11) / 9_007_199_254_740_992))
        await bench.sender.stop()
    }

    @Test("flushes every 30 seconds from then on")
    func every() async throws {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<1)
        bench.sender.start()
        await bench.clock.untilSleeping()
        bench.clock.advance(by: try #require(bench.clock.untilNext))
        await bench.clock.untilSleeping()
        for number in 1..<5 {
            bench.record(number..<number + 1)
            await bench.clock.untilSleeping()
            #expect(bench.clock.untilNext == .seconds(30))
            #expect(http.bodies.count == number)
            bench.clock.advance(by: .milliseconds(29_999))
            #expect(http.bodies.count == number)
            bench.clock.advance(by: .milliseconds(1))
            await bench.clock.untilSleeping()
        }
        #expect(try http.sentNumbers == [[0], [1], [2], [3], [4]])
        await bench.sender.stop()
    }

    @Test("sleeps while nothing is queued, and is then at the times at which it would have been without")
    func idle() async throws {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<1)
        bench.sender.start()
        await bench.clock.untilSleeping()
        let first = try #require(bench.clock.untilNext)
        bench.clock.advance(by: first)
        await bench.clock.untilSleeping()
        #expect(bench.clock.untilNext == .seconds(86_400))
        // An hour without a play, in which nothing wakes the device.
        bench.clock.advance(by: .seconds(3_607))
        #expect(bench.clock.untilNext == .seconds(86_400 - 3_607))
        bench.record(1..<2)
        await bench.clock.untilSleeping()
        #expect(bench.clock.untilNext == .seconds(23))
        bench.record(2..<3)
        bench.clock.advance(by: .seconds(23))
        await bench.clock.untilSleeping()
        #expect(try http.sentNumbers == [[0], [1, 2]])
        await bench.sender.stop()
    }

    @Test("comes back after a failure when the back-off is over, neither sooner nor later")
    func afterFailure() async throws {
        let http = ScriptedHTTPClient(Array(repeating: nil, count: 8))
        let bench = SenderBench(http)
        bench.record(0..<1)
        bench.sender.start()
        var spans: [Duration] = []
        for attempt in 0..<9 {
            var span = Duration.zero
            while http.bodies.count == attempt {
                await bench.clock.untilSleeping()
                let wait = try #require(bench.clock.untilNext)
                span += wait
                bench.clock.advance(by: wait)
                await bench.clock.untilSleeping()
            }
            spans.append(span)
        }
        #expect(bench.sender.stats.delivered == 1)
        let limits = [30, 30, 60, 120, 240, 480, 600, 600, 600].map { Duration.seconds($0) }
        #expect(zip(spans, limits).allSatisfy { $0 <= $1 }, "\(spans)")
        #expect(spans.contains { $0 > .seconds(60) })
        await bench.sender.stop()
    }

    @Test("sleeps no longer than 30 seconds, so that it is there when a flush in between has ended the back-off")
    func backoffEnded() async throws {
        let http = ScriptedHTTPClient(Array(repeating: nil, count: 6))
        let bench = SenderBench(http)
        bench.record(0..<1)
        bench.sender.start()
        await bench.clock.untilSleeping()
        while http.bodies.count < 6 {
            bench.clock.advance(by: try #require(bench.clock.untilNext))
            await bench.clock.untilSleeping()
        }
        await bench.sender.flushInBackground().value
        #expect(bench.sender.stats.delivered == 1)
        bench.record(1..<2)
        await bench.clock.untilSleeping()
        bench.clock.advance(by: .seconds(30))
        await bench.clock.untilSleeping()
        #expect(bench.sender.stats.delivered == 2)
        await bench.sender.stop()
    }

    @Test("works at a low priority, however urgent the work that started it")
    func priority() async throws {
        let http = PriorityHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<1)
        await Task(priority: .high) { bench.sender.start() }.value
        await bench.clock.untilSleeping()
        bench.clock.advance(by: try #require(bench.clock.untilNext))
        await bench.clock.untilSleeping()
        #expect(http.priority.value == .utility)
        await bench.sender.stop()
    }

    @Test("may be started and stopped in any order, again and again")
    func anyOrder() async throws {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<1)
        await bench.sender.stop()
        #expect(try http.sentNumbers == [[0]])
        await bench.sender.stop()
        for _ in 0..<3 {
            bench.sender.start()
            bench.sender.start()
            await bench.clock.untilSleeping()
            #expect(bench.clock.sleeping == 1)
            await bench.sender.stop()
        }
        bench.record(1..<2)
        #expect(bench.clock.sleeping == 0)
        #expect(bench.sender.stats.queued == 1)
        await bench.sender.stop()
        #expect(try http.sentNumbers == [[0], [1]])
    }

    @Test("keeps no sender alive: once released it is gone, and its timer with it", .timeLimit(.minutes(1)))
    func released() async {
        let clock = ManualClock()
        var seams = SenderSeams()
        seams.clock = clock
        let http = ScriptedHTTPClient()
        weak var gone: PlaybackMetricsSender?
        do {
            let sender = PlaybackMetricsSender(http: http, configuration: .inMemory, seams: seams)
            gone = sender
            sender.start()
            await clock.untilSleeping()
            sender.record(.sample())
            await sender.flush()
        }
        while gone != nil { await Task.yield() }
        while clock.sleeping > 0 { await Task.yield() }
        #expect(http.bodies.count == 1)
    }
}

/// Notes at which priority it is asked.
private final class PriorityHTTPClient: HTTPClient {
    let priority = Mutable<TaskPriority?>(nil)

    func post(_ body: Data) async throws -> HTTPClientResponse {
        priority.value = Task.currentPriority
        return .status(202)
    }
}
