import Foundation

/// The ends of a 95 % interval; nil is an end that is not known.
package struct Interval<Bound: Sendable & Hashable>: Sendable, Hashable {
    package var low: Bound?
    package var high: Bound?

    package init(low: Bound?, high: Bound?) {
        self.low = low
        self.high = high
    }

    package static var unknown: Interval { Interval(low: nil, high: nil) }
}

extension RatioSums {
    /// R = Y ÷ X; nil without a base.
    package var ratio: Double? { base > 0 ? Double(events) / Double(base) : nil }

    /// 1 ÷ h_x = X² ÷ Σx²: how many sessions' worth of base there is; 0 without any.
    package var effectiveSessions: Double { Self.effective(base, baseSquares) }

    /// 1 ÷ h_y = Y² ÷ Σy²: how many sessions' worth of events there is; 0 without any.
    package var effectiveEventSessions: Double { Self.effective(events, eventSquares) }

    private static func effective(_ sum: Int128, _ squares: Int128) -> Double {
        squares > 0 ? square(sum).double / Double(squares) : 0
    }

    private static func square(_ value: Int128) -> WideInteger { WideInteger(value) * WideInteger(value) }

    /// Whether the base is that of so many sessions at least, in whole numbers: X² ≥ n·Σx².
    package func hasBase(of sessions: Int64) -> Bool {
        baseSquares > 0 && Self.square(base) >= WideInteger(sessions) * WideInteger(baseSquares)
    }

    /// Whether the events are those of so many sessions at least: Y² ≥ n·Σy²; never without any.
    package func hasEvents(of sessions: Int64) -> Bool {
        eventSquares > 0 && Self.square(events) >= WideInteger(sessions) * WideInteger(eventSquares)
    }

    /// One session has all of the base.
    package var isBaseOfOne: Bool { !hasBase(of: 1) || Self.square(base) == WideInteger(baseSquares) }

    /// One session has all of the events.
    var areEventsOfOne: Bool { eventSquares > 0 && Self.square(events) == WideInteger(eventSquares) }

    /// X²Σy² − 2XYΣxy + Y²Σx² = Σ (X·y − Y·x)², exactly: 0 where all sessions have the same share.
    private var deviation: WideInteger {
        let (base, events) = (WideInteger(self.base), WideInteger(self.events))
        let squares = base * base * WideInteger(eventSquares) + events * events * WideInteger(baseSquares)
        return squares - WideInteger(2) * base * events * WideInteger(products)
    }

    /// v of a share: that of R.
    var shareVariance: Double {
        let spread = Self.square(base) - WideInteger(baseSquares)
        return spread.isZero ? 0 : deviation.double / (spread * spread).double
    }

    /// v of a ratio: that of ln R. 0 where one session has all of the base or of the events.
    package var logVariance: Double {
        let spread =
            (Self.square(base) - WideInteger(baseSquares)) * (Self.square(events) - WideInteger(eventSquares))
        return spread.isZero ? 0 : deviation.double / spread.double
    }

    /// Events and base may be of two moments, where a store has no snapshot.
    private var isShare: Bool { events >= 0 && events <= base }

    /// How many independent plays would say as much, and by how many degrees of freedom that is known.
    private func effectivePlays(degreesOfFreedom: Double, variance: Double) -> Double {
        let shrinking = pow(
            StudentDistribution.normalQuantile / StudentDistribution.quantile(degreesOfFreedom: degreesOfFreedom), 2)
        let share = Double(events) / Double(base)
        let plays = variance == 0 ? Double(sessions) : share * (1 - share) / variance
        return min(Double(base), plays * shrinking)
    }

    /// Of a share: Wilson's interval (E. B. Wilson, 1927) with the effective number of plays.
    package var shareInterval: Interval<Double> {
        guard hasBase(of: 5), isShare, let share = ratio else { return .unknown }
        let variance = shareVariance
        var freedom = effectiveSessions - 1
        if variance > 0 {
            let known = min(
                effectiveSessions, 2 * effectiveEventSessions, 2 * complement.effectiveEventSessions)
            freedom = max(2, known - 1)
        }
        let n = effectivePlays(degreesOfFreedom: freedom, variance: variance)
        let square = StudentDistribution.normalQuantile * StudentDistribution.normalQuantile
        let middle = (share + square / (2 * n)) / (1 + square / n)
        let half =
            StudentDistribution.normalQuantile / (1 + square / n)
            * (share * (1 - share) / n + square / (4 * n * n)).squareRoot()
        // At the edges the two terms cancel: the end is the edge itself.
        return Interval(
            low: events == 0 ? 0 : max(0, middle - half), high: events == base ? 1 : min(1, middle + half))
    }

    /// Of a ratio of sums: R·exp(± t·√v).
    ///
    /// - Parameters:
    ///   - limit: what the ratio can't pass.
    ///   - value: R, where the events were capped and it is not Y ÷ X.
    package func ratioInterval(limit: Double = .infinity, value: Double? = nil) -> Interval<Double> {
        guard hasBase(of: 5), let ratio = value ?? ratio else { return .unknown }
        guard events > 0 else { return Interval(low: 0, high: nil) }
        guard !areEventsOfOne else { return Interval(low: 0, high: nil) }
        let freedom = max(2, min(effectiveSessions, effectiveEventSessions) - 1)
        let factor = exp(StudentDistribution.quantile(degreesOfFreedom: freedom) * logVariance.squareRoot())
        // A relative error beyond a factor of 10³⁰⁰ leaves that end unknown.
        let high = ratio * factor
        return Interval(
            low: ratio / factor, high: hasEvents(of: 2) && high.isFinite ? min(limit, high) : nil)
    }

    /// The ranks, from 1, of a percentile's ends among the sorted values: these are the sums of the values at or below it.
    ///
    /// - Parameter percent: 1 to 99.
    package func percentileRanks(_ percent: Int64) -> Interval<Int64> {
        guard hasBase(of: 5), isShare else { return .unknown }
        let size = effectivePlays(degreesOfFreedom: effectiveSessions - 1, variance: shareVariance)
        let (k, p, n) = (max(1, Int64(size.rounded(.down))), Double(percent) / 100, base)
        let low = Self.rank(upTo: k) { BinomialDistribution.atMost(Int($0) - 1, of: Int(k), p: p) <= 0.025 }
        // The ranks that are too high go from k downward.
        let high = Self.rank(upTo: k) { BinomialDistribution.atLeast(Int(k - $0 + 1), of: Int(k), p: p) <= 0.025 }
        return Interval(
            low: low.map { Int64((Int128($0) - 1) * n / Int128(k)) + 1 },
            high: high.map { Int64((Int128(k - $0 + 1) * n + Int128(k) - 1) / Int128(k)) })
    }

    /// The largest rank in 1…k that still is in a tail; nil when the first is not. The tail grows with the rank.
    private static func rank(upTo k: Int64, isInTail: (Int64) -> Bool) -> Int64? {
        guard isInTail(1) else { return nil }
        var (inside, outside) = (Int64(1), k + 1)
        while outside - inside > 1 {
            let middle = inside + (outside - inside) / 2
            if isInTail(middle) { inside = middle } else { outside = middle }
        }
        return inside
    }
}

/// Quantiles that leave 2.5 % above them.
enum StudentDistribution {
    /// The 97.5 % quantile of the normal distribution.
    static let normalQuantile = 1.959963984540054

    /// The 97.5 % quantile of Student's distribution with `freedom` degrees of freedom, not rounded to the whole.
    ///
    /// Solves P(|T| > t) = I_{f ÷ (f + t²)}(f ÷ 2, ½) = 0.05 (DLMF 8.17, Abramowitz and Stegun 26.7.1) by Newton's method
    /// from the normal quantile: the tail falls and is convex, so the steps never overshoot.
    ///
    /// - Parameter freedom: at least 1.
    static func quantile(degreesOfFreedom freedom: Double) -> Double {
        let logFactor = lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - 0.5 * log(freedom * Double.pi)
        var t = normalQuantile
        for _ in 1...100 {
            let square = t * t
            let tail = BetaDistribution.cumulative(
                freedom / (freedom + square), complement: square / (freedom + square), a: freedom / 2, b: 0.5)
            let density = exp(logFactor - (freedom + 1) / 2 * log1p(square / freedom))
            let step = (tail - 0.05) / (2 * density)
            t += step
            if abs(step) < 1e-13 { break }
        }
        return t
    }
}
