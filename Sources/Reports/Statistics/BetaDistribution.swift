import Foundation

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
