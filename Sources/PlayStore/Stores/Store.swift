package import PlaybackEvents

/// What follows the log: it loads the log's lines, and remembers how far it has come.
///
/// Lines are gathered in memory, chunk after chunk, until they are sealed. What is sealed becomes rows together with the new
/// places in one commit, or not at all; a commit that failed may be tried again. One thread at a time uses a store, with
/// one exception: while ``commit(upTo:)`` runs on one thread, another may call ``gather(_:unloadable:)``.
package protocol Store: AnyObject {
    /// Up to where the logs have been committed.
    var positions: LogPositions { get }
    /// Up to where a commit goes that was begun before this process and may be there in part: it has to be made again with
    /// exactly those lines. Nil without one.
    var pending: LogPositions? { get }
    /// What has been committed.
    var totals: StoreTotals { get }
    /// How many rows have been gathered and not yet sealed.
    var gathered: Int { get }

    /// Takes the lines of one chunk of the plays' log.
    ///
    /// - Parameter unloadable: how many lines of the chunk could not be read at all.
    /// - Returns: the indices of the entries that can't be loaded; they are counted as unloadable.
    func gather(_ lines: borrowing LoggedPlays, unloadable: Int) -> [Int]

    /// Takes what a chunk of the quarantine's log held.
    func gather(_ rejections: RejectionTally)

    /// Makes what is gathered ready to be committed. What was sealed before has been committed.
    func seal()

    /// Makes rows of everything sealed, and moves the places, atomically.
    ///
    /// - Throws: what the store said; then nothing has changed, and everything sealed is still there.
    func commit(upTo positions: LogPositions) throws

    /// The process ends: a commit under way gets a few seconds more, and may fail then. Called from any thread.
    func endSoon()

    /// Does a little of what may wait. Called when there is nothing to load.
    ///
    /// - Returns: whether there is more of it.
    func tidy() throws -> Bool

    /// Does all of what may wait.
    ///
    /// - Parameter isOver: asked now and then whether to give up.
    func finish(_ isOver: () -> Bool) throws

    /// Called when there has been nothing to load for a while.
    func rest() throws

    /// Removes a little of what is of days before `day`, UTC days since 1970. Called when nothing is gathered and no commit is
    /// under way.
    ///
    /// - Returns: the number of plays removed; nil when there is nothing left to remove.
    func pruneSome(before day: Int64) throws -> Int64?

    /// What the store's file has of room that new plays will use, in bytes; nil for a store that has no file of its own.
    func freeBytes() throws -> Int64?

    /// Removes somebody's plays, for good. Called when nothing is gathered; called again after a crash, it does what is left.
    ///
    /// - Returns: how many rows went.
    func erase(_ erasure: StoreErasure) throws -> Int64
    /// Looks at the files that the store writes beside the archive, as whoever opens them next will find them. Called now and
    /// then, when no commit is under way.
    ///
    /// - Returns: what is wrong with them; nil when nothing is.
    func damage() -> String?
}

extension Store {
    package var pending: LogPositions? { nil }
    package func endSoon() {}
    package func tidy() throws -> Bool { false }
    package func finish(_ isOver: () -> Bool) throws {}
    package func freeBytes() throws -> Int64? { nil }
    package func damage() -> String? { nil }
}
