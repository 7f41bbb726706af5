/// A group and what it is set against.
struct ComparedPair {
    let names: GroupNames
    let own: GroupSums
    /// Nil when the other side has no plays.
    let other: GroupSums?

    /// With fewer sessions' worth of base on either side nothing is judged.
    static let fewestSessions: Int64 = 20
    /// The side that rebuffers less may just have met no session in trouble, where it has fewer.
    static let fewestForRebuffering: Int64 = 100

    init(names: GroupNames, _ own: GroupSums, _ other: GroupSums?) {
        self.names = names
        self.own = own
        self.other = other
    }

    /// The comparisons by every metric, not yet judged.
    func comparisons() -> [Comparison] {
        ComparedMetric.allCases.map { metric in
            var comparison = Comparison(names: names, metric: metric)
            guard let measure = metric.measure else {
                let percent: Int64 = metric == .startupP50 ? 50 : 95
                comparison.value = own.startups.percentile(percent).map(Double.init)
                comparison.reference = other?.startups.percentile(percent).map(Double.init)
                return comparison
            }
            let (one, two) = (own.ratios[measure], other?.ratios[measure] ?? RatioSums())
            comparison.value = one.ratio.map { $0 * metric.scale }
            comparison.sessions = one.base > 0 ? Int64(one.effectiveSessions) : nil
            comparison.referenceSessions = two.base > 0 ? Int64(two.effectiveSessions) : nil
            comparison.verdict = metric.isJudged ? .tooFewSessions : nil
            guard one.base > 0, two.base > 0 else { return comparison }
            comparison.reference = two.ratio.map { $0 * metric.scale }
            test(&comparison, metric)
            return comparison
        }
    }

    private func test(_ comparison: inout Comparison, _ metric: ComparedMetric) {
        guard let outcome = outcome(metric) else { return }
        let covariance = outcome.cross.covariance(outcome.own, outcome.other)
        let (one, two) = (ComparedSide(outcome.own), ComparedSide(outcome.other))
        // Of a good outcome the ratio says how much rarer it is.
        let (first, second) = outcome.isGood ? (two, one) : (one, two)
        let test = LogRatioTest(first, second, covariance: covariance)
        (comparison.ratio, comparison.interval, comparison.p) = (test.ratio, test.interval, test.p)
        comparison.isOfGood = outcome.isGood
        comparison.isHigher = outcome.isGood ? one.rate < two.rate : one.rate > two.rate
        guard metric.isJudged else { return }
        let lower: Side? = test.p == nil ? nil : comparison.isHigher ? .other : .own
        comparison.verdict = isJudgeable(metric, lower: lower) ? .noDifferenceShown : .tooFewSessions
    }

    enum Side {
        case own, other
    }

    /// Whether both sides have sessions enough.
    ///
    /// - Parameter lower: the side with the lower rate; nil where neither has an event.
    func isJudgeable(_ metric: ComparedMetric, lower: Side?) -> Bool {
        guard let measure = metric.measure, let other else { return false }
        let (one, two) = (own.ratios[measure], other.ratios[measure])
        guard one.hasBase(of: Self.fewestSessions), two.hasBase(of: Self.fewestSessions) else { return false }
        guard metric == .rebuffering, let lower else { return true }
        return (lower == .own ? one : two).hasBase(of: Self.fewestForRebuffering)
    }

    /// What is tested of a figure: the bad outcome, or the good one where the bad one is common.
    struct Outcome {
        var own: RatioSums
        var other: RatioSums
        var cross: CrossSums
        var isGood: Bool
        /// The events are those that the measure does not count.
        var isComplement: Bool
    }

    func outcome(_ metric: ComparedMetric) -> Outcome? {
        guard let measure = metric.measure, let other else { return nil }
        let counted = Outcome(
            own: own.ratios[measure], other: other.ratios[measure], cross: own.cross?[measure] ?? CrossSums(),
            isGood: metric.isBetterHigh, isComplement: false)
        guard measure.isShare else { return counted }
        let complement = Outcome(
            own: counted.own.complement, other: counted.other.complement, cross: counted.cross.complement,
            isGood: !counted.isGood, isComplement: true)
        let (bad, good) = counted.isGood ? (complement, counted) : (counted, complement)
        let isCommon = 2 * (bad.own.events + bad.other.events) > bad.own.base + bad.other.base
        return isCommon ? good : bad
    }
}
