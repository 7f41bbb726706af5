import Foundation
import Synchronization

/// The statistics of the definitions, computed the slow and obvious way.
enum OracleStatistics {
    static let z = 1.959963984540054

    /// A session, or a play without one: (x, y).
    typealias Cluster = (x: Double, y: Double)

    struct Spread {
        var ratio: Double
        var variance: Double
        var freedom: Double
        var clusters: Double
        var n: Double
    }

    static func spread(_ clusters: [Cluster]) -> Spread? {
        let x = clusters.reduce(0) { $0 + $1.x }
        guard x > 0 else { return nil }
        let ratio = clusters.reduce(0) { $0 + $1.y } / x
        let freedom = x * x / clusters.reduce(0) { $0 + $1.x * $1.x } - 1
        let m = Double(clusters.count)
        let squares = clusters.map { pow(($0.y - ratio * $0.x) / (x - $0.x), 2) }
        let variance = (m - 1) / m * squares.reduce(0, +)
        // All shares the same but for rounding.
        let isZero = clusters.allSatisfy { abs($0.y - ratio * $0.x) < 1e-9 * max(1, $0.x) }
        return Spread(ratio: ratio, variance: isZero ? 0 : variance, freedom: freedom, clusters: m, n: x)
    }

    static func share(_ clusters: [Cluster]) -> (Double?, Double?) {
        guard let spread = spread(clusters), let n = effective(spread) else { return (nil, nil) }
        let r = spread.ratio
        let middle = (r + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (r * (1 - r) / n + z * z / (4 * n * n)).squareRoot()
        return (max(0, middle - half), min(1, middle + half))
    }

    static func ratio(_ clusters: [Cluster], limit: Double = .infinity) -> (Double?, Double?) {
        guard let spread = spread(clusters), spread.freedom >= 4 - 1e-12 else { return (nil, nil) }
        guard spread.ratio > 0 else { return (0, nil) }
        let factor = exp(quantile(spread.freedom) * spread.variance.squareRoot() / spread.ratio)
        return (spread.ratio / factor, min(limit, spread.ratio * factor))
    }

    /// The values at the ends of a percentile's interval.
    static func percentile(_ p: Double, sorted values: [Int64], _ clusters: [Cluster]) -> (Int64?, Int64?) {
        guard let spread = spread(clusters), let size = effective(spread) else { return (nil, nil) }
        let (n, k) = (values.count, max(1, Int(size)))
        var terms = [1.0]
        for _ in 0..<k {
            terms = (0...terms.count).map { i in
                (i < terms.count ? terms[i] * (1 - p) : 0) + (i > 0 ? terms[i - 1] * p : 0)
            }
        }
        let low = (1...k).last { l in terms[0..<l].reduce(0, +) <= 0.025 }
        let high = (1...k).first { u in terms[u...k].reduce(0, +) <= 0.025 }
        return (low.map { values[($0 - 1) * n / k] }, high.map { values[($0 * n + k - 1) / k - 1] })
    }

    private static func effective(_ spread: Spread) -> Double? {
        guard spread.freedom >= 4 - 1e-12 else { return nil }
        let shrinking = pow(z / quantile(spread.freedom), 2)
        let size =
            spread.variance == 0
            ? spread.clusters * shrinking : spread.ratio * (1 - spread.ratio) / spread.variance * shrinking
        return min(spread.n, size)
    }

    private static let quantiles = Mutex<[Double: Double]>([:])

    static func quantile(_ freedom: Double) -> Double {
        if let known = quantiles.withLock({ $0[freedom] }) { return known }
        let quantile = integrated(freedom)
        quantiles.withLock { $0[freedom] = quantile }
        return quantile
    }

    /// Student's 97.5 % quantile: after x = √f·tan θ the density is cos^(f−1) θ, whose integral to the quantile is 95 % of
    /// that to π/2. Newton's method over Simpson's rule.
    private static func integrated(_ f: Double) -> Double {
        func integral(to angle: Double) -> Double {
            let steps = 400
            let h = angle / Double(steps)
            var sum = 0.0
            for i in 0...steps {
                sum += (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * pow(max(0, cos(Double(i) * h)), f - 1)
            }
            return sum * h / 3
        }
        let whole = integral(to: .pi / 2)
        var angle = atan(z / f.squareRoot())
        for _ in 0..<20 { angle += (0.95 * whole - integral(to: angle)) / pow(cos(angle), f - 1) }
        return f.squareRoot() * tan(angle)
    }
}
