import PlaybackMetricsClient

/// What a ``PlayerTracker`` is told of a player.
enum PlayerEvent: Sendable {
    /// One item among those of the player: a number that no other item gets, unlike an address.
    struct ItemID: Sendable, Hashable {
        var number: Int
    }

    /// Another item, or none, is the current one. A clip that is `nil` is not measured. `isQueued`: it follows in the
    /// player's queue, by itself.
    case item(ItemID?, TrackedClip?, isQueued: Bool)
    /// The player's control changed; the first is what it was when observing began.
    case control(PlayerControl)
    /// The current item can play.
    case itemReady
    /// The current item, or the player, cannot go on. `isVague`: the error says nothing, and the item's log may say more.
    case failed(PlaybackError, isVague: Bool)
    /// The current item has played to its end.
    case ended(ItemEnd.Action, next: VideoID?)
    /// The player ran out of data. One that does not wait by itself pauses then.
    case playbackStalled(waitsByItself: Bool)
    /// The current item has no data left, or has some again.
    case bufferEmpty(Bool)
    /// The time jumped.
    case jumped
    /// The app begins a seek.
    case seekBegan
    /// The seek that the app began is over.
    case seekEnded
    /// The viewer asked for a clip, whose item may come later.
    case playRequested(TrackedClip)
    /// The viewer gave the clip up that he asked for.
    case requestCancelled
    /// An item's access log was read.
    case accessLog([ItemLog.Entry], of: ItemID)
    /// What an item's access log holds belongs to a play that had closed.
    case closingLog([ItemLog.Entry], of: ItemID)
    /// An item's error log has so many entries.
    case errorLog(count: Int, of: ItemID)
    /// A response showed the edge that serves an item.
    case edge(CDNEdge, of: ItemID)
    /// The player's own measurement of an item told something.
    case metric(PlayerMetric, of: ItemID)
    /// Where the video is shown.
    case presentation(PlaybackPresentation)
    /// The app went to the background.
    case background
    /// The app came back to the foreground.
    case foreground
    /// The app ends.
    case terminated
    /// Nobody observes the player any more.
    case letGo
}

/// The clip of an item, and the circumstances that its meter asks for from whichever thread.
struct TrackedClip: Sendable {
    var videoId: VideoID
    var context: @Sendable () -> PlaybackContext
}

/// What the player's own measurement (AVMetrics) tells, as far as it matters to a play.
enum PlayerMetric: Sendable, Hashable {
    /// It ran out of data.
    case stall
    /// It jumps to another position.
    case seekBegan
    /// The jump has arrived. `inBuffer`: it needed no data that was not there.
    case seekEnded(inBuffer: Bool)
    /// It plays a variant with this bitrate in bit/s.
    case bitrate(Double?)
    /// Its account of the whole: stalls, the time in them in ms, the startup in ms.
    case summary(stalls: Int, stalledMs: Int, startupMs: Int)

    /// Seconds in whole ms; −1 for what is no time.
    static func milliseconds(_ seconds: Double) -> Int {
        (0..<1e9).contains(seconds) ? Int((seconds * 1000).rounded()) : -1
    }
}
