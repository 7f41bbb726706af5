import Foundation
import Synchronization

/// The statistics of the definitions, computed the slow and obvious way.
enum OracleStatistics {
    static let z = 1.959963984540054

    /// A session, or a play without one: (x, y).
    typealias Cluster = (x: Double, y: Double)

    struct Spread {
        var x: Double
        var y: Double
        /// Sessions' worth of base, of events and of what is none.
        var sessions: Double
        var events: Double
        var misses: Double
        /// Σ (X·y − Y·x)², and 0 where all shares are the same but for rounding.
        var deviation: Double
        var xx: Double
        var yy: Double
        var clusters: Double

        var isUnknown: Bool { sessions < 5 - 1e-12 }
    }

    static func spread(_ clusters: [Cluster]) -> Spread? {
        func sum(_ value: (Cluster) -> Double) -> Double { clusters.reduce(0) { $0 + value($1) } }
        let (x, y) = (sum(\.x), sum(\.y))
        guard x > 0 else { return nil }
        let (xx, yy, gg) = (sum { $0.x * $0.x }, sum { $0.y * $0.y }, sum { ($0.x - $0.y) * ($0.x - $0.y) })
        let isZero = clusters.allSatisfy { abs($0.y - y / x * $0.x) < 1e-9 * max(1, $0.x) }
        return Spread(
            x: x, y: y, sessions: x * x / xx, events: yy > 0 ? y * y / yy : .infinity,
            misses: gg > 0 ? (x - y) * (x - y) / gg : .infinity,
            deviation: isZero ? 0 : sum { pow(x * $0.y - y * $0.x, 2) }, xx: xx, yy: yy,
            clusters: Double(clusters.count))
    }

    static func share(_ clusters: [Cluster]) -> (Double?, Double?) {
        guard let spread = spread(clusters), !spread.isUnknown else { return (nil, nil) }
        let known = min(spread.sessions, 2 * spread.events, 2 * spread.misses)
        let freedom = spread.deviation == 0 ? spread.sessions - 1 : max(2, known - 1)
        let n = effective(spread, freedom)
        let r = spread.y / spread.x
        let middle = (r + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (r * (1 - r) / n + z * z / (4 * n * n)).squareRoot()
        return (max(0, middle - half), min(1, middle + half))
    }

    static func ratio(_ clusters: [Cluster], limit: Double = .infinity) -> (Double?, Double?) {
        guard let spread = spread(clusters), !spread.isUnknown else { return (nil, nil) }
        let r = spread.y / spread.x
        // Of one session alone nothing is known but that there were events.
        guard spread.y > 0, spread.events > 1 + 1e-12 else { return (0, nil) }
        let v = spread.deviation / ((spread.x * spread.x - spread.xx) * (spread.y * spread.y - spread.yy))
        let factor = exp(quantile(max(2, min(spread.sessions, spread.events) - 1)) * v.squareRoot())
        return (r / factor, spread.events < 2 - 1e-12 ? nil : min(limit, r * factor))
    }

    /// The values at the ends of a percentile's interval.
    static func percentile(_ p: Double, sorted values: [Int64], _ clusters: [Cluster]) -> (Int64?, Int64?) {
        guard let spread = spread(clusters), !spread.isUnknown else { return (nil, nil) }
        let (n, k) = (values.count, max(1, Int(effective(spread, spread.sessions - 1))))
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

    private static func effective(_ spread: Spread, _ freedom: Double) -> Double {
        let shrinking = pow(z / quantile(freedom), 2)
        let r = spread.y / spread.x
        let v = spread.deviation / pow(spread.x * spread.x - spread.xx, 2)
        return min(spread.x, (v == 0 ? spread.clusters : r * (1 - r) / v) * shrinking)
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
        // The integral to π/2: √π ÷ 2 · Γ(f/2) ÷ Γ((f+1)/2).
        let whole = Double.pi.squareRoot() / 2 * exp(lgamma(f / 2) - lgamma((f + 1) / 2))
        var angle = atan(z / f.squareRoot())
        for _ in 0..<20 { angle += (0.95 * whole - integral(to: angle)) / pow(cos(angle), f - 1) }
        return f.squareRoot() * tan(angle)
    }
}
