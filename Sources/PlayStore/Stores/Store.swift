package import PlaybackEvents

/// What follows the log: it loads the log's lines, and remembers how far it has come.
///
/// Lines are gathered in memory, chunk after chunk, and become rows together with the new places in one commit, or not at
/// all. A commit that failed may be tried again. Used by one thread at a time.
package protocol Store: AnyObject {
    /// Up to where the logs have been committed.
    var places: LogPlaces { get }
    /// What has been committed.
    var totals: StoreTotals { get }
    /// How many rows wait for the next commit.
    var gathered: Int { get }

    /// Takes the lines of one chunk of the plays' log.
    ///
    /// - Parameter unloadable: how many lines of the chunk could not be read at all.
    /// - Returns: the indices of the entries that can't be loaded; they are counted as unloadable.
    func gather(_ lines: borrowing LoggedPlays, unloadable: Int) -> [Int]

    /// Takes what a chunk of the quarantine's log held.
    func gather(_ rejections: RejectionTally)

    /// Makes rows of everything gathered, and moves the places, atomically.
    ///
    /// - Throws: what the store said; then nothing has changed, and everything gathered is still there.
    func commit(upTo places: LogPlaces) throws

    /// Forgets what was gathered since the last commit.
    func discard() throws

    /// Called when there has been nothing to load for a while.
    func rest() throws
}
