/// What a player is doing.
public enum PlaybackStatus: Sendable, Hashable {
    /// It waits for data.
    case loading
    /// It plays.
    case playing
    /// It wants to play and waits for data.
    case stalled
    /// It does not want to play.
    case paused
    /// It has played to the end.
    case ended
    /// It cannot go on.
    case failed(PlaybackError)
}
