/// What a folder has done since it began, and what it holds.
package struct FolderCounters: Sendable, Equatable {
    /// Lines of the log, ticks included.
    package var lines = 0
    package var reports = 0
    /// Reports that came when their play had been closed.
    package var droppedLate = 0
    /// Plays written, by why they were closed.
    package var closed: [ClosedPlay.Cause: Int] = [:]
    /// Plays that have begun and are not closed.
    package var open = 0
    /// What is held for open plays, in bytes.
    package var bytes = 0

    package init() {}
}
