/// A number with its 95 % interval; nil where there is nothing to base it on.
package struct Figure<Value: Sendable & Hashable>: Sendable, Hashable {
    package var value: Value?
    package var interval: Interval<Value>

    package init(_ value: Value?, _ interval: Interval<Value> = .unknown) {
        self.value = value
        self.interval = interval
    }
}

/// Every figure of one group in one period.
package struct GroupFigures: Sendable {
    /// What the group is called in each dimension, `(all)` in each for all plays of the period.
    package var names: GroupNames
    package var isAll: Bool
    package var totals: PlayTotals
    package var startups: StartupHistogram

    /// ms.
    package var startupP50: Figure<Int64>
    package var startupP95: Figure<Int64>
    package var startupWithinTarget: Figure<Double>
    package var rebuffering: Figure<Double>
    package var stallsPerHour: Figure<Double>
    package var playsWithStall: Figure<Double>
    package var failed: Figure<Double>
    package var failures: [FailureFigures]
    package var exitsBeforeStart: Double?

    /// Sessions that count in data per session.
    package var sessions: Int64
    /// Bytes of these sessions.
    package var sessionBytes: Int128
    package var estimatedBytes: Int128
    /// The mean in bytes, half up to the whole.
    package var dataPerSessionMean: Int128?
    /// The mean's interval in bytes.
    package var dataPerSessionInterval: Interval<Double>
    package var dataPerSessionP50: Int128?
    package var dataPerSessionP95: Int128?
    /// bit/s, half up to the whole.
    package var averageBitrate: Int128?
    /// Sessions whose memory at the end is known, and its percentiles in bytes.
    package var memorySessions: Int64
    package var memoryP50: Int64?
    package var memoryP95: Int64?
}

/// Failed plays of one code and phase.
package struct FailureFigures: Sendable {
    package var code: String
    package var isAtStart: Bool
    package var plays: Int64
    package var ratio: Figure<Double>

    /// `start` before the first frame, `playback` after it.
    package var phase: String { isAtStart ? "start" : "playback" }
}

extension GroupFigures {
    /// - Parameter names: as tables print them.
    init(_ tally: GroupTally, names: GroupNames) {
        let totals = tally.totals
        self.names = names
        isAll = tally.key == nil
        self.totals = totals
        startups = tally.startups
        let percentile = { (percent: Int64, spread: ClusterSpread) in
            let places = spread.percentilePlaces(percent)
            return Figure(
                tally.startups.percentile(percent),
                Interval(
                    low: places.low.flatMap(tally.startups.value(at:)),
                    high: places.high.flatMap(tally.startups.value(at:))))
        }
        startupP50 = percentile(50, tally.upToP50)
        startupP95 = percentile(95, tally.upToP95)
        startupWithinTarget = Figure(tally.within.ratio, tally.within.shareInterval)
        rebuffering = Figure(tally.rebuffering.ratio, tally.rebuffering.ratioInterval(limit: 1))
        let perHour = { (stallsPerMs: Double) in stallsPerMs * 3_600_000 }
        let stalls = tally.stalls.ratioInterval()
        stallsPerHour = Figure(
            totals.watchedMs > 0 ? Double(totals.stalls) * 3_600_000 / Double(totals.watchedMs) : nil,
            Interval(low: stalls.low.map(perHour), high: stalls.high.map(perHour)))
        playsWithStall = Figure(tally.stalledPlays.ratio, tally.stalledPlays.shareInterval)
        failed = Figure(tally.failed.ratio, tally.failed.shareInterval)
        failures = tally.failures.map { failure in
            FailureFigures(
                code: failure.code.description, isAtStart: failure.isAtStart, plays: failure.plays,
                ratio: Figure(failure.spread.ratio, failure.spread.shareInterval))
        }
        exitsBeforeStart = totals.plays > 0 ? Double(totals.exitsBeforeStart) / Double(totals.plays) : nil

        let bytes = tally.sessionBytes
        sessions = Int64(bytes.count)
        sessionBytes = bytes.reduce(0, +)
        estimatedBytes = tally.estimatedBytes
        dataPerSessionMean = halfUp(sessionBytes, Int128(bytes.count))
        var spread = ClusterSpread(x: sessions, y: sessionBytes)
        for session in bytes { spread.add(x: 1, y: session) }
        dataPerSessionInterval = spread.ratioInterval()
        dataPerSessionP50 = NearestRank.value(50, ofSorted: bytes)
        dataPerSessionP95 = NearestRank.value(95, ofSorted: bytes)
        averageBitrate = halfUp(8_000 * totals.ratedBytes, Int128(totals.ratedMs))
        memorySessions = Int64(tally.sessionMemory.count)
        memoryP50 = NearestRank.value(50, ofSorted: tally.sessionMemory)
        memoryP95 = NearestRank.value(95, ofSorted: tally.sessionMemory)
    }
}

/// A quotient of numbers that are not negative, half up to the whole; nil without a divisor.
func halfUp(_ dividend: Int128, _ divisor: Int128) -> Int128? {
    divisor > 0 ? (2 * dividend + divisor) / (2 * divisor) : nil
}
