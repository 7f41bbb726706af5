/// What is counted of plays as a plain number. Times in ms.
package enum PlayCount: Int, Sendable, CaseIterable {
    case plays, started, failed
    /// Failed without having started.
    case startFailures
    /// With a startup that was measured, and of these within the target.
    case measured, withinTarget
    /// Of started plays.
    case playsWithStall, stalls, watchedMs, stalledMs
    /// Neither started nor failed: those who waited a second or more, or nobody knows how long, and those who did not.
    case exitsBeforeStart, quickExits
    /// Received more than an hour after their day had ended.
    case late
    /// Playing time of started plays whose bitrate is known.
    case ratedMs
    /// Started, and nothing says how many bytes it took.
    case withoutBytes
    // What the data are worth.
    case withoutPlayId, withoutSession, withoutRegion, regionFromEvent, regionFromContext, regionFromHeader
    case clockSkewed, startupUnmeasured
    /// The player's own startup was there to be compared; it differs by more than 250 ms.
    case logStartupCompared, logStartupDisagree
    /// The player's own stalls were there to be compared; they differ by number, or by more than 250 ms.
    case playerStallsCompared, playerStallsDisagree
    /// Second and later attempts, and those of them that failed.
    case retries, gaveUp
    /// Put together from a player's reports, of which no more came.
    case endedBySilence
}

/// Counts and sums over the plays of a group, all exact.
package struct Totals: Sendable, Hashable {
    private var counts = [Int64](repeating: 0, count: PlayCount.allCases.count)
    /// What the bitrates of started plays make in their playing time, in bytes.
    package var ratedBytes: Int128 = 0
    /// Of plays whose bytes are known or estimated, and what of it is estimated.
    package var bytes: Int128 = 0
    package var estimatedBytes: Int128 = 0
    /// Times of the first and the last play, and of the newest receipt, ms since 1970.
    package var firstEndedAt: Int64 = .max
    package var lastEndedAt: Int64 = .min
    package var lastReceivedAt: Int64 = .min

    package init() {}

    @inline(__always)
    package subscript(_ count: PlayCount) -> Int64 {
        get { counts[count.rawValue] }
        set { counts[count.rawValue] = newValue }
    }

    package static func += (totals: inout Totals, part: Totals) {
        for index in totals.counts.indices { totals.counts[index] += part.counts[index] }
        totals.ratedBytes += part.ratedBytes
        totals.bytes += part.bytes
        totals.estimatedBytes += part.estimatedBytes
        totals.firstEndedAt = min(totals.firstEndedAt, part.firstEndedAt)
        totals.lastEndedAt = max(totals.lastEndedAt, part.lastEndedAt)
        totals.lastReceivedAt = max(totals.lastReceivedAt, part.lastReceivedAt)
    }

    /// Failed plays ÷ plays.
    package var failureRatio: Double? { self[.plays] > 0 ? Double(self[.failed]) / Double(self[.plays]) : nil }

    /// The failure rate if so many plays that did not arrive had all failed.
    package func failureRatio(ifMissingFailed missing: Int128) -> Double? {
        let plays = Double(self[.plays]) + Double(missing)
        return plays > 0 ? (Double(self[.failed]) + Double(missing)) / plays : nil
    }
}
