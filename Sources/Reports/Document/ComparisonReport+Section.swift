extension ComparisonReport {
    /// The comparison as people read it.
    func section() -> HumanSection {
        let other = comparison.reference == .rest ? "all others" : "before"
        let mix = comparison.adjust.map(\.heading).joined(separator: ", ")
        let tables = periods.map { period in
            var table = HumanTable(
                title: "Comparison", period: period.name,
                columns: request.nameColumns + [
                    .init(heading: "metric", isName: true, isWhole: true), .init(heading: "here"),
                    .init(heading: other), .init(heading: "times as bad"), .init(heading: "95 % interval"),
                    .init(heading: "verdict", isName: true, isWhole: true),
                ])
            if !comparison.adjust.isEmpty {
                table.columns += [
                    .init(heading: "at the same mix of \(mix)"), .init(heading: "times as bad"),
                    .init(heading: "95 % interval"), .init(heading: "verdict", isName: true, isWhole: true),
                ]
            }
            table.rows = period.comparisons.map { one in
                one.names.map { HumanTable.Cell($0) } + one.humanCells
                    + (comparison.adjust.isEmpty ? [] : one.adjustedCells)
            }
            return table
        }
        let against =
            comparison.reference == .rest
            ? "Each group against all other groups together."
            : request.isByDay
                ? "Each group against itself on the same weekday before."
                : "Each group against itself in as long a time before."
        let mixes = periods.flatMap(\.comparisons).compactMap { one in
            one.mixWords.map { "\(one.names.joined(separator: ", ").visible) \($0)." }
        }
        return HumanSection(
            title: "Comparison", tables: tables,
            notes: mixes + [
                against + " \"Times as bad\" is how many times as often the bad outcome is: above 1 is worse.",
                "Verdicts are corrected for everything that the table compares; \"perhaps\" is below 5 % by itself alone. "
                    + "With fewer than \(ComparedPair.fewestSessions) sessions on a side nothing is judged.",
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
        case .playsWithStall: "plays with a stall"
        case .failed: "failures"
        case .exitsBeforeStart: "left before start"
        }
    }
}

extension ComparisonVerdict {
    fileprivate var tone: HumanTable.Tone {
        switch self {
        case .worse: .bad
        case .better: .good
        case .perhapsWorse, .perhapsBetter, .noDifferenceShown, .tooFewSessions, .tooLittleInCommon: .plain
        }
    }
}

extension Comparison {
    fileprivate var humanCells: [HumanTable.Cell] {
        [.init(metric.heading), .init(figure(value)), .init(figure(reference))]
            + Self.cells(ratio, interval, verdict, verdict == .tooFewSessions ? fewestSessions : nil)
    }

    fileprivate var adjustedCells: [HumanTable.Cell] {
        [.init(figure(adjusted?.reference))]
            + Self.cells(adjusted?.ratio, adjusted?.interval ?? .unknown, adjusted?.verdict, nil)
    }

    /// `12 of 20`.
    private var fewestSessions: String? {
        guard metric.isJudged else { return nil }
        let fewest = min(sessions ?? 0, referenceSessions ?? 0)
        let needed =
            fewest < ComparedPair.fewestSessions ? ComparedPair.fewestSessions : ComparedPair.fewestForRebuffering
        return " (\(fewest) of \(needed))"
    }

    private static func cells(
        _ ratio: Double?, _ interval: Interval<Double>, _ verdict: ComparisonVerdict?, _ count: String?
    ) -> [HumanTable.Cell] {
        var ends = HumanNumber.none
        if let low = interval.low, let high = interval.high {
            ends = "\(HumanNumber.times(low)) to \(HumanNumber.times(high))"
        }
        return [
            .init(ratio.map(HumanNumber.times) ?? HumanNumber.none), .init(ends),
            .init((verdict?.rawValue ?? "") + (count ?? ""), tone: verdict?.tone ?? .plain),
        ]
    }
}
