/// How much a folder holds, and for how long. Times are by the log's clock, in ms.
package struct FolderLimits: Sendable {
    /// What all open plays may take together, in bytes.
    package var bytes = 256 << 20
    /// Changes that one play may have.
    package var changes = 4_000
    /// From the report of an end, or of the next play, to the play's closing.
    package var afterEnd: Int64 = 60_000
    /// From the last report to the play's closing, at least; three heartbeats where those are longer.
    package var silence: Int64 = 5 * 60_000
    /// The same where the address says that there are no heartbeats.
    package var silenceWithoutHeartbeat: Int64 = 4 * 3_600_000
    /// The longest play, by its reports and by the log's clock.
    package var day: Int64 = 86_400_000
    /// For how long after its closing late reports of a play are known as such.
    package var late: Int64 = 3_600_000
    /// For how long after a failure the next play of the same content is another attempt.
    package var attempt: Int64 = 10 * 60_000
    /// By how much later reports may come than those made after them, so that it still makes no difference.
    package var reordered: Int64 = 60_000
    /// The most that the log's clock moves from one line to the next, so that an outage ends no play.
    package var step: Int64 = 90_000
    /// Closed plays that are remembered at most, for late reports.
    package var remembered = 500_000

    package init() {}
}
