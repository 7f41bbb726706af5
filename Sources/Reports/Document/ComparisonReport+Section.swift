extension ComparisonReport {
    /// The comparison as people read it.
    func section() -> HumanSection {
        let other = reference == .rest ? "all others" : "before"
        let tables = periods.map { period in
            var table = HumanTable(
                title: "Comparison", period: period.name,
                columns: request.nameColumns + [
                    .init(heading: "metric", isName: true, isWhole: true), .init(heading: "here"),
                    .init(heading: other),
                    .init(heading: "difference"), .init(heading: "95 % interval"),
                    .init(heading: "verdict", isName: true, isWhole: true),
                ])
            table.rows = period.comparisons.map { comparison in
                comparison.names.map { HumanTable.Cell($0) } + comparison.humanCells
            }
            return table
        }
        let against =
            reference == .rest
            ? "Each group against all other groups together." : "Each group against itself in as long a time before."
        return HumanSection(
            title: "Comparison", tables: tables,
            notes: [
                against
                    + " Verdicts are corrected for the number of differences in the table (Holm), so that one may be "
                    + "no difference shown beside an interval without 0; startup is judged by its share within the "
                    + "target; under \(ComparedPair.fewestPlays) plays, or \(ComparedPair.fewestSessions) sessions, "
                    + "nobody is judged."
            ])
    }
}

extension ComparedMetric {
    var heading: String {
        switch self {
        case .startupP50: "startup p50"
        case .startupP95: "startup p95"
        case .startupWithinTarget: "within target"
        case .rebuffering: "rebuffering"
        case .stallsPerHour: "stalls an hour"
        case .playsWithStall: "stalled plays"
        case .failed: "failures"
        }
    }
}

extension Comparison {
    fileprivate var humanCells: [HumanTable.Cell] {
        let tone: HumanTable.Tone = verdict == .worse ? .bad : verdict == .better ? .good : .plain
        var ends = HumanNumber.none
        if let low = interval.low, let high = interval.high { ends = "\(signed(low)) to \(signed(high))" }
        return [
            .init(metric.heading), .init(figure(value)), .init(figure(reference)),
            .init(difference.map { signed($0) + unit } ?? HumanNumber.none), .init(ends),
            .init(verdict?.rawValue ?? "", tone: tone),
        ]
    }

    /// Differences of percentages are percentage points.
    private var unit: String {
        switch metric {
        case .startupP50, .startupP95: " ms"
        case .stallsPerHour: ""
        default: " pp"
        }
    }

    private func signed(_ value: Double) -> String {
        switch metric {
        case .startupP50, .startupP95: (value < 0 ? "−" : "+") + String(Int64(abs(value)))
        case .stallsPerHour: HumanNumber.signed(value)
        default: HumanNumber.signed(value * 100)
        }
    }
}
