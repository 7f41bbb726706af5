internal import Foundation

/// How an arm of an experiment stands against the control after so many looks, by one figure.
struct ExperimentFigure: Sendable {
    var metric: ComparedMetric
    var value: Double?
    var reference: Double?
    /// How many times as often the bad outcome, after the last look.
    var ratio: Double?
    /// What all looks together leave; of the ratio.
    var interval: Interval<Double> = .unknown
    /// The smallest of all looks.
    var p: Double?
    /// Counted from 1; nil while nothing is decided.
    var decidedOnDay: Int?
    var verdict = ExperimentVerdict.tooFewSessions
}

/// What can be said of an arm while an experiment runs.
package enum ExperimentVerdict: String, Sendable {
    case worse
    case better
    case undecided
    case tooFewSessions = "too few sessions"
    /// The arms' sizes differ by more than luck: something other than chance put sessions into them, or lost them.
    case sampleRatioMismatch = "sample ratio mismatch"
}

/// An arm of an experiment.
struct ExperimentArm: Sendable {
    var name: String
    var sessions: Int64
    var controlSessions: Int64
    var figures: [ExperimentFigure] = []

    /// With fewer sessions' worth of base on either side a look says nothing, for the variance is not known well enough.
    static let fewestSessions: Int64 = 100
    /// And with fewer sessions' worth of events.
    static let fewestEventSessions: Int64 = 20

    /// - Parameters:
    ///   - looks: the arm and the control at the end of each day, everything since the first day.
    ///   - level: of one figure.
    init(name: String, looks: [(own: GroupSums, other: GroupSums)?], level: Double) {
        self.name = name
        let last = looks.compactMap { $0 }.last
        sessions = last?.own.ratios[.failed].sessions ?? 0
        controlSessions = last?.other.ratios[.failed].sessions ?? 0
        figures = ComparedMetric.allCases.filter(\.isJudged).map { Self.figure($0, looks, level) }
        guard let p = sampleRatioP, p < 0.001 else { return }
        for index in figures.indices {
            (figures[index].verdict, figures[index].decidedOnDay) = (.sampleRatioMismatch, nil)
        }
    }

    /// The probability of sizes as far apart as these where each session is as likely in the one arm as in the other.
    var sampleRatioP: Double? {
        guard sessions + controlSessions > 0 else { return nil }
        let z = Double(sessions - controlSessions) / Double(sessions + controlSessions).squareRoot()
        return erfc(abs(z) / 2.0.squareRoot())
    }

    private static func figure(
        _ metric: ComparedMetric, _ looks: [(own: GroupSums, other: GroupSums)?], _ level: Double
    ) -> ExperimentFigure {
        var figure = ExperimentFigure(metric: metric)
        guard let measure = metric.measure else { return figure }
        var known: MixtureInterval?
        for (day, look) in looks.enumerated() {
            guard let look else { continue }
            let (own, other) = (look.own.ratios[measure], look.other.ratios[measure])
            figure.value = own.ratio
            figure.reference = other.ratio
            let pair = metric.isBetterHigh ? (own.complement, other.complement) : (own, other)
            guard isKnown(pair.0), isKnown(pair.1) else { continue }
            let (one, two) = (ComparedSide(pair.0), ComparedSide(pair.1))
            let (difference, variance) = (log(one.rate / two.rate), one.logVariance + two.logVariance)
            guard variance > 0 else { continue }
            let interval = MixtureInterval(difference: difference, variance: variance, level: level)
            if known == nil { known = interval } else { known?.intersect(interval) }
            figure.ratio = one.rate / two.rate
            figure.p = min(figure.p ?? 1, MixtureInterval.p(difference: difference, variance: variance))
            guard let known else { continue }
            if figure.decidedOnDay == nil {
                figure.verdict = known.low > 0 ? .worse : known.high < 0 ? .better : .undecided
                if figure.verdict != .undecided { figure.decidedOnDay = day + 1 }
            }
        }
        // Looks that contradict each other leave nothing to be printed.
        if let known, known.low <= known.high { figure.interval = Interval(low: exp(known.low), high: exp(known.high)) }
        return figure
    }

    private static func isKnown(_ sums: RatioSums) -> Bool {
        sums.hasBase(of: fewestSessions) && sums.hasEvents(of: fewestEventSessions)
    }
}

/// An interval of ln R that holds however often one looks: a normal mixture of likelihoods (H. Robbins, "Statistical Methods
/// Related to the Law of the Iterated Logarithm", 1970; R. Johari, L. Pekelis and D. Walsh, "Always Valid Inference", 2015).
struct MixtureInterval: Sendable, Equatable {
    /// τ, the standard deviation of the differences that are looked for, on the logarithm. It is fixed for every experiment:
    /// chosen after a look, the interval would hold no longer.
    static let spread = 0.2

    /// Ends of ln R.
    var low: Double
    var high: Double

    /// - Parameters:
    ///   - difference: ln R.
    ///   - variance: of it, above 0.
    ///   - level: the share of experiments whose interval may miss the truth at any look.
    init(difference: Double, variance: Double, level: Double) {
        let square = Self.spread * Self.spread
        let width =
            (variance * (variance + square) / square
            * (2 * log(1 / level) + log((variance + square) / variance))).squareRoot()
        (low, high) = (difference - width, difference + width)
    }

    /// The probability of such a difference at this look or an earlier one by luck alone, at most.
    static func p(difference: Double, variance: Double) -> Double {
        let square = spread * spread
        let evidence = square * difference * difference / (2 * variance * (variance + square))
        return min(1, ((variance + square) / variance).squareRoot() * exp(-evidence))
    }

    mutating func intersect(_ other: MixtureInterval) {
        (low, high) = (max(low, other.low), min(high, other.high))
    }
}
