internal import Foundation

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
