/// What a group is set against.
package enum ComparisonReference: String, Sendable, CaseIterable {
    /// The same group before: in the same length of time, or on the day seven days before.
    case previous
    /// All other groups of the period together.
    case rest
}

/// What is compared, and at what mix.
package struct ComparisonRequest: Sendable, Hashable {
    package var reference: ComparisonReference
    /// The reference is what the others would have had with the group's mix of these; nil: they are not adjusted, and the
    /// table has no columns for it.
    package var adjust: [PlayDimension]

    package init(_ reference: ComparisonReference, adjust: [PlayDimension] = []) {
        self.reference = reference
        self.adjust = adjust
    }
}

extension ComparisonRequest {
    /// Reads what a command line or a query says.
    ///
    /// - Parameters:
    ///   - reference: `previous` or `rest`.
    ///   - adjust: names of dimensions with commas between them; nil is not said.
    /// - Throws: which word is wrong, and what would be right.
    package init(words reference: String, adjust: String?) throws(ReportRequestError) {
        guard let known = ComparisonReference(rawValue: reference) else {
            throw ReportRequestError("compare=\(reference) should be previous or rest")
        }
        let dimensions = try adjust.map { text throws(ReportRequestError) in try PlayDimension.list(text) } ?? []
        guard !dimensions.contains(.day), !dimensions.contains(.hour) else {
            throw ReportRequestError("a mix of days or hours is none of the plays' own: such as network")
        }
        self.init(known, adjust: dimensions)
    }
}

/// What can be said of a difference in one sentence.
package enum ComparisonVerdict: String, Sendable {
    case worse
    case better
    /// Below 5 % by itself, but not among all that was looked at.
    case perhapsWorse = "perhaps worse"
    case perhapsBetter = "perhaps better"
    case noDifferenceShown = "no difference shown"
    case tooFewSessions = "too few sessions"
    /// The group has less than four fifths of its base where the others have plays too.
    case tooLittleInCommon = "too little in common"

    /// The same seen from the other side.
    var mirrored: ComparisonVerdict {
        switch self {
        case .worse: .better
        case .better: .worse
        case .perhapsWorse: .perhapsBetter
        case .perhapsBetter: .perhapsWorse
        case .noDifferenceShown, .tooFewSessions, .tooLittleInCommon: self
        }
    }
}

/// The figures that groups are compared by; the raw value is the column of the tables.
package enum ComparedMetric: String, Sendable, CaseIterable {
    case startupP50 = "startup_p50_ms"
    case startupP95 = "startup_p95_ms"
    case startupWithinTarget = "startup_within_target_ratio"
    case rebuffering = "rebuffer_ratio"
    case stallsPerHour = "stalls_per_hour"
    case playsWithStall = "plays_with_stall_ratio"
    case failed = "failure_ratio"
    case exitsBeforeStart = "exits_before_start_ratio"

    /// Percentiles are only printed side by side, and three kinds of stall are one question.
    package var isJudged: Bool {
        switch self {
        case .startupWithinTarget, .rebuffering, .failed, .exitsBeforeStart: true
        case .startupP50, .startupP95, .stallsPerHour, .playsWithStall: false
        }
    }

    /// What is tested; nil for the percentiles.
    var measure: Measure? {
        switch self {
        case .startupP50, .startupP95: nil
        case .startupWithinTarget: .withinTarget
        case .rebuffering: .rebuffering
        case .stallsPerHour: .stalls
        case .playsWithStall: .playsWithStall
        case .failed: .failed
        case .exitsBeforeStart: .exitsBeforeStart
        }
    }

    /// Of startups within the target more is better, of everything else less.
    package var isBetterHigh: Bool { self == .startupWithinTarget }

    /// From events ÷ base to what is printed.
    var scale: Double { self == .stallsPerHour ? 3_600_000 : 1 }
}

/// One group's figure set against another.
package struct Comparison: Sendable {
    package var names: GroupNames
    package var metric: ComparedMetric
    /// ms, a ratio, or a number an hour.
    package var value: Double?
    package var reference: Double?
    /// How many times as often the bad outcome.
    package var ratio: Double?
    package var interval: Interval<Double> = .unknown
    /// The probability of a difference like this by luck alone; nil when it can't be said.
    package var p: Double?
    /// Sessions' worth of base on either side; nil for the percentiles and for a side without base.
    package var sessions: Int64?
    package var referenceSessions: Int64?
    /// Nil for what is not judged.
    package var verdict: ComparisonVerdict?
    /// The same at the group's mix, where that was asked for.
    package var adjusted: Adjusted?
    /// The group's rate of the bad outcome is the higher one.
    var isHigher = false
    /// The good outcome was tested, for the bad one is the common one: the ratio says how much rarer it is.
    var isOfGood = false

    package struct Adjusted: Sendable {
        /// The part of the group's base that lies in strata which the others have too.
        package var matched: Double?
        package var reference: Double?
        package var ratio: Double?
        package var interval: Interval<Double> = .unknown
        package var p: Double?
        package var verdict: ComparisonVerdict?
        var isHigher = false
        /// The stratum by which the group's mix differs most from the others': of its base so much is there, of theirs so much.
        var mix: (value: String, own: Double, other: Double)?
    }

    package var difference: Double? {
        guard let value, let reference else { return nil }
        return value - reference
    }
}

/// The comparisons of every period.
package struct ComparisonReport: Sendable {
    package var request: ReportRequest
    package var comparison: ComparisonRequest
    package var periods: [Period]
    package var asOf: Int64?
    package var downloads: Int64

    package struct Period: Sendable {
        package var name: String
        /// Group by group, in the order of ``ComparedMetric``.
        package var comparisons: [Comparison]
        /// Groups of the period, those too that a limit does not show.
        package var groups: Int
    }

    /// Gives the comparisons their verdicts, corrected for all that the table shows.
    mutating func judge() {
        let plain = Verdicts.judged(plainCells)
        let adjusted = Verdicts.judged(adjustedCells)
        for period in periods.indices {
            for index in periods[period].comparisons.indices {
                periods[period].comparisons[index].verdict = plain[period][index]
                periods[period].comparisons[index].adjusted?.verdict = adjusted[period][index]
            }
        }
    }

    /// What is judged of each figure, before it is.
    ///
    /// In a period of two groups the second is the first seen from the other side: it is not tested again.
    var plainCells: [[Verdicts.Cell]] {
        periods.map { period in
            let metrics = ComparedMetric.allCases.count
            let isMirrored = comparison.reference == .rest && period.groups == 2
            return period.comparisons.enumerated().map { index, one in
                if isMirrored, index >= metrics { return .mirror(of: index - metrics) }
                return Verdicts.Cell(one.verdict, p: one.p, isHigher: one.isHigher)
            }
        }
    }

    /// The same at the group's mix; these are no mirrors.
    var adjustedCells: [[Verdicts.Cell]] {
        periods.map { period in
            period.comparisons.map { one in
                Verdicts.Cell(one.adjusted?.verdict, p: one.adjusted?.p, isHigher: one.adjusted?.isHigher ?? false)
            }
        }
    }

    package func table() -> ReportTable {
        let adjusted =
            ["matched_ratio", "adjusted_reference", "adjusted_ratio", "adjusted_ratio_low"]
            .map { ReportColumn($0, .ratio) }
            + ["adjusted_ratio_high", "adjusted_p"].map { ReportColumn($0, .ratio) }
        let numbers = ["value", "reference", "difference", "ratio", "ratio_low", "ratio_high", "p"]
        var table = ReportTable(
            name: "compare",
            columns: request.leadingColumns + [ReportColumn("metric", .text)] + numbers.map { ReportColumn($0, .ratio) }
                + [
                    ReportColumn("sessions", .count), ReportColumn("reference_sessions", .count),
                    ReportColumn("verdict", .text),
                ]
                + (comparison.adjust.isEmpty
                    ? [] : [ReportColumn("adjusted_by", .text)] + adjusted + [ReportColumn("adjusted_verdict", .text)])
                + [ReportColumn("definitions", .version)],
            rows: [], asOf: asOf, downloads: downloads, request: request)
        let strata = comparison.adjust.map(\.column).joined(separator: ";")
        for period in periods {
            for one in period.comparisons {
                table.rows.append(
                    [.text(period.name)] + one.names.map(ReportCell.text) + [.text(one.metric.rawValue)] + one.cells
                        + (comparison.adjust.isEmpty ? [] : [.text(strata)] + one.adjustedCells)
                        + [.init(definitionsVersion)])
            }
        }
        return table
    }
}

extension Comparison {
    fileprivate var cells: [ReportCell] {
        let number = { (value: Double?) -> ReportCell in
            // Percentiles are whole ms.
            metric.measure != nil ? .init(value) : .init(value.map { Int64($0) })
        }
        return [
            number(value), number(reference), number(difference), .init(ratio), .init(interval.low),
            .init(interval.high), .init(p), .init(sessions), .init(referenceSessions),
            verdict.map { .text($0.rawValue) } ?? .empty,
        ]
    }

    fileprivate var adjustedCells: [ReportCell] {
        [
            .init(adjusted?.matched), .init(adjusted?.reference), .init(adjusted?.ratio), .init(adjusted?.interval.low),
            .init(adjusted?.interval.high), .init(adjusted?.p), adjusted?.verdict.map { .text($0.rawValue) } ?? .empty,
        ]
    }
}

/// Verdicts on all that a table compares, corrected for how much that is.
enum Verdicts {
    /// What is judged of one figure.
    enum Cell: Sendable, Equatable {
        /// Nothing is left to be judged.
        case settled(ComparisonVerdict?)
        /// A difference with the probability of one like it by luck alone, and whether the bad outcome is the more frequent.
        case tested(p: Double, isHigher: Bool)
        /// The figure of that index in the same period, seen from the other side.
        case mirror(of: Int)

        /// - Parameter verdict: what is known before the correction.
        init(_ verdict: ComparisonVerdict?, p: Double?, isHigher: Bool) {
            if verdict == .noDifferenceShown, let p {
                self = .tested(p: p, isHigher: isHigher)
            } else {
                self = .settled(verdict)
            }
        }
    }

    /// The verdicts on all periods of a table together.
    static func judged(_ periods: [[Cell]]) -> [[ComparisonVerdict?]] {
        let probabilities = periods.joined().compactMap { cell -> Double? in
            if case .tested(let p, _) = cell { p } else { nil }
        }
        var shown = Holm.areShown(probabilities)[...]
        return periods.map { cells in
            var verdicts: [ComparisonVerdict?] = []
            for cell in cells {
                switch cell {
                case .settled(let verdict): verdicts.append(verdict)
                case .tested(let p, let isHigher): verdicts.append(verdict(p, shown.removeFirst(), isHigher))
                case .mirror(let index): verdicts.append(verdicts[index]?.mirrored)
                }
            }
            return verdicts
        }
    }

    private static func verdict(_ p: Double, _ isShown: Bool, _ isHigher: Bool) -> ComparisonVerdict {
        if isShown { return isHigher ? .worse : .better }
        guard p < 0.05 else { return .noDifferenceShown }
        return isHigher ? .perhapsWorse : .perhapsBetter
    }
}
