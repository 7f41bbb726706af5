internal import Foundation

/// How the difference of two ratios varies over sessions that may have plays on both sides.
///
/// Each session's part in either ratio is linearised as ``ClusterSpread`` does, and the two are taken from each other
/// before they are squared: what a session does to both sides alike cancels.
struct PairSpread: Sendable {
    /// Σ x and Σ y of a side.
    typealias Totals = (x: Int64, y: Int128)

    private let one: Totals
    private let other: Totals
    private var clusters: Int64 = 0
    private var squares = CompensatedSum()

    init(_ one: Totals, _ other: Totals) {
        self.one = one
        self.other = other
    }

    /// Adds `count` clusters with these parts on either side; a side that has no plays of a cluster gets nil.
    mutating func add(_ onePart: (x: Int64, y: Int64)?, _ otherPart: (x: Int64, y: Int64)?, count: Int64 = 1) {
        guard onePart != nil || otherPart != nil else { return }
        clusters += count
        let term = Self.influence(onePart, one) - Self.influence(otherPart, other)
        squares.add(Double(count) * term * term)
    }

    /// e ÷ (X − x).
    private static func influence(_ part: (x: Int64, y: Int64)?, _ totals: Totals) -> Double {
        guard let part, part.x < totals.x else { return 0 }
        let deviation = Int128(part.y) * Int128(totals.x) - totals.y * Int128(part.x)
        return deviation.nearestDouble / (Double(totals.x) * Double(totals.x - part.x))
    }

    /// The variance of the difference, by leaving out one session after the other on both sides.
    var variance: Double {
        clusters > 0 ? Double(clusters - 1) / Double(clusters) * squares.value : 0
    }
}

/// A difference of two ratios that sessions were added up for.
struct PairDifference {
    let spread: PairSpread
    let one: ClusterSpread
    let other: ClusterSpread

    /// The smaller of the two sides' degrees of freedom; nil when either has too few sessions.
    var freedom: Double? {
        guard let one = one.freedom, let other = other.freedom else { return nil }
        return min(one, other)
    }

    var value: Double? {
        guard let one = one.ratio, let other = other.ratio else { return nil }
        return one - other
    }

    /// The standard error of a difference of shares; nil when there is too little to say it.
    ///
    /// A side on which all sessions are alike shows no variance, which is luck where it is small: there half of its own
    /// interval stands for it.
    var shareError: Double? {
        guard let freedom else { return nil }
        let t = StudentDistribution.quantile(freedom: freedom)
        var variance = spread.variance
        for side in [one, other] where side.variance == 0 {
            let interval = side.shareInterval
            guard let low = interval.low, let high = interval.high, let ratio = side.ratio else { return nil }
            variance += pow(max(high - ratio, ratio - low) / t, 2)
        }
        return variance.squareRoot()
    }

    /// The standard error of a difference of ratios of sums; nil when a side has nothing to tell how it would vary.
    var ratioError: Double? {
        guard freedom != nil, one.y > 0, other.y > 0 else { return nil }
        return spread.variance.squareRoot()
    }
}
