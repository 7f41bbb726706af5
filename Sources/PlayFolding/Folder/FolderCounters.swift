/// What a folder has done since it began, and what it holds.
package struct FolderCounters: Sendable, Equatable {
    /// Reports that came when their play had been closed.
    package var droppedLate = 0
    /// Plays that have begun and are not closed.
    package var open = 0
    /// What is held for open plays, in bytes.
    package var bytes = 0

    package init() {}
}
