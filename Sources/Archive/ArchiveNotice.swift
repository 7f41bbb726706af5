/// Something that an operator should read in the log.
package enum ArchiveNotice: Sendable, Equatable {
    /// A file ended in the middle of a write and was cut back to its last good member.
    case tailCut(file: String, range: Range<Int64>)
    /// A file that never got a member was removed.
    case emptyRemoved(file: String)
    /// Damage found at start: the bytes were set aside, what follows was moved to a new file.
    case damageSetAside(file: String, range: Range<Int64>)
    /// A commit failed; the next one is tried as if nothing had been.
    case commitFailed(FileFault)
    /// The bytes of this file could not be made durable, so nothing is added to it any more.
    case fileAbandoned(FileFault)
    /// The log's state on disk is no longer known: nothing will be committed until the process starts anew.
    case fatal(FileFault)
    /// The quarantine has reached its bound: rejected events are counted and no longer kept.
    case quarantineFull(bytes: Int64)
}
