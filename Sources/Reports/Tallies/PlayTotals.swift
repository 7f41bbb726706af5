/// Counts and sums over the plays of a group. All are exact; ms unless said otherwise.
package struct PlayTotals: Sendable, Hashable {
    package var plays: Int64 = 0
    package var started: Int64 = 0
    package var failed: Int64 = 0
    package var startFailures: Int64 = 0
    package var measured: Int64 = 0
    package var withinTarget: Int64 = 0
    /// Started plays with a stall.
    package var stalledPlays: Int64 = 0
    /// Stalls of started plays.
    package var stalls: Int64 = 0
    package var watchedMs: Int64 = 0
    package var stalledMs: Int64 = 0
    /// Neither started nor failed, quick exits included.
    package var exits: Int64 = 0
    package var quickExits: Int64 = 0
    package var late: Int64 = 0
    /// Playing time of started plays whose bitrate is known.
    package var ratedMs: Int64 = 0
    /// What those bitrates make in that time, in bytes.
    package var ratedBytes: Int128 = 0

    // What the data are worth.
    package var withoutPlayId: Int64 = 0
    package var withoutSession: Int64 = 0
    package var withoutRegion: Int64 = 0
    package var regionFromEvent: Int64 = 0
    package var regionFromContext: Int64 = 0
    package var regionFromHeader: Int64 = 0
    package var clockSkewed: Int64 = 0
    package var startupUnmeasured: Int64 = 0
    package var logStartupCompared: Int64 = 0
    package var logStartupDisagree: Int64 = 0
    package var playerStallsCompared: Int64 = 0
    package var playerStallsDisagree: Int64 = 0
    package var retries: Int64 = 0
    package var gaveUp: Int64 = 0

    /// Times of the first and the last play, and of the newest receipt, ms since 1970.
    package var firstEndedAt: Int64 = .max
    package var lastEndedAt: Int64 = .min
    package var lastReceivedAt: Int64 = .min

    /// Neither started nor failed, without quick exits.
    package var exitsBeforeStart: Int64 { exits - quickExits }

    private static let sums: [any WritableKeyPath<PlayTotals, Int64> & Sendable] = [
        \.plays, \.started, \.failed, \.startFailures, \.measured, \.withinTarget, \.stalledPlays, \.stalls,
        \.watchedMs, \.stalledMs, \.exits, \.quickExits, \.late, \.ratedMs, \.withoutPlayId, \.withoutSession,
        \.withoutRegion,
        \.regionFromEvent, \.regionFromContext, \.regionFromHeader, \.clockSkewed, \.startupUnmeasured,
        \.logStartupCompared, \.logStartupDisagree, \.playerStallsCompared, \.playerStallsDisagree, \.retries, \.gaveUp,
    ]

    mutating func add(_ other: PlayTotals) {
        for sum in Self.sums { self[keyPath: sum] += other[keyPath: sum] }
        ratedBytes += other.ratedBytes
        firstEndedAt = min(firstEndedAt, other.firstEndedAt)
        lastEndedAt = max(lastEndedAt, other.lastEndedAt)
        lastReceivedAt = max(lastReceivedAt, other.lastReceivedAt)
    }

    /// The sums without those of some of the plays; times stay those of all.
    func without(_ other: PlayTotals) -> PlayTotals {
        var rest = self
        for sum in Self.sums { rest[keyPath: sum] -= other[keyPath: sum] }
        rest.ratedBytes -= other.ratedBytes
        return rest
    }
}
