import PlaybackMetricsClient

/// What a ``PlayerTracker`` is told of a player.
enum PlayerEvent: Sendable {
    /// One item among those of the player.
    typealias ItemID = ObjectIdentifier

    /// Another item, or none, is the current one. A clip that is `nil` is not measured. `isQueued`: it follows in the
    /// player's queue, by itself.
    case item(ItemID?, PlaybackClip?, isQueued: Bool)
    /// The player's control changed; the first is what it was when observing began.
    case control(PlayerControl)
    /// The current item can play.
    case itemReady
    /// The current item, or the player, cannot go on.
    case failed(PlaybackError)
    /// The current item has played to its end.
    case ended(ItemEnd.Action, next: VideoID?)
    /// The time jumped.
    case jumped
    /// The app begins a seek.
    case seekBegan
    /// The seek that the app began is over.
    case seekEnded
    /// The viewer asked for a clip, whose item may come later.
    case playRequested(VideoID)
    /// An item's access log was read.
    case log(AccessLogFigures, of: ItemID)
    /// Where the video is shown.
    case presentation(PlaybackPresentation)
    /// The app went to the background.
    case background
    /// The app came back to the foreground.
    case foreground
    /// Nobody observes the player any more.
    case letGo
}
