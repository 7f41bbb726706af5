import PlaybackMetricsClient

@testable import PlaybackMetricsAVFoundation

/// A tracker, and the milliseconds at which it is told things.
struct TrackerRun {
    private var tracker = PlayerTracker { clip in
        PlaybackMeter(videoId: clip.videoId, memory: { nil }, context: clip.context)
    }
    private(set) var closed: [ClosedPlay] = []

    var plays: [PlaybackSummary] { closed.map(\.summary) }

    func id(_ item: Int) -> PlayerEvent.ItemID { PlayerEvent.ItemID(number: item) }

    mutating func at(_ milliseconds: Int, _ events: PlayerEvent...) {
        let instant = PlaybackInstant(sinceOrigin: .milliseconds(milliseconds))
        for event in events { closed += tracker.handle(event, at: instant) }
    }

    /// Gives the player another item.
    mutating func at(_ milliseconds: Int, item: Int?, _ videoId: VideoID = "v1", isQueued: Bool = false) {
        at(milliseconds, .item(item.map(id), item == nil ? nil : .named(videoId), isQueued: isQueued))
    }

    mutating func at(_ milliseconds: Int, log item: Int, bytes: Int64, bitrate: Double = -1, startup: Double = -1) {
        let entry = ItemLog.Entry(bytes: bytes, indicatedBitrate: bitrate, startupTime: startup)
        at(milliseconds, .accessLog([entry], of: id(item)))
    }
}

extension TrackedClip {
    static func named(_ videoId: VideoID) -> TrackedClip {
        TrackedClip(videoId: videoId) { PlaybackContext() }
    }
}

extension PlayerEvent {
    static func failed(_ error: PlaybackError) -> PlayerEvent { .failed(error, isVague: false) }
    static func playRequested(_ videoId: VideoID) -> PlayerEvent { .playRequested(.named(videoId)) }
}
