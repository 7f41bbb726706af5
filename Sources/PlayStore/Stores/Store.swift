package import PlaybackEvents

/// What follows the log: it makes rows of the log's lines, and remembers how far it has come.
///
/// Lines are gathered chunk after chunk in a ``LineGatherer``, which knows nothing of the store any more. What it seals, a
/// value, becomes rows together with the new places in one commit, or not at all; a commit that failed may be tried again.
/// So one thread gathers while another commits, and a store itself is never used by two.
package protocol Store: AnyObject, SendableMetatype {
    associatedtype Gatherer: LineGatherer

    /// Up to where the logs have been committed.
    var positions: LogPositions { get }
    /// Up to where a commit goes that was begun before this process and may be there in part: it has to be made again with
    /// exactly those lines. Nil without one.
    var pending: LogPositions? { get }
    /// What has been committed.
    var totals: StoreTotals { get }

    /// What gathers lines from where the store stands. What another one has gathered and not sealed is given up.
    func gatherer() throws -> Gatherer

    /// Rises when what a gatherer knows of the store has been removed, by a prune or an erasure: the next lines need another.
    var generation: Int { get }

    /// Makes rows of what was sealed, and moves the places, atomically.
    ///
    /// - Throws: what the store said; then nothing has changed.
    func commit(_ batch: Gatherer.Batch, upTo positions: LogPositions) throws

    /// The process ends: a commit under way gets a few seconds more, and may fail then. May be called from any thread.
    var endSoon: @Sendable () -> Void { get }

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
    package var generation: Int { 0 }
    package var endSoon: @Sendable () -> Void { {} }
    package func tidy() throws -> Bool { false }
    package func finish(_ isOver: () -> Bool) throws {}
    package func freeBytes() throws -> Int64? { nil }
    package func damage() -> String? { nil }
}

/// Gathers lines of the logs in memory, for one ``Store``.
package protocol LineGatherer: Sendable {
    /// Lines on their way to the store: a value that the thread that gathers hands to the one that commits.
    associatedtype Batch: Sendable

    /// How many rows have been gathered and not yet sealed.
    var count: Int { get }

    /// Takes the lines of one chunk of the plays' log.
    ///
    /// - Parameter unloadable: how many lines of the chunk could not be read at all.
    /// - Returns: the indices of the entries that can't be loaded; they are counted as unloadable.
    mutating func gather(_ lines: borrowing LoggedPlays, unloadable: Int) -> [Int]

    /// Takes what a chunk of the quarantine's log held.
    mutating func gather(_ rejections: RejectionTally)

    /// Hands over what is gathered, and goes on behind it.
    ///
    /// - Parameter spent: a batch that has been committed: new memory of that size costs as much as a tenth of loading what
    ///   it holds.
    mutating func seal(reusing spent: consuming Batch?) -> Batch
}

extension LineGatherer {
    package mutating func seal() -> Batch { seal(reusing: nil) }
}
