package import Archive

/// What an operator should read of a ``Follower``.
package enum FollowerNotice: Sendable, Equatable {
    /// Loading failed and will be tried again; what failed, in words.
    case failed(String)
    /// Loading goes on after so many failures.
    case recovered(failures: Int)
    /// The store could not put its files in order; what is in it stays as it is. Said once until it can again.
    case restFailed(String)
    /// The store's own files are not as it has written them, since now.
    case storeDamaged(String)
    /// They are again.
    case storeSound
    /// All plays of days before this one, UTC days since 1970, have been removed; and the room in the store's file that new
    /// ones will use.
    case pruned(plays: Int64, before: Int64, freeBytes: Int64)
    /// A line went to the quarantine.
    case unloadable(UnloadableLine)
    /// The embedded database was raised to this program's layout.
    case raised(LayoutRaise)
    /// What has become of an embedded database that was built beside the one in use.
    case next(NextDatabase.Outcome)
    /// A stretch of the log that can't be read was passed over.
    case damaged(LogDamage)
}
