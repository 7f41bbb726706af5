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
    /// The groups that are too many to be named.
    package var isOther: Bool
    package var totals: Totals
    package var startups: StartupHistogram

    /// ms.
    package var startupP50: Figure<Int64>
    package var startupP95: Figure<Int64>
    /// Each percentile that the request named, by its percent.
    package var startupPercentiles: [Int64: Figure<Int64>]
    package var startupWithinTarget: Figure<Double>
    package var rebuffering: Figure<Double>
    package var stallsPerHour: Figure<Double>
    package var playsWithStall: Figure<Double>
    package var failed: Figure<Double>
    package var failures: [FailureFigures]
    package var exitsBeforeStart: Figure<Double>

    /// Of the sessions whose bytes are known.
    package var data: SessionData
    /// The mean in bytes, half up to the whole.
    package var dataPerSessionMean: Int128?
    /// The mean's interval in bytes.
    package var dataPerSessionInterval: Interval<Double>
    /// The interval knows less than the mean: some session's bytes were squared as a petabyte.
    package var isDataCapped: Bool
    /// bit/s, half up to the whole.
    package var averageBitrate: Int128?
    package var memory: SessionMemory
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
    /// - Parameters:
    ///   - percents: the percentiles of startup that the sums were asked for.
    ///   - names: as tables print them.
    init(_ sums: GroupSums, percents: [Int64] = [50, 95], names: GroupNames) {
        self.names = names
        isAll = sums.key == nil
        isOther = sums.key.map { !$0.values.isEmpty && $0 == .other($0.values.count) } ?? false
        totals = sums.totals
        startups = sums.startups
        func percentile(_ percent: Int64) -> Figure<Int64> {
            guard let index = percents.firstIndex(of: percent), index < sums.startupShares.count else {
                return .init(nil)
            }
            let ranks = sums.startupShares[index].percentileRanks(percent)
            return Figure(
                sums.startups.percentile(percent),
                Interval(
                    low: ranks.low.flatMap(sums.startups.value(at:)), high: ranks.high.flatMap(sums.startups.value(at:))
                ))
        }
        func share(_ measure: Measure) -> Figure<Double> {
            Figure(sums.ratios[measure].ratio, sums.ratios[measure].shareInterval)
        }
        startupP50 = percentile(50)
        startupP95 = percentile(95)
        startupPercentiles = Dictionary(uniqueKeysWithValues: percents.map { ($0, percentile($0)) })
        startupWithinTarget = share(.withinTarget)
        playsWithStall = share(.playsWithStall)
        failed = share(.failed)
        exitsBeforeStart = share(.exitsBeforeStart)
        rebuffering = Figure(sums.ratios[.rebuffering].ratio, sums.ratios[.rebuffering].ratioInterval(limit: 1))
        let stalls = sums.ratios[.stalls]
        let perHour = { (stallsPerMs: Double) in stallsPerMs * 3_600_000 }
        let ends = stalls.ratioInterval()
        stallsPerHour = Figure(
            stalls.base > 0 ? Double(stalls.events) * 3_600_000 / Double(stalls.base) : nil,
            Interval(low: ends.low.map(perHour), high: ends.high.map(perHour)))
        failures = sums.failures.map { failure in
            var ratio = sums.ratios[.failed]
            (ratio.events, ratio.products) = (Int128(failure.plays), failure.products)
            ratio.eventSquares = failure.eventSquares
            return FailureFigures(
                code: failure.code.description, isAtStart: failure.isAtStart, plays: failure.plays,
                ratio: Figure(ratio.ratio, ratio.shareInterval))
        }
        data = sums.data
        dataPerSessionMean = halfUp(sums.data.bytes, Int128(sums.data.sessions))
        let mean = sums.data.sessions > 0 ? Double(sums.data.bytes) / Double(sums.data.sessions) : nil
        dataPerSessionInterval = sums.ratios[.data].ratioInterval(value: mean)
        isDataCapped = sums.ratios[.data].events != sums.data.bytes
        averageBitrate = halfUp(8_000 * sums.totals.ratedBytes, Int128(sums.totals[.ratedMs]))
        memory = sums.memory
    }

    /// The estimated share of the sessions' bytes.
    package var estimatedRatio: Double? {
        data.bytes > 0 ? Double(data.estimatedBytes) / Double(data.bytes) : nil
    }
}

/// A quotient of numbers that are not negative, half up to the whole; nil without a divisor.
func halfUp(_ dividend: Int128, _ divisor: Int128) -> Int128? {
    divisor > 0 ? (2 * dividend + divisor) / (2 * divisor) : nil
}
