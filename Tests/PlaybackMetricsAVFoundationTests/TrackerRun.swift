import PlaybackMetricsClient

@testable import PlaybackMetricsAVFoundation

/// A tracker, and the milliseconds at which it is told things.
struct TrackerRun {
    /// What stands for player items.
    private final class Item: Sendable {}

    private var tracker = PlayerTracker { clip in
        PlaybackMeter(videoId: clip.videoId, memory: { nil }, context: clip.context)
    }
    private let items = (0..<4).map { _ in Item() }
    private(set) var closed: [ClosedPlay] = []

    var plays: [PlaybackSummary] { closed.map(\.summary) }

    func id(_ item: Int) -> PlayerEvent.ItemID { ObjectIdentifier(items[item]) }

    mutating func at(_ milliseconds: Int, _ events: PlayerEvent...) {
        let instant = PlaybackInstant(sinceOrigin: .milliseconds(milliseconds))
        for event in events {
            if let play = tracker.handle(event, at: instant) { closed.append(play) }
        }
    }

    /// Gives the player another item.
    mutating func at(_ milliseconds: Int, item: Int?, _ videoId: VideoID = "v1", isQueued: Bool = false) {
        let clip = PlaybackClip(videoId: videoId) { PlaybackContext() }
        at(milliseconds, .item(item.map(id), item == nil ? nil : clip, isQueued: isQueued))
    }

    mutating func at(_ milliseconds: Int, log item: Int, bytes: Int64, bitrate: Double = -1, startup: Double = -1) {
        let entry = AccessLogFigures.Entry(bytes: bytes, indicatedBitrate: bitrate, startupTime: startup)
        at(milliseconds, .log(AccessLogFigures([entry]), of: id(item)))
    }
}
