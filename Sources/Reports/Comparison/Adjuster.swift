/// Sets a group against what the other side would have had with the group's mix of plays.
///
/// The mix is that of the strata, the values of one to three dimensions, in which both sides have sessions enough.
struct Adjuster {
    /// On either side; two know half of their own variance.
    private static let fewestSessions: Int64 = 5
    /// Less of the group's base in common says nothing of the group.
    private static let leastInCommon = 0.8

    private let strata: [[GroupKey: [StratumSums]]]
    private let weights: [[GroupKey: [GroupKey: ByMeasure<StratumWeights?>]]]
    private let sums: [[GroupKey: ByMeasure<AdjustedSums>]]

    /// - Parameters:
    ///   - question: whose first periods are those of the pairs.
    ///   - pairs: the groups that are compared, period by period.
    /// - Throws: what the store says.
    init(
        _ store: any ReportStore, _ question: SumsQuestion, _ dimensions: [PlayDimension], _ pairs: [[ComparedPair]]
    ) throws {
        strata = try store.strata(question, by: dimensions)
        var weights = strata.map { _ in [GroupKey: [GroupKey: ByMeasure<StratumWeights?>]]() }
        for (period, pairs) in pairs.enumerated() {
            for pair in pairs {
                guard let key = pair.own.key, let strata = strata[period][key] else { continue }
                weights[period][key] = Self.weights(strata, pair)
            }
        }
        self.weights = weights
        sums = try store.adjusted(question, by: dimensions, weights: weights)
    }

    private static func weights(_ strata: [StratumSums], _ pair: ComparedPair)
        -> [GroupKey: ByMeasure<StratumWeights?>]
    {
        var outcomes = ByMeasure<ComparedPair.Outcome?> { _ in nil }
        for metric in ComparedMetric.allCases {
            if let measure = metric.measure { outcomes[measure] = pair.outcome(metric) }
        }
        var weights: [GroupKey: ByMeasure<StratumWeights?>] = [:]
        for stratum in strata {
            weights[stratum.stratum] = ByMeasure { measure in
                let (own, other) = (stratum.own[measure], stratum.other[measure])
                guard let outcome = outcomes[measure], own.sessions >= fewestSessions, other.sessions >= fewestSessions
                else { return nil }
                let events = outcome.isComplement ? other.base - other.events : other.events
                return StratumWeights(
                    own: Double(events) / Double(other.base), other: Double(own.base) / Double(other.base),
                    isComplement: outcome.isComplement)
            }
        }
        return weights
    }

    private static func mix(_ strata: [StratumSums], _ measure: Measure) -> (value: String, own: Double, other: Double)?
    {
        let own = Double(strata.reduce(Int128(0)) { $0 + $1.own[measure].base })
        let other = Double(strata.reduce(Int128(0)) { $0 + $1.other[measure].base })
        guard own > 0, other > 0 else { return nil }
        let shares = strata.map { stratum in
            (
                value: stratum.stratum.values.map(\.description).joined(separator: ", "),
                own: Double(stratum.own[measure].base) / own, other: Double(stratum.other[measure].base) / other
            )
        }
        return shares.max { $0.own - $0.other < $1.own - $1.other }
    }

    /// - Returns: nil for the percentiles.
    func adjusted(_ period: Int, _ pair: ComparedPair, _ metric: ComparedMetric) -> Comparison.Adjusted? {
        guard let measure = metric.measure, let group = pair.own.key, let outcome = pair.outcome(metric) else {
            return nil
        }
        var adjusted = Comparison.Adjusted()
        let used = (strata[period][group] ?? []).filter { weights[period][group]?[$0.stratum]?[measure] != nil }
        let base = used.reduce(Int128(0)) { $0 + $1.own[measure].base }
        let matched = Double(base) / Double(outcome.own.base)
        adjusted.matched = matched
        adjusted.mix = Self.mix(strata[period][group] ?? [], measure)
        adjusted.verdict = metric.isJudged ? .tooFewSessions : nil
        guard base > 0, let sums = sums[period][group]?[measure] else {
            if metric.isJudged, pair.isJudgeable(metric, lower: nil) { adjusted.verdict = .tooLittleInCommon }
            return adjusted
        }
        let expected = sums.own.x / Double(base)
        adjusted.reference = (outcome.isComplement ? 1 - expected : expected) * metric.scale
        let (one, two) = (ComparedSide(sums.own), ComparedSide(sums.other))
        let (first, second) = outcome.isGood ? (two, one) : (one, two)
        let test = LogRatioTest(first, second, covariance: sums.covariance)
        (adjusted.ratio, adjusted.interval, adjusted.p) = (test.ratio, test.interval, test.p)
        adjusted.isHigher = outcome.isGood ? one.rate < two.rate : one.rate > two.rate
        guard metric.isJudged else { return adjusted }
        let lower: ComparedPair.Side? = test.p == nil ? nil : adjusted.isHigher ? .other : .own
        if pair.isJudgeable(metric, lower: lower) {
            adjusted.verdict = matched < Self.leastInCommon ? .tooLittleInCommon : .noDifferenceShown
        }
        return adjusted
    }
}
