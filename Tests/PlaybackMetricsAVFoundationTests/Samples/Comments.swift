// What the code in the comments of the sources takes for granted.

import AVFoundation
import Foundation
import PlaybackMetricsClient

struct Feed: Sendable {
    func id(of item: AVPlayerItem) -> String { "v1" }
    func context() -> PlaybackContext { PlaybackContext() }
}

let feed = Feed()
let session = PlaybackSession()
let metrics = InMemoryPlaybackMetrics()
let endpoint = URL(fileURLWithPath: "/")
let key = "secret"
@MainActor let player = AVPlayer()
@MainActor let queuePlayer = AVQueuePlayer()
@MainActor let item = AVPlayerItem()
