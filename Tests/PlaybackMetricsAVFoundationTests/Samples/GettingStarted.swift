// The code of the article "Getting started", as an app has it. The compiler checks it against the adapter, and a test that
// the article says nothing else.

import AVFoundation
import PlaybackMetricsAVFoundation
import PlaybackMetricsClient
import UIKit

struct Feed: Sendable {
    var edge: String?
    var isFresh: Bool

    func id(of item: AVPlayerItem) -> String { "v1" }
}

func begin() {
    let session = PlaybackSession()
    let sender = PlaybackMetricsSender(
        http: URLSessionHTTPClient(
            endpoint: URL(string: "https://metrics.example.com/v1/playback-events")!,
            writeKey: "…"))
    sender.start()

    var meter = PlaybackMeter(videoId: "v1") { PlaybackContext(session: session) }
    meter.handle(.play, at: .now)
    meter.handle(.status(.playing), at: .now)
    meter.handle(.status(.stalled), at: .now)
    meter.handle(.status(.playing), at: .now)
    if let summary = meter.handle(.stop, at: .now) { sender.record(summary) }
}

@MainActor
func observe(_ player: AVPlayer, showing feed: Feed, over http: URLSessionHTTPClient, in session: PlaybackSession) {
    var seams = SenderSeams()
    seams.backgroundTime = UIKitBackgroundTime(application: .shared)
    let sender = PlaybackMetricsSender(http: http, seams: seams)

    let network = NetworkObserver()
    let metrics = AVPlayerMetrics(player: player, metrics: sender) { item in
        PlaybackClip(videoId: VideoID(feed.id(of: item))) {
            var context = PlaybackContext(session: session)
            context.network = network.network
            context.cdn = "fastly"
            context.cdnRegion = feed.edge.flatMap(PlaybackLabel.init)
            context.tags.lifecycle = .reusePool
            context.tags.acquired = feed.isFresh ? .new : .reused
            return context
        }
    }

    let lifecycle = AppLifecycle(application: .shared, sender: sender, session: session)
    lifecycle.follow(metrics)
}
