import Foundation

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
