// What the code of the article "Measuring an AVPlayer" takes for granted.

import AVFoundation
import Foundation
import PlaybackMetricsClient

@MainActor
final class Feed {
    var isFresh = true

    func id(of item: AVPlayerItem) -> String { "v1" }
    func context() -> PlaybackContext { PlaybackContext() }
}

@MainActor let feed = Feed()
@MainActor let player = AVPlayer()
@MainActor let queuePlayer = AVQueuePlayer()
@MainActor let item = AVPlayerItem()
nonisolated let session = PlaybackSession()
nonisolated let http = URLSessionHTTPClient(endpoint: URL(fileURLWithPath: "/"))
nonisolated let sender = PlaybackMetricsSender(http: http)
