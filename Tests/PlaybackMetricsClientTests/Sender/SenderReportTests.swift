import Foundation
import PlaybackMetricsClient
import TestSupport
import Testing

@Suite("The sender report", .timeLimit(.minutes(2)))
struct SenderReportTests {
    @Test("goes with every attempt, under a sequence number of its own")
    func accounts() async throws {
        let rejecting = #"{"accepted": 2, "rejected": [{}]}"#
        let http = ScriptedHTTPClient([.status(503), .status(202, body: rejecting), .status(400)])
        let bench = SenderBench(http, capacity: 3)
        bench.record(0..<5)
        await bench.sender.flush()
        bench.clock.advance(by: .seconds(30))
        await bench.sender.flush()
        bench.record(5..<6)
        await bench.sender.flush()
        bench.record(6..<7)
        await bench.sender.flush()
        let sent = try http.bodies.map { try SentBody($0).sender }
        #expect(sent.map(\.sequence) == [0, 1, 2, 3])
        #expect(sent.map(\.made) == [5, 5, 6, 7])
        #expect(sent.map(\.dropped) == [2, 2, 2, 3])
        #expect(sent.map(\.rejected) == [0, 0, 1, 1])
        #expect(Set(sent.map(\.senderId)) == [NumberedIDs.id(1).uuidString])
        #expect(bench.sender.stats.attempts == 4)
    }

    @Test("leaves nothing uncounted on the wire")
    func inFlight() async {
        let http = HeldHTTPClient()
        let bench = SenderBench(http)
        bench.record(0..<130)
        async let flush: Void = bench.sender.flush()
        await http.untilPosted(1)
        let stats = bench.sender.stats
        #expect(stats.inFlight == 100 && stats.queued == 30 && stats.isConserved)
        http.answer(.status(202))
        await http.untilPosted(2)
        http.answer(.status(202))
        await flush
        #expect(bench.sender.stats.inFlight == 0)
    }

    @Test("forgets the last status with a request that got no response")
    func lastStatus() async {
        let bench = SenderBench(ScriptedHTTPClient([.status(202), nil]))
        #expect(bench.sender.stats.lastStatus == nil)
        bench.record(0..<1)
        await bench.sender.flush()
        #expect(bench.sender.stats.lastStatus == 202)
        bench.record(1..<2)
        await bench.sender.flush()
        #expect(bench.sender.stats.lastStatus == nil)
    }

    @Test(
        "balances at every quiet point of a random run with failures of every class",
        arguments: 1...20 as ClosedRange<UInt64>)
    func conservation(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let http = RandomHTTPClient(seed: seed)
        let bench = SenderBench(http, seed: seed, capacity: 60)
        var recorded = 0
        for _ in 0..<300 {
            let count = Int.random(in: 0...40, using: &random)
            bench.record(recorded..<recorded + count)
            if bench.sender.isEnabled { recorded += count }
            switch Int.random(in: 0..<20, using: &random) {
            case 0: bench.sender.isEnabled.toggle()
            case 1: await bench.sender.flushInBackground().value
            case 2: await bench.sender.stop()
            default: await bench.sender.flush()
            }
            bench.clock.advance(by: .seconds(Int.random(in: 0...90, using: &random)))
            let stats = bench.sender.stats
            #expect(stats.inFlight == 0)
            #expect(stats.isConserved && stats.recorded == recorded, "\(stats)")
            #expect(stats.delivered == http.accepted.value)
            #expect(stats.dropped(.rejected) == http.rejected.value)
        }
        #expect(bench.host.begun == bench.host.ended)
    }
}

/// Answers by chance, with every class of answer that there is, and counts what it took as a server would.
private final class RandomHTTPClient: HTTPClient {
    let accepted = Mutable(0)
    let rejected = Mutable(0)
    private let random: Mutable<SeededGenerator>

    init(seed: UInt64) {
        random = Mutable(SeededGenerator(seed: seed &+ 1000))
    }

    func post(_ body: Data) async throws -> HTTPClientResponse {
        let count = try SentBody(body).events.count
        var choice = 0
        var share = 0
        random.update {
            choice = Int.random(in: 0..<12, using: &$0)
            share = Int.random(in: 0...count, using: &$0)
        }
        switch choice {
        case 0: throw HeldHTTPClient.NoResponse()
        case 1: return .status(503, retryAfter: "\(share)")
        case 2: return .status(429)
        case 3: return .status(413)
        case 4: return .status(400)
        case 5: return share == 0 ? .status(302) : .status(200, body: "<html>")
        case 6:
            rejected.update { $0 += count }
            return .status(400, body: #"{"error": "all_rejected"}"#)
        case 7:
            rejected.update { $0 += share }
            accepted.update { $0 += count - share }
            let list = Array(repeating: "{}", count: share).joined(separator: ",")
            return .status(202, body: "{\"accepted\": \(count - share), \"rejected\": [\(list)]}")
        default:
            accepted.update { $0 += count }
            return .status(202)
        }
    }
}
