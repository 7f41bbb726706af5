/// What holds of a play at one time. Conditions overlap: a player can be paused, seeking and waiting for data at once.
struct PlaybackConditions: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    /// The player is meant to play.
    static let wantsToPlay = PlaybackConditions(rawValue: 1)
    /// The first frame has played.
    static let hasStarted = PlaybackConditions(rawValue: 2)
    /// The player waits for data.
    static let waiting = PlaybackConditions(rawValue: 4)
    /// The player jumps to another place.
    static let seeking = PlaybackConditions(rawValue: 8)
}
