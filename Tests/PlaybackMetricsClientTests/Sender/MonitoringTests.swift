import Foundation
import PlaybackMetricsClient
import Testing

@Suite("Monitoring", .timeLimit(.minutes(1)), .serialized)
struct MonitoringTests {
    @Test("is begun by one call, is there for every view, and knows its last play")
    func start() async throws {
        let endpoint = try #require(URL(string: "http://127.0.0.1:1/v1/playback-events"))
        var configuration = SenderConfiguration.inMemory
        configuration.consent = .pending
        var seams = SenderSeams()
        seams.clock = ManualClock()
        let monitoring = PlaybackMonitoring.start(
            endpoint: endpoint, writeKey: "key", configuration: configuration, seams: seams)
        #expect(PlaybackMonitoring.current === monitoring)
        #expect(monitoring.lastSummary == nil && monitoring.consent == .pending)
        monitoring.record(.sample(1))
        #expect(monitoring.lastSummary == .sample(1))
        #expect(monitoring.sender.stats.queued == 1)
        monitoring.consent = .denied
        #expect(monitoring.sender.consent == .denied && monitoring.sender.stats.queued == 0)
        let check = await monitoring.verify()
        #expect(!check.isReachable && check.problem?.contains("NSURLErrorDomain") == true)
        await monitoring.stop()
    }

    @Test("takes parts of the app's own")
    func parts() async {
        let bench = SenderBench(ScriptedHTTPClient())
        let monitoring = PlaybackMonitoring(session: PlaybackSession(), sender: bench.sender)
        monitoring.record(.sample(1))
        await monitoring.stop()
        #expect(bench.sender.stats.delivered == 1)
        #expect(PlaybackMonitoring.current !== monitoring)
    }
}
