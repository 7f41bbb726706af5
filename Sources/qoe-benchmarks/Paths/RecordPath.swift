internal import CMalloc
internal import Foundation
internal import PlaybackMetricsClient

/// Handing a play to the client library, as an app does on its main thread.
enum RecordPath {
    static func measure(records: Int, rounds: Int, into table: inout ResultTable) throws {
        let folder = try WorkFolder()
        let summaries = plays(SenderConfiguration().capacity)
        let senders = try [PlaybackSpool.off, .caches(limit: 500)].map { spool in
            try sender(in: folder.path + "/\(spool)", spool: spool)
        }
        // As in an app: with the sender report; then with the spool, which nobody has unless he asks for it.
        let times = try Rounds(
            rounds,
            senders.map { sender in
                { for position in 0..<records { sender.record(summaries[position % summaries.count]) } }
            })
        let each = times.median(0) / Double(records) * 1e9
        table.add("record() of the client", "\(figure(each)) ns a play", each, atMost: 150, "≤ 150 ns")
        table.add("record() with a spool", "\(figure(times.median(1) / Double(records) * 1e9)) ns a play")
        let bytes = try waitingBytes()
        table.add("a play that waits in the client", "\(figure(bytes)) bytes")
    }

    /// Hands over plays that were made before.
    static func record(_ plays: Int) throws {
        let folder = try WorkFolder()
        let sender = try sender(in: folder.path, spool: .off)
        let summaries = Self.plays(SenderConfiguration().capacity)
        for position in 0..<plays { sender.record(summaries[position % summaries.count]) }
    }

    /// Bytes in the allocator for each play of a queue that is full.
    private static func waitingBytes() throws -> Double {
        let folder = try WorkFolder()
        let sender = try sender(in: folder.path, spool: .off)
        let count = SenderConfiguration().capacity
        let before = mallinfo2().uordblks
        for summary in plays(count) { sender.record(summary) }
        let after = mallinfo2().uordblks
        return withExtendedLifetime(sender) { (Double(after) - Double(before)) / Double(count) }
    }

    /// A sender with a sender report.
    private static func sender(in folder: String, spool: PlaybackSpool) throws -> PlaybackMetricsSender {
        var configuration = SenderConfiguration()
        configuration.folder = URL(fileURLWithPath: folder)
        configuration.spool = spool
        var seams = SenderSeams()
        seams.log = { _ in }
        return PlaybackMetricsSender(http: NoEndpoint(), configuration: configuration, seams: seams)
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
