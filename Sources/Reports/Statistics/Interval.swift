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

extension ClusterSpread {
    /// The number of independent plays that would say as much as these clustered ones; nil when they say too little.
    ///
    /// R(1−R) ÷ v · (z ÷ t)², at most the number of plays; with v = 0, m·(z ÷ t)².
    private var effectiveSize: Double? {
        guard let ratio, let freedom else { return nil }
        let shrinking = pow(StudentDistribution.normalQuantile / StudentDistribution.quantile(freedom: freedom), 2)
        let variance = variance
        let size = variance == 0 ? Double(clusters) * shrinking : ratio * (1 - ratio) / variance * shrinking
        return min(Double(x), size)
    }

    /// Of a share: Wilson's interval (E. B. Wilson, 1927) with the effective number of plays.
    var shareInterval: Interval<Double> {
        guard let ratio, let n = effectiveSize else { return .unknown }
        let square = StudentDistribution.normalQuantile * StudentDistribution.normalQuantile
        let middle = (ratio + square / (2 * n)) / (1 + square / n)
        let half =
            StudentDistribution.normalQuantile / (1 + square / n)
            * (ratio * (1 - ratio) / n + square / (4 * n * n)).squareRoot()
        // At the edges the two terms cancel: the end is the edge itself.
        return Interval(
            low: y == 0 ? 0 : max(0, middle - half),
            high: y == Int128(x) ? 1 : min(1, middle + half))
    }

    /// Of a ratio of sums: R·exp(± t·√v ÷ R).
    ///
    /// - Parameter limit: what the ratio can't pass.
    func ratioInterval(limit: Double = .infinity) -> Interval<Double> {
        guard let ratio, let freedom else { return .unknown }
        guard y > 0 else { return Interval(low: 0, high: nil) }
        let factor = exp(StudentDistribution.quantile(freedom: freedom) * variance.squareRoot() / ratio)
        // A relative error beyond a factor of 10³⁰⁰ leaves that end unknown.
        let high = ratio * factor
        return Interval(low: ratio / factor, high: high.isFinite ? min(limit, high) : (limit.isFinite ? limit : nil))
    }

    /// The places, from 1, of a percentile's ends among the sorted values: this is the spread of the share of values at or
    /// below it.
    ///
    /// - Parameter percent: 50 or 95.
    func percentilePlaces(_ percent: Int64) -> Interval<Int64> {
        guard let size = effectiveSize else { return .unknown }
        let k = max(1, Int64(size.rounded(.down)))
        let p = Double(percent) / 100
        let low = rank(upTo: k) { BinomialDistribution.atMost(Int($0) - 1, of: Int(k), p: p) <= 0.025 }
        // The ranks that are too high go from k downward.
        let high = rank(upTo: k) { BinomialDistribution.atLeast(Int(k - $0 + 1), of: Int(k), p: p) <= 0.025 }
        return Interval(
            low: low.map { Int64(Int128($0 - 1) * Int128(x) / Int128(k)) + 1 },
            high: high.map { Int64((Int128(k - $0 + 1) * Int128(x) + Int128(k) - 1) / Int128(k)) })
    }

    /// The largest rank in 1…k that still is in a tail; nil when the first is not. The tail grows with the rank.
    private func rank(upTo k: Int64, isInTail: (Int64) -> Bool) -> Int64? {
        guard isInTail(1) else { return nil }
        var (inside, outside) = (Int64(1), k + 1)
        while outside - inside > 1 {
            let middle = inside + (outside - inside) / 2
            if isInTail(middle) { inside = middle } else { outside = middle }
        }
        return inside
    }
}
