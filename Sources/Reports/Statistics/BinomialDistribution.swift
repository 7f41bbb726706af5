import Foundation

/// Density and tails of the binomial distribution.
enum BinomialDistribution {
    /// The density Γ(n+1) ÷ (Γ(x+1) Γ(n−x+1)) · p^x q^(n−x), also between the whole numbers.
    ///
    /// By the saddle-point expansion of Catherine Loader, "Fast and Accurate Computation of Binomial Probabilities"
    /// (2000): no large logarithms are subtracted from each other.
    ///
    /// - Parameters:
    ///   - x: from 0 to `n`.
    ///   - q: 1 − p.
    static func density(_ x: Double, of n: Double, p: Double, q: Double) -> Double {
        if x <= 0 { return exp(n * log1p(-p)) }
        if x >= n { return exp(n * log(p)) }
        let exponent =
            stirlingError(n) - stirlingError(x) - stirlingError(n - x) - deviance(x, n * p) - deviance(n - x, n * q)
        return exp(exponent) * (n / (2 * Double.pi * x * (n - x))).squareRoot()
    }

    /// P(X ≤ x) for X ~ Bin(n, p): I_{1−p}(n − x, x + 1).
    static func atMost(_ x: Int, of n: Int, p: Double) -> Double {
        if x < 0 { return 0 }
        if x >= n { return 1 }
        return BetaDistribution.cumulative(1 - p, complement: p, a: Double(n - x), b: Double(x) + 1)
    }

    /// P(X ≥ x) for X ~ Bin(n, p): I_p(x, n − x + 1).
    static func atLeast(_ x: Int, of n: Int, p: Double) -> Double {
        if x <= 0 { return 1 }
        if x > n { return 0 }
        return BetaDistribution.cumulative(p, complement: 1 - p, a: Double(x), b: Double(n - x) + 1)
    }

    /// ln Γ(z + 1) less Stirling's approximation of it.
    private static func stirlingError(_ z: Double) -> Double {
        if z < 16 {
            return lgamma(z + 1) - (z + 0.5) * log(z) + z - 0.5 * log(2 * Double.pi)
        }
        // DLMF 5.11.1: 1/12z − 1/360z³ + 1/1260z⁵ − 1/1680z⁷ + 1/1188z⁹; the next term is below 10⁻¹⁶ from z = 16 on.
        let square = z * z
        return (1 / 12.0 - (1 / 360.0 - (1 / 1260.0 - (1 / 1680.0 - 1 / 1188.0 / square) / square) / square) / square)
            / z
    }

    /// x ln(x ÷ m) + m − x without cancellation where x is near m.
    private static func deviance(_ x: Double, _ m: Double) -> Double {
        guard abs(x - m) < 0.1 * (x + m) else { return x * log(x / m) + m - x }
        let ratio = (x - m) / (x + m)
        var sum = (x - m) * ratio
        var term = 2 * x * ratio
        for j in 1...1_000 {
            term *= ratio * ratio
            let next = sum + term / Double(2 * j + 1)
            if next == sum { break }
            sum = next
        }
        return sum
    }
}

/// The regularized incomplete beta function, on which Student's t and the binomial tails rest.
enum BetaDistribution {
    /// I_x(a, b), the probability that a beta variate of parameters `a` and `b` is at most `x`.
    ///
    /// By the continued fraction DLMF 8.17.22, evaluated with Lentz's method; where that converges slowly by
    /// I_x(a, b) = 1 − I_{1−x}(b, a) (DLMF 8.17.4).
    ///
    /// - Parameters:
    ///   - x: from 0 to 1, and `complement` 1 − x, so that neither is rounded away.
    ///   - a: above 0.
    ///   - b: above 0.
    /// - Complexity: O(√max(a, b)) steps at worst.
    static func cumulative(_ x: Double, complement: Double, a: Double, b: Double) -> Double {
        if x <= 0 { return 0 }
        if complement <= 0 { return 1 }
        if x > (a + 1) / (a + b + 2) {
            return 1 - cumulativeByFraction(complement, complement: x, a: b, b: a)
        }
        return cumulativeByFraction(x, complement: complement, a: a, b: b)
    }

    private static func cumulativeByFraction(_ x: Double, complement: Double, a: Double, b: Double) -> Double {
        // x^a (1 − x)^b ÷ B(a, b) by way of the binomial density, which stays exact where the powers underflow.
        let n = a + b
        let factor = a * b / n * BinomialDistribution.density(a, of: n, p: x, q: complement)
        return factor / a * fraction(x, a: a, b: b)
    }

    /// 1/(1+ d₁/(1+ d₂/(1+ …))) with d₂ₘ = m(b−m)x ÷ ((a+2m−1)(a+2m)), d₂ₘ₊₁ = −(a+m)(a+b+m)x ÷ ((a+2m)(a+2m+1)).
    private static func fraction(_ x: Double, a: Double, b: Double) -> Double {
        let tiny = 1e-300
        func awayFromZero(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
        var c = 1.0
        var d = 1 / awayFromZero(1 - (a + b) * x / (a + 1))
        var value = d
        for m in 1...200_000 {
            let m = Double(m)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1 / awayFromZero(1 + even * d)
            c = awayFromZero(1 + even / c)
            value *= d * c
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / awayFromZero(1 + odd * d)
            c = awayFromZero(1 + odd / c)
            let step = d * c
            value *= step
            if abs(step - 1) < 1e-15 { break }
        }
        return value
    }
}
