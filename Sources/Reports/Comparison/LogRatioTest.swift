import Foundation

/// One side of a comparison: how often the outcome was there, and how well that is known.
struct ComparedSide {
    /// Y ÷ X.
    var rate: Double
    var hasEvents: Bool
    /// Three sessions' worth of events or more.
    var hasThreeSessionsOfEvents: Bool
    /// 1 ÷ h_x and 1 ÷ h_y.
    var sessions: Double
    var eventSessions: Double
    /// One session has all of the base.
    var isBaseOfOne: Bool
    /// v, the variance of ln R.
    var logVariance: Double
    /// Plays, or ms, and sessions' worth of events, for the test of few events.
    var few: (base: Double, events: Double)

    /// By plays as they are.
    init(_ sums: RatioSums) {
        rate = sums.ratio ?? 0
        hasEvents = sums.events > 0
        hasThreeSessionsOfEvents = sums.hasEvents(of: 3)
        sessions = sums.effectiveSessions
        eventSessions = sums.effectiveEventSessions
        isBaseOfOne = sums.isBaseOfOne
        logVariance = sums.logVariance
        few = (Double(sums.base), sums.effectiveEventSessions)
    }

    /// By weighted pairs.
    init(_ side: AdjustedSums.Side) {
        rate = side.x > 0 ? side.y / side.x : side.y > 0 ? .infinity : 0
        hasEvents = side.y > 0
        // Three sessions of exactly the same stay three whatever rounding does.
        hasThreeSessionsOfEvents = side.yy > 0 && side.y * side.y >= 3 * side.yy * (1 - 1e-12)
        sessions = side.xx > 0 ? side.x * side.x / side.xx : 0
        eventSessions = side.yy > 0 ? side.y * side.y / side.yy : 0
        isBaseOfOne = sessions < 1 + 1e-12
        few = (Double(side.plain.base), side.plain.effectiveEventSessions)
        logVariance = 0
        if sessions > 1 + 1e-12, eventSessions > 1 + 1e-12 {
            let (x, y) = (1 / sessions, 1 / eventSessions)
            let deviation = x + y - 2 * side.xy / (side.x * side.y)
            // What rounding leaves of two equal quotients is no variance.
            logVariance = deviation < 1e-13 * (x + y) ? 0 : deviation / ((1 - x) * (1 - y))
        }
    }

    /// What is known of v, at least 1.
    fileprivate var degreesOfFreedom: Double { max(1, min(sessions, eventSessions) - 1) }
}

/// Whether an outcome is more frequent on one side than on another, on the logarithm of the ratio of their rates.
///
/// On the plain scale a side that had few events by luck has a small variance too, so that small groups look better than
/// they are.
struct LogRatioTest {
    /// How many times as often the outcome is there on the first side; nil without events on the second.
    var ratio: Double?
    var interval: Interval<Double> = .unknown
    /// The probability of a difference like this by luck alone; nil when neither side has an event.
    var p: Double?

    /// - Parameter covariance: of ln R on the two sides, by sessions that are on both.
    init(_ one: ComparedSide, _ other: ComparedSide, covariance: Double) {
        guard one.hasEvents || other.hasEvents else { return }
        ratio = other.hasEvents ? one.rate / other.rate : nil
        guard one.hasThreeSessionsOfEvents, other.hasThreeSessionsOfEvents else {
            p = Self.fewEvents(one, other)
            return
        }
        let variance = one.logVariance + other.logVariance - 2 * covariance
        let isKnown = one.logVariance > 0 || other.logVariance > 0
        guard isKnown, !one.isBaseOfOne, !other.isBaseOfOne, variance > 0, let ratio else {
            p = 1
            return
        }
        // Welch and Satterthwaite.
        let freedom =
            pow(one.logVariance + other.logVariance, 2)
            / (pow(one.logVariance, 2) / one.degreesOfFreedom + pow(other.logVariance, 2) / other.degreesOfFreedom)
        let error = variance.squareRoot()
        p = StudentDistribution.bothTails(abs(log(ratio)) / error, degreesOfFreedom: freedom)
        let factor = exp(StudentDistribution.quantile(degreesOfFreedom: freedom) * error)
        let high = ratio * factor
        interval = Interval(low: ratio / factor, high: high.isFinite ? high : nil)
    }

    /// Given all events, the chance that so many of them fell to the side with the higher rate, both ways.
    private static func fewEvents(_ one: ComparedSide, _ other: ComparedSide) -> Double {
        guard one.rate != other.rate else { return 1 }
        let (high, low) = one.rate > other.rate ? (one, other) : (other, one)
        let share = high.few.base / (high.few.base + low.few.base)
        let tail = BetaDistribution.cumulative(
            share, complement: low.few.base / (high.few.base + low.few.base), a: high.few.events, b: low.few.events + 1)
        return min(1, 2 * tail)
    }
}

extension CrossSums {
    /// The covariance of ln R on the two sides.
    ///
    /// Σ (y_a÷Y_a − x_a÷X_a)(y_b÷Y_b − x_b÷X_b), whose numerator is formed in whole numbers.
    func covariance(_ one: RatioSums, _ other: RatioSums) -> Double {
        let (xa, ya) = (WideInteger(one.base), WideInteger(one.events))
        let (xb, yb) = (WideInteger(other.base), WideInteger(other.events))
        let divisor = xa * xb * ya * yb
        guard !divisor.isZero else { return 0 }
        let plus = xa * xb * WideInteger(events) + ya * yb * WideInteger(bases)
        let minus = xa * yb * WideInteger(eventsByBase) + ya * xb * WideInteger(baseByEvents)
        return plus >= minus ? (plus - minus).double / divisor.double : -((minus - plus).double / divisor.double)
    }
}

extension AdjustedSums {
    var covariance: Double {
        guard own.x > 0, own.y > 0, other.x > 0, other.y > 0 else { return 0 }
        return cross.yy / own.y / other.y - cross.yx / own.y / other.x - cross.xy / own.x / other.y
            + cross.xx / own.x / other.x
    }
}

/// Corrects for looking at many differences at once (S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure",
/// 1979).
enum Holm {
    /// Which of the probabilities still are below 5 % when all of them were looked at: the smallest is held against 5 % ÷ n,
    /// the next against 5 % ÷ (n − 1), and so on until one is not.
    static func areShown(_ probabilities: [Double], level: Double = 0.05) -> [Bool] {
        var shown = probabilities.map { _ in false }
        for (rank, index) in probabilities.indices.sorted(by: { probabilities[$0] < probabilities[$1] }).enumerated() {
            guard probabilities[index] <= level / Double(probabilities.count - rank) else { break }
            shown[index] = true
        }
        return shown
    }
}

extension StudentDistribution {
    /// P(|T| ≥ t).
    static func bothTails(_ t: Double, degreesOfFreedom freedom: Double) -> Double {
        guard t.isFinite else { return 0 }
        let square = t * t
        return BetaDistribution.cumulative(
            freedom / (freedom + square), complement: square / (freedom + square), a: freedom / 2, b: 0.5)
    }
}
