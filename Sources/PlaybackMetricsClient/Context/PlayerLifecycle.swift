/// How the app keeps its players: the tag `lifecycle`.
public enum PlayerLifecycle: String, Sendable, Hashable, CaseIterable {
    /// A new player for every clip.
    case `default`
    /// A few players that take any clip in turn.
    case reusePool = "reuse_pool"
    /// A pool that keeps a player for each of the latest clips.
    case idScopedPool = "id_scoped_pool"
    /// One player for everything.
    case singleton
}

/// How the player of a play was obtained: the tag `acquired`.
public enum PlayerAcquisition: String, Sendable, Hashable, CaseIterable {
    /// Made for this play.
    case new
    /// Taken from a pool, after another clip.
    case reused
    /// Found in a pool with this very clip.
    case hit
}
