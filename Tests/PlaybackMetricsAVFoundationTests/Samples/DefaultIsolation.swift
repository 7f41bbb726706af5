// An app's model, as it calls the library: on the main actor, observed by views.

import AVFoundation
import Observation
import PlaybackMetricsAVFoundation
import PlaybackMetricsClient
import UIKit

@MainActor
@Observable
final class FeedModel {
    let player = AVPlayer()
    var edge: String?
    private let session = PlaybackSession()
    private let network = NetworkObserver()
    private let sender: PlaybackMetricsSender
    private let lifecycle: AppLifecycle
    private var metrics: AVPlayerMetrics?

    init(endpoint: URL) {
        sender = PlaybackMetricsSender(http: URLSessionHTTPClient(endpoint: endpoint))
        lifecycle = AppLifecycle(application: .shared, sender: sender, session: session)
        metrics = AVPlayerMetrics(player: player, metrics: sender, edge: { CDNEdge.known($0) }) { [weak self] item in
            guard let self, let id = id(of: item) else { return nil }
            return PlaybackClip(videoId: VideoID(id)) { self.context() }
        }
    }

    func show(_ id: String) {
        metrics?.playRequested(for: VideoID(id)) { self.context() }
    }

    func close() async {
        await metrics?.stop()
        await sender.stop()
    }

    private func id(of item: AVPlayerItem) -> String? { (item.asset as? AVURLAsset)?.url.lastPathComponent }

    private func context() -> PlaybackContext {
        var context = PlaybackContext(session: session)
        context.network = network.network
        context.cdnRegion = edge.flatMap { PlaybackLabel($0) }
        return context
    }
}
