internal import CMalloc
internal import Foundation
internal import PlaybackMetricsClient

/// Handing a play to the client library, as an app does on its main thread.
enum RecordPath {
    static func measure(records: Int, rounds: Int, into table: inout ResultTable) throws {
        let sender = PlaybackMetricsSender(http: NoEndpoint())
        let summaries = plays(SenderConfiguration().capacity)
        let times = try Rounds(
            rounds, [{ for place in 0..<records { sender.record(summaries[place % summaries.count]) } }])
        let each = times.median(0) / Double(records) * 1e9
        table.add("record() of the client", "\(figure(each)) ns a play", each, atMost: 150, "≤ 150 ns")
        let bytes = waitingBytes()
        table.add("a play that waits in the client", "\(figure(bytes)) bytes")
    }

    /// Hands over plays that were made before.
    static func record(_ plays: Int) {
        let sender = PlaybackMetricsSender(http: NoEndpoint())
        let summaries = Self.plays(SenderConfiguration().capacity)
        for place in 0..<plays { sender.record(summaries[place % summaries.count]) }
    }

    /// Bytes in the allocator for each play of a queue that is full.
    private static func waitingBytes() -> Double {
        let sender = PlaybackMetricsSender(http: NoEndpoint())
        let count = SenderConfiguration().capacity
        let before = mallinfo2().uordblks
        for summary in plays(count) { sender.record(summary) }
        let after = mallinfo2().uordblks
        return withExtendedLifetime(sender) { (Double(after) - Double(before)) / Double(count) }
    }

    /// Plays as a meter gives them, each with a context of its own.
    private static func plays(_ count: Int) -> [PlaybackSummary] {
        let session = PlaybackSession()
        var meter = PlaybackMeter(videoId: "clip-1234567890123456", memory: { nil }) {
            var context = PlaybackContext(session: session)
            context.network = .wifi
            context.cdn = "a-cdn-with-quite-a-name"
            context.cdnRegion = "eu-central"
            context.tags.lifecycle = .reusePool
            context.tags.acquired = .reused
            return context
        }
        return (0..<count).compactMap { _ in
            meter.handle(.play, at: .now)
            meter.handle(.status(.playing), at: .now)
            return meter.handle(.stop, at: .now)
        }
    }
}

/// No request gets anywhere.
private struct NoEndpoint: HTTPClient {
    func post(_ body: Data) async throws -> HTTPClientResponse {
        throw URLError(.notConnectedToInternet)
    }
}
