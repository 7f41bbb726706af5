/// Everything that a store returns of the plays of one group in one period: whole numbers alone.
package struct GroupSums: Sendable {
    /// What the plays share in each dimension; nil for all plays of the period.
    package var key: GroupKey?
    package var totals = Totals()
    package var startups = StartupHistogram([])
    /// For each percentile asked for, the measured plays at or below it.
    package var startupShares: [RatioSums] = []
    package var ratios = ByMeasure { _ in RatioSums() }
    /// By plays, most first, then code as bytes, `start` before `playback`.
    package var failures: [FailureSums] = []
    package var data = SessionData()
    package var memory = SessionMemory()
    /// Where a comparison was asked for: the sessions that have plays in the group and on the other side too.
    package var cross: ByMeasure<CrossSums>?

    package init(key: GroupKey?) {
        self.key = key
    }
}

/// The failed plays of a group with one error code in one phase.
package struct FailureSums: Sendable {
    package var code: ByteText
    /// Before the first frame.
    package var isAtStart: Bool
    /// Σy, Σxy and Σy²; the base is that of ``Measure/failed``.
    package var plays: Int64 = 0
    package var products: Int128 = 0
    package var eventSquares: Int128 = 0

    package init(code: ByteText, isAtStart: Bool) {
        self.code = code
        self.isAtStart = isAtStart
    }

    /// Adds one session with so many plays, of which so many failed so.
    package mutating func add(plays: Int64, failed: Int64) {
        self.plays += failed
        products += Int128(plays) * Int128(failed)
        eventSquares += Int128(failed) * Int128(failed)
    }

    package func precedes(_ other: FailureSums) -> Bool {
        if plays != other.plays { return plays > other.plays }
        if code != other.code { return code < other.code }
        return isAtStart && !other.isAtStart
    }
}

/// The data of the sessions whose bytes are known.
package struct SessionData: Sendable, Hashable {
    package var sessions: Int64 = 0
    package var bytes: Int128 = 0
    package var estimatedBytes: Int128 = 0
    /// A session's bytes by nearest rank; nil without a session.
    package var p50: Int128?
    package var p95: Int128?

    package init() {}
}

/// The memory at the end of the sessions of which it is known.
package struct SessionMemory: Sendable, Hashable {
    package var sessions: Int64 = 0
    /// By nearest rank, in bytes; nil without a session.
    package var p50: Int64?
    package var p95: Int64?

    package init() {}
}

/// What a store returns of one period.
package struct PeriodSums: Sendable {
    /// Groups with plays, in any order; none where all plays are one group.
    package var groups: [GroupSums] = []
    package var all = GroupSums(key: nil)
    /// Plays left out because no CDN served them.
    package var downloads: Int64 = 0
    /// Sessions with plays in several groups, where the question leaves them out.
    package var sharedSessions: Int64 = 0

    package init() {}
}
