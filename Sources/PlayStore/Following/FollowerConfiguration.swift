package import Archive

/// How a ``Follower`` works.
package struct FollowerConfiguration: Sendable {
    /// Rows of one commit: what gathers while a load is busy goes together, up to so many.
    package var batchRows = 32_768
    /// Bytes of lines that are read from the log at once.
    package var chunkBytes = 1 << 20
    /// How much the follower's thread gives way to those that answer requests, when there are too few processors for all:
    /// 0 (not) to 19. What it does not get in a burst of plays it makes up for after it.
    package var niceness: Int32 = 5
    /// How long rows gather between one load and the next, in ms: a row alone costs a page of the database.
    package var pauseMs = 250
    /// How often it looks for new lines when nobody wakes it, in ms.
    package var pollMs = 1_000
    /// The store may rest after so long without a new line, in ms.
    package var restAfterMs = 2_000
    /// The wait after a first failure and the longest, in ms; it doubles from one to the other.
    package var firstRetryMs = 100
    package var longestRetryMs = 5_000
    /// How often the store's files are looked at as others will find them, in ms.
    package var lookMs = 15_000
    /// How long ``Follower/followToEnd(progress:)`` puts up with a locked database on the caller's own thread, in ms.
    package var patienceMs = 60_000
    /// The end of a log up to which it is durable. Nothing after it is read: a store must not hold what a power cut may
    /// take from the log. Nil: up to what the files hold.
    package var durableEnd: (@Sendable (LogKind) -> LogPosition)?
    /// Puts a line that can't be loaded into the quarantine, durably. Nil: such lines are only counted.
    package var quarantine: (@Sendable (UnloadableLine) throws -> Void)?
    /// Gets what an operator should read; called on the follower's thread.
    package var onNotice: @Sendable (FollowerNotice) -> Void = { _ in }

    package init() {}
}
