// What the code in the comments of the sources takes for granted.

import AVFoundation
import Foundation
import PlaybackMetricsClient

nonisolated struct Feed: Sendable {
    func id(of item: AVPlayerItem) -> String { "v1" }
    func context() -> PlaybackContext { PlaybackContext() }
}

nonisolated let feed = Feed()
nonisolated let session = PlaybackSession()
nonisolated let metrics = InMemoryPlaybackMetrics()
nonisolated let endpoint = URL(fileURLWithPath: "/")
nonisolated let key = "secret"
@MainActor let player = AVPlayer()
@MainActor let queuePlayer = AVQueuePlayer()
@MainActor let item = AVPlayerItem()
