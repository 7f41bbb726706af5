/// Something that an operator should read in the log.
package enum ArchiveNotice: Sendable, Equatable {
    /// A file ended in the middle of a write and was cut back to its last good member.
    case tailCut(file: String, range: Range<Int64>)
    /// A file that never got a member was removed.
    case emptyRemoved(file: String)
    /// Damage found at start: the bytes were set aside, what follows was moved to a new file.
    case damageSetAside(file: String, range: Range<Int64>)
    /// Commits fail, this being the first; each further one is tried as if nothing had been, and not told.
    case commitsFail(FileError)
    /// A commit was durable after so many had failed.
    case commitsSucceed(failed: Int)
    /// The log's state on disk is no longer known: nothing will be committed until the process starts anew.
    case fatal(FileError)
    /// The quarantine has reached its bound: rejected events are counted and no longer kept.
    case quarantineFull(bytes: Int64)
    /// Somebody has removed or renamed the file that was written, or a folder above it; what follows goes into a new one.
    case fileGone(file: String)
}
