/// A group and what it is set against, with the spreads of the differences between them.
struct ComparedPair {
    let names: GroupNames
    let one: GroupTally
    /// Nil when the other side has no plays.
    private(set) var other: GroupTally?
    private var spreads: [ComparedMetric: PairSpread] = [:]

    /// With fewer plays that a metric is about, on either side, it is not judged.
    static let fewestPlays: Int64 = 100
    /// With fewer sessions either, counted as X² ÷ Σx²: the simulated coverage of the intervals vouches for as many.
    static let fewestSessions = 20

    private static let judged = ComparedMetric.allCases.filter(\.isJudged)

    /// - Parameters:
    ///   - one: the group's tally with all its sessions.
    ///   - other: that of what it is set against; its sessions may be added by ``addToOther(_:count:)``.
    init(names: GroupNames, _ one: GroupTally, _ other: GroupTally?) {
        self.names = names
        self.one = one
        self.other = other
        guard let other else { return }
        for metric in Self.judged {
            let (one, other) = (one.spread(metric), other.spread(metric))
            spreads[metric] = PairSpread((one.x, one.y), (other.x, other.y))
        }
    }

    /// Adds a session's plays on the two sides, or `count` plays without a session that are alike.
    mutating func add(_ one: ClusterSums?, _ other: ClusterSums?, count: Int64 = 1) {
        for metric in Self.judged {
            spreads[metric]?.add(one.flatMap { $0.part(metric) }, other.flatMap { $0.part(metric) }, count: count)
        }
    }

    /// Adds a session to the other side's own spreads, where they were not counted before.
    mutating func addToOther(_ cluster: ClusterSums, count: Int64 = 1) {
        other?.add(cluster, count: count)
    }

    func comparisons() -> [Comparison] {
        let value = GroupFigures(one, names: names)
        let reference = other.map { GroupFigures($0, names: names) }
        return ComparedMetric.allCases.map { metric in
            var comparison = Comparison(
                names: names, metric: metric, value: value.value(metric), reference: reference?.value(metric),
                interval: .unknown, verdict: metric.isJudged ? .tooFewPlays : nil)
            guard let other, let spread = spreads[metric] else { return comparison }
            let pair = PairDifference(spread: spread, one: one.spread(metric), other: other.spread(metric))
            guard let difference = pair.value, let freedom = pair.freedom,
                let error = metric.isRatioOfSums ? pair.ratioError : pair.shareError
            else { return comparison }
            let isJudged =
                min(one.plays(metric), other.plays(metric)) >= Self.fewestPlays
                && freedom + 1 >= Double(Self.fewestSessions)
            let half = StudentDistribution.quantile(freedom: freedom) * error
            comparison.interval = Interval(
                low: (difference - half) * metric.scale, high: (difference + half) * metric.scale)
            guard isJudged else { return comparison }
            comparison.probability =
                error > 0
                ? StudentDistribution.bothTails(abs(difference) / error, freedom: freedom) : difference == 0 ? 1 : 0
            return comparison
        }
    }
}

extension ComparedMetric {
    fileprivate var isRatioOfSums: Bool { self == .rebuffering || self == .stallsPerHour }

    /// From what spreads hold to what is printed: stalls a ms to stalls an hour.
    fileprivate var scale: Double { self == .stallsPerHour ? 3_600_000 : 1 }
}

extension GroupTally {
    fileprivate func spread(_ metric: ComparedMetric) -> ClusterSpread {
        switch metric {
        case .startupP50: upToP50
        case .startupP95: upToP95
        case .startupWithinTarget: within
        case .rebuffering: rebuffering
        case .stallsPerHour: stalls
        case .playsWithStall: stalledPlays
        case .failed: failed
        }
    }
}

extension GroupTally {
    /// Plays that the metric is about.
    fileprivate func plays(_ metric: ComparedMetric) -> Int64 {
        switch metric {
        case .startupP50, .startupP95, .startupWithinTarget: totals.measured
        case .rebuffering, .stallsPerHour, .playsWithStall: totals.started
        case .failed: totals.plays
        }
    }
}

extension ClusterSums {
    /// The cluster's x and y; nil when it has no plays that the metric is about.
    fileprivate func part(_ metric: ComparedMetric) -> (x: Int64, y: Int64)? {
        switch metric {
        case .startupWithinTarget: measured > 0 ? (measured, withinTarget) : nil
        case .rebuffering: started > 0 ? (watchedMs, stalledMs) : nil
        case .stallsPerHour: started > 0 ? (watchedMs, stalls) : nil
        case .playsWithStall: started > 0 ? (started, stalledPlays) : nil
        case .failed: plays > 0 ? (plays, failed) : nil
        case .startupP50, .startupP95: nil
        }
    }
}

extension GroupFigures {
    fileprivate func value(_ metric: ComparedMetric) -> Double? {
        switch metric {
        case .startupP50: startupP50.value.map(Double.init)
        case .startupP95: startupP95.value.map(Double.init)
        case .startupWithinTarget: startupWithinTarget.value
        case .rebuffering: rebuffering.value
        case .stallsPerHour: stallsPerHour.value
        case .playsWithStall: playsWithStall.value
        case .failed: failed.value
        }
    }
}
