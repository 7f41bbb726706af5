/// What a group is set against.
package enum ComparisonReference: String, Sendable, CaseIterable {
    /// The same group in the same length of time before.
    case previous
    /// All other groups of the period together.
    case rest
}

/// What can be said of a difference in one sentence.
package enum ComparisonVerdict: String, Sendable {
    case worse
    case better
    case noDifferenceShown = "no difference shown"
    case tooFewPlays = "too few plays"
}

/// The metrics that groups are compared by; the raw value is the column of `summary.csv` or `rebuffering.csv`.
package enum ComparedMetric: String, Sendable, CaseIterable {
    case startupP50 = "startup_p50_ms"
    case startupP95 = "startup_p95_ms"
    case startupWithinTarget = "startup_within_target_ratio"
    case rebuffering = "rebuffer_ratio"
    case stallsPerHour = "stalls_per_hour"
    case playsWithStall = "plays_with_stall_ratio"
    case failed = "failure_ratio"

    /// The percentiles are only printed side by side: startup is judged by its share within the target.
    package var isJudged: Bool { self != .startupP50 && self != .startupP95 }

    /// Of startups within the target more is better, of everything else less.
    package var isBetterHigh: Bool { self == .startupWithinTarget }
}

/// One group's figure set against another.
package struct Comparison: Sendable {
    package var names: GroupNames
    package var metric: ComparedMetric
    /// ms, a ratio, or a number an hour.
    package var value: Double?
    package var reference: Double?
    /// The difference's 95 % interval.
    package var interval: Interval<Double>
    /// Nil for the percentiles.
    package var verdict: ComparisonVerdict?
    /// The probability of a difference like this by luck alone; nil when it can't be said.
    var probability: Double?

    package var difference: Double? {
        guard let value, let reference else { return nil }
        return value - reference
    }

    package var ratio: Double? {
        guard let value, let reference, reference > 0 else { return nil }
        return value / reference
    }
}

/// The comparisons of every period.
package struct ComparisonReport: Sendable {
    package var request: ReportRequest
    package var reference: ComparisonReference
    package var periods: [Period]
    package var asOf: Int64?
    package var downloads: Int64

    package struct Period: Sendable {
        package var name: String
        package var comparisons: [Comparison]
    }

    /// Gives the comparisons their verdicts; those of one period are corrected for all that are looked at together in it,
    /// every group and metric.
    mutating func judge() {
        for period in periods.indices {
            var shown = Holm.areShown(periods[period].comparisons.compactMap(\.probability))[...]
            for index in periods[period].comparisons.indices {
                let comparison = periods[period].comparisons[index]
                guard comparison.probability != nil else { continue }
                let isShown = shown.removeFirst()
                periods[period].comparisons[index].verdict =
                    !isShown
                    ? .noDifferenceShown
                    : (comparison.difference ?? 0 > 0) == comparison.metric.isBetterHigh ? .better : .worse
            }
        }
    }

    package func table() -> ReportTable {
        let numbers = ["value", "reference", "difference", "difference_low", "difference_high", "ratio"]
        var table = ReportTable(
            name: "compare",
            columns: request.leadingColumns + [ReportColumn("metric", .text)] + numbers.map { ReportColumn($0, .ratio) }
                + [ReportColumn("verdict", .text), ReportColumn("definitions", .version)],
            rows: [], asOf: asOf, downloads: downloads)
        for period in periods {
            for comparison in period.comparisons {
                table.rows.append(
                    [.text(period.name)] + comparison.names.map(ReportCell.text) + [.text(comparison.metric.rawValue)]
                        + comparison.cells + [.init(definitionsVersion)])
            }
        }
        return table
    }
}

extension Comparison {
    fileprivate var cells: [ReportCell] {
        let number = { (value: Double?) -> ReportCell in
            // Percentiles are whole ms.
            metric.isJudged ? .init(value) : .init(value.map { Int64($0) })
        }
        return [
            number(value), number(reference), number(difference), .init(interval.low), .init(interval.high),
            .init(ratio),
            verdict.map { .text($0.rawValue) } ?? .empty,
        ]
    }
}
