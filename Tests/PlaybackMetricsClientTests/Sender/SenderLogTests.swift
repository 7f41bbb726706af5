import Foundation
import Testing

@testable import PlaybackMetricsClient

@Suite("The sender's log", .timeLimit(.minutes(2)))
struct SenderLogTests {
    /// What a sender says that meets these answers with a play each.
    private func lines(_ answers: [HTTPClientResponse?]) async -> [String] {
        let bench = SenderBench(ScriptedHTTPClient(answers))
        for number in answers.indices {
            bench.record(number..<number + 1)
            bench.clock.advance(by: .seconds(3_600))
            await bench.sender.flush()
        }
        await bench.sender.stop()
        return bench.logged.value
    }

    @Test(
        "says once for every status that drops plays what to do",
        arguments: [
            (301, "redirects are not followed"), (308, "https"), (400, "proxy"), (401, "write key"), (403, "write key"),
            (404, "/v1/playback-events"), (405, "POST"), (415, "encoding"), (501, "Check"), (505, "Check"),
            (418, "Check"),
        ])
    func refused(_ status: Int, _ advice: String) async {
        let said = await lines(Array(repeating: .status(status), count: 3))
        #expect(said.count == 1)
        #expect(said.first?.contains("a play dropped: status \(status)") == true)
        #expect(said.first?.contains(advice) == true, "\(said)")
    }

    @Test("says each status by itself")
    func each() async {
        let said = await lines([.status(401), .status(404), .status(401), .status(415)])
        #expect(said.count == 3)
    }

    @Test("says once that a success was none of the endpoint's, and the first delivery")
    func foreign() async {
        let page = HTTPClientResponse.status(200, body: "<html>")
        let said = await lines([page, page, .status(202), .status(202)])
        #expect(said.count == 2)
        #expect(said.first?.contains("status 200 without the endpoint's response") == true)
        #expect(said.last == "PlaybackMetrics: first delivery: 3 plays accepted.")
    }

    @Test("names what the endpoint rejected, once for each code and field")
    func rejected() async {
        let body =
            #"{"accepted":0,"rejected":[{"code":"bad_format","field":"cdnRegion"},{"code":"bad_format","field":"cdn"}]}"#
        let said = await lines([.status(202, body: body), .status(202, body: body)])
        #expect(said.count == 2)
        #expect(said.first?.contains("bad_format of cdnRegion") == true)
        let all = await lines([
            .status(400, body: #"{"error":"all_rejected","rejected":[{"code":"missing","field":"stalls"}]}"#)
        ])
        #expect(all.first?.contains("missing of stalls") == true && all.count == 1)
    }

    @Test(
        "gives the domain and the code of a failed connection, and what to do",
        arguments: [
            (-1022, "App Transport Security"), (-1003, "host name"), (-1004, "Nothing listens"), (-1202, "certificate"),
            (-1009, "offline"), (-1001, "again later"), (-1002, "no web address"),
        ])
    func transport(_ code: Int, _ advice: String) async {
        let bench = SenderBench(FailingHTTPClient(error: NSError(domain: NSURLErrorDomain, code: code)))
        bench.record(0..<1)
        for _ in 0..<3 {
            await bench.sender.flush()
            bench.clock.advance(by: .seconds(3_600))
        }
        #expect(bench.logged.value.count == 1)
        let line = bench.logged.value.first ?? ""
        #expect(line.contains("NSURLErrorDomain \(code)") && line.contains(advice), "\(line)")
    }

    @Test("says that a summary has figures of no play")
    func unencodable() async {
        let bench = SenderBench(ScriptedHTTPClient())
        for _ in 0..<2 {
            var wrong = PlaybackSummary.sample()
            wrong.watchedMs = -1
            bench.sender.record(wrong)
            await bench.sender.flush()
        }
        #expect(bench.logged.value.count == 1)
        #expect(bench.logged.value.first?.contains("figures") == true)
    }

    @Test("says that a sender goes with plays unsent, and nothing when all is sent", arguments: [0, 3])
    func released(_ count: Int) async {
        let logged = Mutable<[String]>([])
        do {
            var seams = SenderSeams()
            seams.log = { line in logged.update { $0.append(line) } }
            let sender = PlaybackMetricsSender(http: ScriptedHTTPClient(), configuration: .inMemory, seams: seams)
            for number in 0..<count { sender.record(.sample(number)) }
        }
        #expect(logged.value.count == min(count, 1))
        #expect(logged.value.allSatisfy { $0.contains("3 plays unsent") })
    }

    @Test("is bounded, whatever codes an endpoint makes up")
    func bounded() async {
        let answers = (0..<100).map { number in
            HTTPClientResponse.status(202, body: #"{"accepted":0,"rejected":[{"code":"c\#(number)"}]}"#)
        }
        #expect(await lines(answers).count == 64)
    }

    @Test("of the system takes a line")
    func system() {
        SystemLog.write("PlaybackMetrics: a line of the tests, %@ and 100 % of it.")
    }
}

/// Every request fails in the same way.
private struct FailingHTTPClient: HTTPClient {
    let error: NSError

    func post(_ body: Data) async throws -> HTTPClientResponse { throw error }
}
