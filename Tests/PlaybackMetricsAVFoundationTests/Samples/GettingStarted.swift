// What the code of the article "Getting started" takes for granted.

import AVFoundation
import Foundation
import PlaybackMetricsClient

nonisolated struct Feed: Sendable {
    var edge: String?
    var isFresh = true

    func id(of item: AVPlayerItem) -> String { "v1" }
}

nonisolated let feed = Feed()
@MainActor let player = AVPlayer()

nonisolated let http = URLSessionHTTPClient(endpoint: URL(fileURLWithPath: "/"))
