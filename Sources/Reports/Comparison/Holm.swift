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
    static func bothTails(_ t: Double, freedom: Double) -> Double {
        guard t.isFinite else { return 0 }
        let square = t * t
        return BetaDistribution.cumulative(
            freedom / (freedom + square), complement: square / (freedom + square), a: freedom / 2, b: 0.5)
    }
}
