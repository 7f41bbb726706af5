package import Archive

/// What an operator should read of a ``Follower``.
package enum FollowerNotice: Sendable, Equatable {
    /// Loading failed and will be tried again; what failed, in words.
    case failed(String)
    /// Loading goes on after so many failures.
    case recovered(failures: Int)
    /// A line went to the quarantine.
    case unloadable(UnloadableLine)
    /// The embedded database was raised to this program's layout.
    case raised(LayoutRaise)
    /// A stretch of the log that can't be read was passed over.
    case damaged(LogDamage)
}
