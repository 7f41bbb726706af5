package import PlaybackEvents

/// A play whose reports are all there, as far as anybody will know.
package struct ClosedPlay: Sendable {
    /// Why it was closed when it was.
    package enum Cause: String, Sendable, CaseIterable {
        /// A minute past the report of its end, or of the next play.
        case end
        /// Nothing came any more.
        case silence
        /// It had lasted for a day.
        case day
        /// The open plays took too much memory, or it had too many changes.
        case limit
        /// The log ended, and nothing will come of it.
        case close
    }

    /// The play as a request of its own: ``ArchiveLine`` writes its line. The request's id is the play's.
    package var batch: PlayBatch
    package var cause: Cause
    /// The position of the line at which it closed.
    package var closedAt: Int64
    /// Places between its reports where at least one is missing by their numbers.
    package var gaps: Int
    /// Whether its first report has the number 0 or 1, so that nothing of it lies before.
    package var beginsRun: Bool

    /// The play itself; its texts are those of ``batch``.
    package var play: Play { batch.plays[0] }

    package init(batch: PlayBatch, cause: Cause, closedAt: Int64, gaps: Int, beginsRun: Bool) {
        self.batch = batch
        self.cause = cause
        self.closedAt = closedAt
        self.gaps = gaps
        self.beginsRun = beginsRun
    }
}
