internal import Foundation
internal import PlaybackMetricsClient

/// Handing a play to the client library, as an app does on its main thread.
enum RecordPath {
    static func measure(records: Int, rounds: Int, into table: inout ResultTable) throws {
        let sender = PlaybackMetricsSender(http: NoEndpoint())
        let summary = PlaybackSummary(videoId: VideoID("clip-1"), playId: UUID())
        let times = try Rounds(rounds, [{ for _ in 0..<records { sender.record(summary) } }])
        table.add("record() of the client", "\(figure(times.median(0) / Double(records) * 1e9)) ns a play")
    }
}

/// No request gets anywhere.
private struct NoEndpoint: HTTPClient {
    func post(_ body: Data) async throws -> HTTPClientResponse {
        throw URLError(.notConnectedToInternet)
    }
}
