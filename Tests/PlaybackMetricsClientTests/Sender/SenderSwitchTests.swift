import PlaybackMetricsClient
import Testing

@Suite("The sender's switch", .timeLimit(.minutes(2)))
struct SenderSwitchTests {
    @Test("empties the queue at once, and later plays are forgotten")
    func off() async {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<10)
        bench.sender.isEnabled = false
        #expect(bench.sender.stats.queued == 0)
        #expect(bench.sender.stats.dropped(.disabled) == 10)
        bench.record(10..<20)
        await bench.sender.flush()
        #expect(http.bodies.isEmpty)
        #expect(bench.sender.stats.recorded == 10)
        #expect(bench.sender.stats.isConserved)
    }

    @Test("lets plays in again when it is turned on")
    func onAgain() async throws {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http)
        bench.sender.isEnabled = false
        bench.record(0..<1)
        bench.sender.isEnabled = true
        bench.sender.isEnabled = true
        bench.record(1..<2)
        await bench.sender.flush()
        #expect(try http.sentNumbers == [[1]])
    }

    @Test("lets what is on the wire arrive, but never repeats it", arguments: [true, false])
    func onTheWire(arrives: Bool) async {
        let http = HeldHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<5)
        async let flush: Void = bench.sender.flush()
        await http.untilPosted(1)
        bench.sender.isEnabled = false
        bench.sender.isEnabled = true
        http.answer(arrives ? .status(202) : nil)
        await flush
        #expect(bench.sender.stats.queued == 0)
        #expect(bench.sender.stats.delivered == (arrives ? 5 : 0))
        #expect(bench.sender.stats.dropped(.disabled) == (arrives ? 0 : 5))
        #expect(bench.sender.stats.isConserved)
    }
}
