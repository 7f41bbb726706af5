import Foundation
import PlaybackMetricsClient
import Testing

@Suite("The sender, on the app's way to the background", .timeLimit(.minutes(2)))
struct SenderBackgroundTests {
    @Test("holds the host's time round the whole flush")
    func wholeFlush() async {
        let http = HeldHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<150)
        let flush = bench.sender.flushInBackground()
        #expect(bench.host.begun == 1)
        await http.untilPosted(1)
        http.answer(.status(202))
        await http.untilPosted(2)
        #expect(bench.host.ended == 0)
        http.answer(.status(202))
        await flush.value
        #expect(bench.host.ended == 1)
        #expect(bench.sender.stats.delivered == 150)
    }

    @Test("gives the time back when there is nothing to send")
    func empty() async {
        let bench = SenderBench(ScriptedHTTPClient())
        await bench.sender.flushInBackground().value
        #expect(bench.host.begun == 1)
        #expect(bench.host.ended == 1)
    }

    @Test("takes the time once, however many say that the app goes")
    func idempotent() async {
        let http = HeldHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<1)
        let flushes = (0..<3).map { _ in bench.sender.flushInBackground() }
        await http.untilPosted(1)
        http.answer(.status(202))
        for flush in flushes { await flush.value }
        #expect(http.bodies.count == 1)
        #expect(bench.host.begun == 1)
        #expect(bench.host.ended == 1)
        await bench.sender.flushInBackground().value
        #expect(bench.host.begun == 2)
        #expect(bench.host.ended == 2)
    }

    @Test("gives the time back once when the host wants it, though the flush goes on")
    func expires() async {
        let http = HeldHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<1)
        let flush = bench.sender.flushInBackground()
        await http.untilPosted(1)
        bench.host.expire()
        #expect(bench.host.ended == 1)
        bench.host.expire()
        // The next time that the app goes, time is taken again, for the flush that is still under way.
        let next = bench.sender.flushInBackground()
        #expect(bench.host.begun == 2)
        http.answer(.status(202))
        await flush.value
        await next.value
        #expect(http.bodies.count == 1)
        #expect(bench.host.ended == 2)
        bench.host.expire()
        #expect(bench.host.ended == 2)
    }

    @Test("bears a host whose time is up before it begins")
    func refused() async {
        let bench = SenderBench(ScriptedHTTPClient())
        bench.host.refuse()
        bench.record(0..<1)
        await bench.sender.flushInBackground().value
        #expect(bench.host.ended == 1)
        #expect(bench.sender.stats.delivered == 1)
    }

    @Test("bears a host that asks for the flush while it is asked for time")
    func reentrant() async {
        let host = ReentrantHost()
        var seams = SenderSeams()
        seams.backgroundTime = host
        let sender = PlaybackMetricsSender(http: ScriptedHTTPClient(), configuration: .inMemory, seams: seams)
        host.sender.value = sender
        sender.record(.sample())
        await sender.flushInBackground().value
        #expect(sender.stats.delivered == 1)
        #expect(host.begun.value == 1)
        #expect(host.ended.value == 1)
    }

    @Test("passes over its own back-off once")
    func overrides() async {
        let http = ScriptedHTTPClient(Array(repeating: nil, count: 3))
        let bench = SenderBench(http)
        bench.record(0..<1)
        await bench.sender.flush()
        await bench.sender.flushInBackground().value
        #expect(http.bodies.count == 2)
        await bench.sender.flushInBackground().value
        #expect(http.bodies.count == 2)
        // A flush that the app asks for does not pass over it either.
        await bench.sender.flush()
        #expect(http.bodies.count == 2)
    }

    @Test("never passes over what the server asked for")
    func neverRetryAfter() async {
        let http = ScriptedHTTPClient([.status(429, retryAfter: "60")])
        let bench = SenderBench(http)
        bench.record(0..<1)
        await bench.sender.flush()
        bench.clock.advance(by: .milliseconds(59_900))
        await bench.sender.flushInBackground().value
        #expect(http.bodies.count == 1)
        bench.clock.advance(by: .milliseconds(100))
        await bench.sender.flushInBackground().value
        #expect(http.bodies.count == 2)
    }

    @Test("needs no host: without one nothing has to be given back")
    func noHost() async {
        let http = ScriptedHTTPClient()
        let sender = PlaybackMetricsSender(http: http, configuration: .inMemory)
        sender.record(.sample())
        await sender.flushInBackground().value
        #expect(sender.stats.delivered == 1)
    }
}

private final class ReentrantHost: BackgroundTime {
    let sender = Mutable<PlaybackMetricsSender?>(nil)
    let begun = Mutable(0)
    let ended = Mutable(0)

    func begin(expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        begun.update { $0 += 1 }
        sender.value?.flushInBackground()
        return { [ended] in ended.update { $0 += 1 } }
    }
}
