import Foundation
import PlaybackMetricsClient
import Testing

@Suite("The sender, on a response", .timeLimit(.minutes(2)))
struct SenderOutcomeTests {
    @Test("forgets a batch that was accepted", arguments: [200, 202, 204, 299])
    func accepted(_ status: Int) async {
        let bench = SenderBench(ScriptedHTTPClient([.status(status)]))
        bench.record(0..<3)
        await bench.sender.flush()
        let stats = bench.sender.stats
        #expect(stats.delivered == 3 && stats.queued == 0 && stats.dropped == 0)
        #expect(stats.lastStatus == status)
    }

    @Test("keeps the batch and backs off", arguments: [408, 429, 500, 502, 503, 504, 599, nil] as [Int?])
    func kept(_ status: Int?) async throws {
        let http = ScriptedHTTPClient([status.map { .status($0) }])
        let bench = SenderBench(http)
        bench.record(0..<3)
        await bench.sender.flush()
        #expect(bench.sender.stats.queued == 3)
        #expect(bench.sender.stats.lastStatus == status)
        await bench.sender.flush()
        #expect(http.bodies.count == 1)
        bench.clock.advance(by: .seconds(30))
        await bench.sender.flush()
        #expect(try http.sentNumbers == [[0, 1, 2], [0, 1, 2]])
        #expect(bench.sender.stats.delivered == 3)
    }

    @Test(
        "drops a batch that would be refused again", arguments: [301, 302, 307, 400, 401, 403, 404, 405, 415, 501, 505])
    func refused(_ status: Int) async throws {
        let http = ScriptedHTTPClient([.status(status)])
        let bench = SenderBench(http)
        bench.record(0..<150)
        await bench.sender.flush()
        #expect(bench.sender.stats.dropped(.refused) == 100)
        // The next batch goes out at once: somebody is there.
        #expect(bench.sender.stats.delivered == 50)
        #expect(bench.sender.stats.isConserved)
    }

    @Test("halves a batch that is too large, from the size that it really had")
    func halves() async throws {
        let http = ScriptedHTTPClient([.status(413), .status(413)])
        let bench = SenderBench(http)
        bench.record(0..<37)
        await bench.sender.flush()
        #expect(try http.bodies.map { try SentBody($0).events.count } == [37, 18, 9, 9, 9, 9, 1])
        #expect(try http.sentNumbers.dropFirst(2).joined().map { $0 } == Array(0..<37))
        #expect(bench.sender.stats.delivered == 37)
    }

    @Test("drops a single play that is too large, and goes on with the others")
    func tooLarge() async throws {
        let http = ScriptedHTTPClient([.status(413), .status(413)])
        let bench = SenderBench(http)
        bench.record(0..<3)
        await bench.sender.flush()
        #expect(try http.sentNumbers == [[0, 1, 2], [0], [1, 2]])
        #expect(bench.sender.stats.dropped(.tooLarge) == 1)
        #expect(bench.sender.stats.delivered == 2)
        // It was the play that was at fault: the next flush tries whole batches again.
        bench.record(3..<6)
        await bench.sender.flush()
        #expect(try http.sentNumbers.last == [3, 4, 5])
    }

    @Test("remembers what was too large, so that the next flush does not try it again")
    func remembers() async throws {
        let http = ScriptedHTTPClient([.status(413)])
        let bench = SenderBench(http)
        bench.record(0..<80)
        await bench.sender.flush()
        bench.record(80..<180)
        await bench.sender.flush()
        #expect(try http.bodies.map { try SentBody($0).events.count } == [80, 40, 40, 40, 40, 20])
    }

    @Test("counts the plays that the server rejected alone, and never sends them again")
    func rejectedAlone() async {
        let body =
            #"{"accepted": 2, "rejected": [{"index": 1, "code": "missing", "field": "videoId", "message": "x"}]}"#
        let bench = SenderBench(ScriptedHTTPClient([.status(202, body: body)]))
        bench.record(0..<3)
        await bench.sender.flush()
        #expect(bench.sender.stats.delivered == 2)
        #expect(bench.sender.stats.dropped(.rejected) == 1)
        #expect(bench.sender.stats.isConserved)
    }

    @Test("counts a batch of which every play was rejected as that")
    func rejectedAll() async {
        let body = #"{"error": "all_rejected", "message": "x", "rejected": [{}, {}]}"#
        let bench = SenderBench(ScriptedHTTPClient([.status(400, body: body)]))
        bench.record(0..<2)
        await bench.sender.flush()
        #expect(bench.sender.stats.dropped(.rejected) == 2)
        #expect(bench.sender.stats.dropped(.refused) == 0)
    }

    @Test("keeps a batch that a web page answers, backs off, and delivers it when the endpoint is there")
    func foreign() async throws {
        let http = ScriptedHTTPClient([.status(200, body: "<html>Welcome to our Wi-Fi</html>"), .status(204, body: "")])
        let bench = SenderBench(http)
        bench.record(0..<2)
        await bench.sender.flush()
        #expect(bench.sender.stats.queued == 2)
        await bench.sender.flush()
        #expect(http.bodies.count == 1)
        for _ in 0..<2 {
            bench.clock.advance(by: .seconds(60))
            await bench.sender.flush()
        }
        #expect(try http.sentNumbers == [[0, 1], [0, 1], [0, 1]])
        #expect(bench.sender.stats.delivered == 2)
    }

    @Test(
        "waits as long as the server asks, in seconds or until a date",
        arguments: ["120", "Thu, 01 Jan 1970 00:02:00 GMT"])
    func retryAfter(_ value: String) async {
        let http = ScriptedHTTPClient([.status(429, retryAfter: value)])
        let bench = SenderBench(http)
        bench.record(0..<1)
        await bench.sender.flush()
        bench.clock.advance(by: .milliseconds(119_999))
        await bench.sender.flush()
        #expect(http.bodies.count == 1)
        bench.clock.advance(by: .milliseconds(30_001))
        await bench.sender.flush()
        #expect(http.bodies.count == 2)
    }

    @Test("waits for at most an hour and its own back-off, whatever the server asks")
    func longRetryAfter() async {
        let http = ScriptedHTTPClient([.status(503, retryAfter: "999999")])
        let bench = SenderBench(http)
        bench.record(0..<1)
        await bench.sender.flush()
        bench.clock.advance(by: .seconds(3630))
        await bench.sender.flush()
        #expect(http.bodies.count == 2)
    }
}
