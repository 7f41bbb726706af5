/// What a ``PlaybackMeter`` is told.
public enum PlaybackInput: Sendable, Hashable {
    /// The viewer, or the app for him, asks to play.
    case play
    /// The viewer, or the app for him, asks to pause.
    case pause
    /// The player's status changed.
    case status(PlaybackStatus)
    /// The player jumps to another position.
    case seekBegan
    /// The jump has arrived, or was given up. One end is enough for all seeks begun before it.
    case seekEnded
    /// Playback stopped because the app or the device did.
    case suspended
    /// The bitrate that now plays, in bit/s; `nil`, 0, a negative or no number at all: not known.
    case bitrate(Double?)
    /// The bytes received for this play up to now; a negative number is not known, and ignored.
    case bytes(Int64)
    /// The app's memory footprint in bytes; a negative number is not known, and ignored. Without it the meter takes a
    /// sample when the play closes.
    case memory(Int64)
    /// The player's own account of the startup in milliseconds; a negative number is not known, and ignored.
    case logStartup(Int)
    /// The player's own account of its stalls up to now: how many, and their time in milliseconds; a negative number is
    /// not known, and the account ignored.
    case playerStalls(Int, milliseconds: Int)
    /// The edge that serves the play from now on, as a response of this play has shown.
    case edge(CDNEdge)
    /// Where the video is shown now. It holds until the next one, over the plays of a meter.
    case presentation(PlaybackPresentation)
    /// The player lets the clip go.
    case stop
}

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
