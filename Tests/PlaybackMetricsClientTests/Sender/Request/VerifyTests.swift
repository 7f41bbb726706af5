import Foundation
import PlaybackMetricsClient
import Testing

@Suite("The sender's look at the endpoint", .timeLimit(.minutes(2)))
struct VerifyTests {
    private let wallClock = Date(timeIntervalSince1970: 1_796_000_000)

    private func check(_ answer: HTTPClientResponse?) async -> EndpointCheck {
        let http = ScriptedHTTPClient([answer])
        let bench = SenderBench(http, wallClock: wallClock)
        bench.record(0..<3)
        let check = await bench.sender.verify()
        // Nothing of any play goes with it, and nothing is changed.
        #expect(http.bodies == [Data(#"{"schemaVersion":1,"events":[]}"#.utf8)])
        #expect(bench.sender.stats.queued == 3 && bench.sender.stats.attempts == 0)
        return check
    }

    @Test("says that it is reachable, takes the key, which version it is, and how far the clock is off")
    func good() async throws {
        let body = #"{"accepted":0,"rejected":[],"version":"1.2.3"}"#
        var answer = HTTPClientResponse.status(202, body: body)
        answer.date = "Mon, 30 Nov 2026 00:53:10 GMT"
        let check = await check(answer)
        #expect(check.isGood && check.isReachable && check.isKeyAccepted == true)
        #expect(check.serverVersion == "1.2.3" && check.status == 202)
        let skew = try #require(check.clockSkew)
        #expect(skew > .seconds(8) && skew < .seconds(11), "\(skew)")
        #expect(check.description.contains("server 1.2.3"))
    }

    @Test("knows a server that tells neither its version nor the time")
    func old() async {
        let check = await check(.status(202))
        #expect(check.isGood && check.serverVersion == nil && check.clockSkew == nil)
        #expect(!check.description.isEmpty)
    }

    @Test("says what is wrong, and what to do")
    func bad() async {
        for status in [401, 403] {
            let check = await check(.status(status))
            #expect(check.isReachable && check.isKeyAccepted == false && check.problem?.contains("key") == true)
        }
        let elsewhere = await check(.status(404))
        #expect(!elsewhere.isReachable && elsewhere.isKeyAccepted == nil)
        #expect(elsewhere.problem?.contains("/v1/playback-events") == true)
        let page = await check(.status(200, body: "<html>"))
        #expect(!page.isReachable && page.problem?.contains("hot-spot") == true)
        let busy = await check(.status(503))
        #expect(busy.isReachable && !busy.isGood)
        let nobody = await check(nil)
        #expect(!nobody.isReachable && nobody.status == nil && nobody.problem?.hasPrefix("no response") == true)
        #expect(nobody.description.hasPrefix("not verified: "))
    }
}
