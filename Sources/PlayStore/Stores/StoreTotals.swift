/// What a store has made of the log so far.
///
/// `arrivals` = `loaded` + `duplicates` + `erased`; lines of plays in the log = `arrivals` + `unloadable`.
package struct StoreTotals: Sendable, Equatable {
    /// Lines of plays that could be read, repeats included: also the number of the last arrival.
    package var arrivals: Int64 = 0
    /// Lines of senders' accounts.
    package var accounts: Int64 = 0
    /// Plays that became a row, such as were pruned since included.
    package var loaded: Int64 = 0
    /// Repeats of a play that was there already.
    package var duplicates: Int64 = 0
    /// Repeats whose content differs from that of the first; they are counted as duplicates too.
    package var conflicts: Int64 = 0
    /// Lines that went to the quarantine because they can't be loaded.
    package var unloadable: Int64 = 0
    /// Rows that were pruned.
    package var pruned: Int64 = 0
    /// Plays before this UTC hour since 1970 were pruned; nil when none ever were.
    package var prunedBefore: Int64?

    /// Plays of which nothing is left but that they arrived.
    package var erased: Int64 { arrivals &- loaded &- duplicates }

    package init() {}
}
