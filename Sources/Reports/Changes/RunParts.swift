internal import Foundation

/// A group's sessions inside and outside a run of hours or days.
struct RunParts {
    var inside = RatioSums()
    var outside = RatioSums()
    /// Of sessions on both sides.
    var cross = CrossSums()

    /// Whether the run's rate is higher than the rest's by more than luck, as one of so many runs.
    func differs(runs: Int) -> Bool {
        let base = Double(inside.base + outside.base)
        guard base > 0 else { return false }
        let rate = Double(inside.events + outside.events) / base
        let weight = Double(inside.base) / base
        let excess = Double(inside.events) - rate * Double(inside.base)
        func squares(_ sums: RatioSums) -> Double {
            Double(sums.eventSquares) - 2 * rate * Double(sums.products) + rate * rate * Double(sums.baseSquares)
        }
        let both =
            Double(cross.events) - rate * Double(cross.baseByEvents + cross.eventsByBase)
            + rate * rate * Double(cross.bases)
        let variance =
            (1 - weight) * (1 - weight) * squares(inside) + weight * weight * squares(outside)
            - 2 * weight * (1 - weight) * both
        guard variance > 0 else { return false }
        return Double(runs) * erfc(excess / variance.squareRoot() / 2.0.squareRoot()) / 2 <= 0.05
    }

    /// - Parameters:
    ///   - scope: the group's plays.
    ///   - ranges: the run, then one or two that are the rest.
    static func find(
        _ store: any ReportStore, _ scope: PlayScope, _ ranges: [Range<Int64>], _ measure: Measure, isComplement: Bool
    ) throws -> RunParts {
        var scope = scope
        scope.dimensions = []
        var question = SumsQuestion(scope, periods: ranges)
        // Each with the next, so that every two have met.
        question.otherSide = .periods(ranges.indices.map { ranges.count > 1 ? ($0 + 1) % ranges.count : nil })
        var parts = RunParts()
        for (index, period) in try store.sums(question).enumerated() {
            let ratio = period.all.ratios[measure]
            let sums = isComplement ? ratio.complement : ratio
            if index == 0 { parts.inside += sums } else { parts.outside += sums }
            guard let known = period.all.cross?[measure] else { continue }
            let both = isComplement ? known.complement : known
            if index == 1, ranges.count == 3 {
                parts.outside.baseSquares += 2 * both.bases
                parts.outside.products += both.baseByEvents + both.eventsByBase
                parts.outside.eventSquares += 2 * both.events
            } else if index == 0 || ranges.count == 3 {
                parts.cross += both
            }
        }
        return parts
    }
}
