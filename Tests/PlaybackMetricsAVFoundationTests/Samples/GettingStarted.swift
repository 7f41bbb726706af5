// What the code of the article "Getting started" takes for granted.

import AVFoundation
import Observation
import PlaybackMetricsClient

@MainActor
@Observable
final class Feed {
    var cdn: String?
    var edge: String?
}

@MainActor let feed = Feed()
@MainActor let player = AVPlayer()
