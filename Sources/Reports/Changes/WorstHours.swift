internal import Foundation

/// The hours of a day in which a group's trouble lay: the run of hours with the most that is bad, where it differs from the
/// rest of the group's own day.
package struct WorstHours: Sendable, Equatable {
    let first: LocalHour
    let last: LocalHour

    /// `from 18:00 to 22:00`.
    package var text: String {
        let end = LocalHour(wallClock: last.wallClock + millisecondsPerHour, offset: last.offset).clock
        return "from \(first.clock) to \(end == "00:00" ? "24:00" : end)"
    }

    // MARK: The run

    /// The run of at most half of the hours with the largest Σ(y − ρ·x), of equal ones the earliest, then the shortest, where ρ
    /// is the middle between the others' rate and the group's own.
    ///
    /// - Parameter hours: bad and all of what is counted, in the order of time.
    static func run(_ hours: [(base: Double, events: Double)], reference: Double) -> ClosedRange<Int>? {
        let (base, events) = hours.reduce((0.0, 0.0)) { ($0.0 + $1.base, $0.1 + $1.events) }
        guard base > 0 else { return nil }
        let middle = (reference + events / base) / 2
        var best: (sum: Double, run: ClosedRange<Int>)?
        for first in hours.indices {
            var sum = 0.0
            for last in first..<min(hours.count, first + hours.count / 2) {
                sum += hours[last].events - middle * hours[last].base
                if sum > best?.sum ?? -.infinity { best = (sum, first...last) }
            }
        }
        return best?.run
    }

    /// How many runs of at most half of so many hours there are.
    static func runs(of hours: Int) -> Int {
        (1...max(1, hours)).filter { $0 <= hours / 2 }.reduce(0) { $0 + hours - $1 + 1 }
    }

    // MARK: From a store

    /// - Parameters:
    ///   - scope: the group's plays; its dimensions don't matter.
    ///   - day: ms since 1970.
    ///   - isComplement: bad is what the measure does not count.
    ///   - reference: the rate of what the group is set against.
    /// - Returns: nil where the trouble lay in no part of the day.
    static func find(
        _ store: any ReportStore, _ scope: PlayScope, _ day: Range<Int64>, _ measure: Measure, isComplement: Bool,
        reference: Double
    ) throws -> WorstHours? {
        var scope = scope
        scope.dimensions = [.hour]
        let sums = { (group: GroupSums) in isComplement ? group.ratios[measure].complement : group.ratios[measure] }
        let hours = try store.sums(SumsQuestion(scope, periods: [day]))[0].groups.compactMap { group in
            group.key?.values.first.flatMap { Int64($0.description) }.map {
                (hour: LocalHour(code: $0), sums: sums(group))
            }
        }.filter { $0.sums.base > 0 }.sorted { $0.hour.start < $1.hour.start }
        let counts = hours.map { (base: Double($0.sums.base), events: Double($0.sums.events)) }
        guard let run = run(counts, reference: reference) else { return nil }
        let found = WorstHours(first: hours[run.lowerBound].hour, last: hours[run.upperBound].hour)
        let start = max(day.lowerBound, found.first.start)
        let end = min(day.upperBound, found.last.start + millisecondsPerHour)
        guard start < end else { return nil }
        let ranges = [start..<end, day.lowerBound..<start, end..<day.upperBound].filter { !$0.isEmpty }
        let parts = try RunParts.find(store, scope, ranges, measure, isComplement: isComplement)
        return parts.differs(runs: runs(of: hours.count)) ? found : nil
    }
}

extension LocalHour {
    /// `18:00`.
    fileprivate var clock: String { String(label.dropFirst(11).prefix(5)) }
}

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
