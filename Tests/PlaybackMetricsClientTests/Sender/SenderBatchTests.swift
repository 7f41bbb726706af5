import Foundation
import PlaybackMetricsClient
import Testing

@Suite("The sender's batches")
struct SenderBatchTests {
    @Test("go out one after the other until the queue is empty, at most 100 plays each")
    func batches() async throws {
        let http = ScriptedHTTPClient()
        let sender = PlaybackMetricsSender(http: http)
        for number in 0..<250 { sender.record(.sample(number)) }
        await sender.flush()
        #expect(try http.bodies.map { try SentBody($0).events.count } == [100, 100, 50])
        #expect(sender.stats.delivered == 250)
        #expect(sender.stats.queued == 0)
    }
}
