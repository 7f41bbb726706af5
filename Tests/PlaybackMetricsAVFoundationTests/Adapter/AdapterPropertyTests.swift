import AVFoundation
import Foundation
import Network
import PlaybackEvents
import TestSupport
import Testing

@testable import PlaybackMetricsAVFoundation
@testable import PlaybackMetricsClient

@MainActor
@Suite("A player, whatever happens to it")
struct AdapterPropertyTests {
    @Test("has plays that fit into the time on the wall, each recorded once, with figures that an endpoint takes")
    func anything() async {
        var random = SeededGenerator(seed: 1)
        var plays = 0
        let endpoint = JudgingEndpoint()
        var configuration = SenderConfiguration()
        configuration.folder = nil
        configuration.capacity = 1000
        let sender = PlaybackMetricsSender(http: endpoint, configuration: configuration)
        for sequence in 0..<1000 {
            let player = sequence.isMultiple(of: 3) ? AVQueuePlayer() : AVPlayer()
            let run = AdapterRun(player, usesItemMetrics: sequence.isMultiple(of: 2), edge: { CDNEdge.known($0) })
            player.automaticallyWaitsToMinimizeStalling = !sequence.isMultiple(of: 5)
            let items = ["v1", "v1", "v2", nil].map { run.item($0) }
            player.replaceCurrentItem(with: items[0])
            items[0].become(.readyToPlay)
            var time = 0
            var bytes: Int64 = 0
            for _ in 0..<Int.random(in: 1...100, using: &random) {
                time += Int.random(in: 0...900, using: &random)
                run.at(time)
                bytes += await happen(to: run, items, &random)
            }
            let recorded = await run.stop(time)
            let watched = recorded.reduce(0) { $0 + $1.watchedMs }
            let told = recorded.reduce(0) { $0 + ($1.bytes ?? 0) }
            if !recorded.allSatisfy(holds) || watched > time || told > bytes
                || Set(recorded.map(\.playId)).count != recorded.count
            {
                Issue.record("sequence \(sequence): \(watched) ms of \(time), \(told) bytes of \(bytes): \(recorded)")
                return
            }
            plays += recorded.count
            for play in recorded { sender.record(play) }
            await sender.flush()
        }
        #expect(plays > 3000)
        // Each was taken, by the server's own rules.
        #expect(sender.stats.delivered == plays && sender.stats.dropped == 0, "\(sender.stats)")
        #expect(endpoint.rejections == [])
    }

    private func holds(_ play: PlaybackSummary) -> Bool {
        BatchEncoder.canEncode(play) && (play.startupMs == nil || play.waitedMs == nil)
            && (play.avgBitrate.map { $0 > 0 && $0 <= 1_000_000_000 } ?? true)
    }

    /// One thing happens; the bytes that were received with it.
    private func happen(
        to run: AdapterRun, _ items: [AVPlayerItem], _ random: inout SeededGenerator
    ) async -> Int64 {
        let item = items[Int.random(in: 0..<items.count, using: &random)]
        let reasons: [AVPlayer.WaitingReason] = [.toMinimizeStalls, .evaluatingBufferingRate, .interstitialEvent]
        let reason = reasons[Int.random(in: 0..<reasons.count, using: &random)]
        switch Int.random(in: 0..<26, using: &random) {
        case 0: run.player.replaceCurrentItem(with: item)
        case 1: (run.player as? AVQueuePlayer)?.fill(items) ?? run.player.replaceCurrentItem(with: nil)
        case 2: (run.player as? AVQueuePlayer)?.advance()
        case 3, 4: run.player.become(.waitingToPlayAtSpecifiedRate, reason)
        case 5...7: run.player.become(.playing)
        case 8: run.player.become(.paused)
        case 9, 10: run.player.currentItem?.become(.readyToPlay)
        case 11: run.player.currentItem?.buffer(isEmpty: Bool.random(using: &random))
        case 12: item.post(AVPlayerItem.playbackStalledNotification)
        case 13: item.post(AVPlayerItem.timeJumpedNotification)
        case 14: item.post(AVPlayerItem.didPlayToEndTimeNotification)
        case 15: item.post(AVPlayerItem.failedToPlayToEndTimeNotification, error: NSError.empty)
        case 16: item.log(AVPlayerItemErrorLogEvent(domain: "CoreMediaErrorDomain", code: -12660))
        case 17: run.metrics?.seekBegan()
        case 18: run.metrics?.seekEnded()
        case 19: run.metrics?.playRequested(for: Bool.random(using: &random) ? "v1" : "v3")
        case 20: run.metrics?.cancelPlayRequest()
        case 21: run.metrics?.appDidEnterBackground()
        case 22: run.metrics?.appWillEnterForeground()
        case 23: item.measure(AVMetricPlayerItemStallEvent())
        case 24: await run.settle()
        default:
            item.log(AVPlayerItemAccessLogEvent(bytes: 1000, bitrate: 1_000_000, uri: "https://a.akamaized.net/x"))
            return 1000
        }
        return 0
    }

    @Test("knows no network until the system tells it, and then the one that it told last")
    func network() {
        let monitors = NWPathMonitor.count
        var observer: NetworkObserver? = NetworkObserver()
        #expect(observer?.network == nil && NWPathMonitor.count == monitors + 1)
        NWPathMonitor.become(NWPath([.cellular]))
        #expect(observer?.network == .cellular)
        NWPathMonitor.become(NWPath([.wifi, .cellular], isConstrained: true))
        #expect(observer?.network == .constrained)
        NWPathMonitor.become(NWPath([.other]))
        #expect(observer?.network == .other)
        observer = nil
        #expect(NWPathMonitor.count == monitors)
    }
}

/// Judges batches as a server does.
private final class JudgingEndpoint: HTTPClient, @unchecked Sendable {
    private let lock = NSLock()
    private var rejected: [String] = []

    var rejections: [String] { lock.withLock { rejected } }

    func post(_ body: Data) async throws -> HTTPClientResponse {
        let receipt = Receipt(receivedAt: 1_796_000_000_000, requestId: Identifier128(high: 1, low: 1))
        let batch = try RequestDecoder.decode(Array(body), receipt: receipt)
        let faults = batch.rejections.map { "\($0)" }
        lock.withLock { rejected += faults }
        let entries = batch.rejections.map { _ in "{}" }.joined(separator: ",")
        return HTTPClientResponse(
            status: 202, body: Data(#"{"accepted":\#(batch.plays.count),"rejected":[\#(entries)]}"#.utf8))
    }
}
