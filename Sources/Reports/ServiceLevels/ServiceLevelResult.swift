internal import Foundation

/// Whether a group kept a service level in a period.
package struct ServiceLevelResult: Sendable, CustomStringConvertible {
    package enum Outcome: String, Sendable {
        /// The figure is on the right side.
        case kept
        /// The figure is on the wrong side, its interval not wholly.
        case uncertain
        /// The whole interval is on the wrong side.
        case broken
        /// No plays to base a figure on.
        case noPlays = "no plays"
    }

    package var level: ServiceLevel
    package var period: String
    /// What the group is called in each dimension; empty for all plays.
    package var names: GroupNames
    package var outcome: Outcome
    package var value: Double?
    package var low: Double?
    package var high: Double?

    /// One line: what was promised, of whom, and what the figure is.
    package var description: String {
        var line = "\(outcome.rawValue): \(level.text)"
        line += " (\(([period] + names).joined(separator: ", ").visible))"
        guard let value else { return line }
        line += ": \(level.column) is \(Self.number(value))"
        if low != value || high != value {
            line += ", 95 % interval \(low.map(Self.number) ?? "?") to \(high.map(Self.number) ?? "?")"
        }
        return line
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(format: "%.6f", value)
    }
}

extension ReportMaker {
    /// Holds the plays of a request's days against service levels.
    ///
    /// - Parameter request: days and zone; each level brings its own groups and filters.
    /// - Returns: a result for each level, period and group, in the order of the levels.
    /// - Throws: what the store says of a query.
    package func check(_ levels: [ServiceLevel], _ request: ReportRequest) throws -> [ServiceLevelResult] {
        try store.snapshot { try held(levels, request) }
    }

    private func held(_ levels: [ServiceLevel], _ request: ReportRequest) throws -> [ServiceLevelResult] {
        var reports: [ReportRequest: PlayReport] = [:]
        return try levels.flatMap { level -> [ServiceLevelResult] in
            var request = request
            request.dimensions = level.dimensions
            request.filters += level.filters
            let report = try reports[request] ?? plays(request)
            reports[request] = report
            guard !report.periods.isEmpty else { return [ServiceLevelResult(withoutPlays: level, request)] }
            return report.periods.flatMap { period in
                (level.dimensions.isEmpty ? [period.all] : period.groups).map { figures in
                    ServiceLevelResult(level, period.name, figures)
                }
            }
        }
    }
}

extension ServiceLevelResult {
    init(_ level: ServiceLevel, _ period: String, _ figures: GroupFigures) {
        let bounds: GroupFigures.Bounds = GroupFigures.levelColumns[level.column]?(figures) ?? (nil, nil, nil)
        self.init(
            level: level, period: period, names: figures.isAll ? [] : figures.names,
            outcome: Self.outcome(level, bounds), value: bounds.value, low: bounds.low, high: bounds.high)
    }

    /// Of days without a play: a count of all plays is 0 then, and nothing else has a figure.
    fileprivate init(withoutPlays level: ServiceLevel, _ request: ReportRequest) {
        self.init(
            level, request.days.name(in: request.zone), GroupFigures(GroupSums(key: nil), names: []))
        guard !level.dimensions.isEmpty else { return }
        (outcome, value, low, high) = (.noPlays, nil, nil, nil)
    }

    private static func outcome(_ level: ServiceLevel, _ bounds: GroupFigures.Bounds) -> Outcome {
        guard let value = bounds.value else { return .noPlays }
        if level.relation.holds(value, level.limit) { return .kept }
        // The end that lies nearest to the right side; when it is not known, nothing is proved.
        guard let nearest = level.relation.isUpperLimit ? bounds.low : bounds.high else { return .uncertain }
        let isProved = !level.relation.holds(nearest, level.limit)
        return isProved ? .broken : .uncertain
    }
}

extension ReportRequest.Days {
    /// What a period of these days is called; of all days before any of them is known, too.
    fileprivate func name(in zone: ReportZone) -> String {
        switch self {
        case .all: "all days"
        case .day(let day): day.description
        case .range(let first, let last): zone.rangeName(from: first, to: last)
        }
    }
}
