internal import Platform

/// How a ``Committer`` works.
package struct CommitterConfiguration: Sendable {
    /// Names the server in its files' names.
    package var node = NodeName.standard
    /// A file that would pass this length is followed by a new one, in bytes.
    package var segmentBytes: Int64 = 256 << 20
    /// The lines that one member takes together, in bytes; a single larger commit is a member of its own.
    package var groupBytes = 4 << 20
    /// The lines that may wait, in bytes; also the most that one commit may have.
    package var queueBytes = 64 << 20
    /// The files of the quarantine, in bytes: at this size rejected events are counted and no longer kept.
    package var quarantineBytes: Int64 = 1 << 30
    /// How much of the last file's end is read at start, in bytes (about 6 ms a MiB).
    package var recoveryBytes: Int64 = 16 << 20
    /// The place that a store has read up to. Nothing is ever written before it: where the log ends earlier (a copy of the
    /// directory whose files are of different moments), it goes on in a later file.
    package var followedTo = LogPosition.beginning
    /// The same for the quarantine, and for the reports, of which plays are put together.
    package var quarantineFollowedTo = LogPosition.beginning
    package var reportsFollowedTo = LogPosition.beginning
    /// Goes on in the last file of each log; else each begins a new one.
    package var resumesFiles = true
    /// The system calls.
    package var files = FileCalls.system
    /// A clock that never steps, in nanoseconds.
    package var monotonicNanoseconds: @Sendable () -> UInt64 = { SystemClock.monotonic }
    /// Gets what an operator should read; called on the committer's thread, or on the one that makes it.
    package var onNotice: @Sendable (ArchiveNotice) -> Void = { _ in }
    /// Gets the end of the plays' log after each commit, whichever log it went to; called on the committer's thread, must not block.
    package var onCommit: @Sendable (LogPosition) -> Void = { _ in }

    package init() {}
}
