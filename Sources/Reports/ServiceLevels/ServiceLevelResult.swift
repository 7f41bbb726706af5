internal import Foundation
internal import Platform

/// Whether a group kept a service level in a period.
package struct ServiceLevelResult: Sendable, CustomStringConvertible {
    package enum Outcome: String, Sendable {
        /// The figure is on the right side, and all of its interval.
        case kept
        /// The interval is not wholly on one side, or not known.
        case uncertain
        /// The figure and all of its interval are on the wrong side.
        case broken
        /// No plays to base a figure on.
        case noPlays = "no plays"

        /// Of several groups, the higher is the worse.
        package var severity: Int {
            switch self {
            case .kept: 0
            case .uncertain: 1
            case .broken: 2
            case .noPlays: 3
            }
        }
    }

    package var level: ServiceLevel
    package var period: String
    /// Times of plays, ms since 1970; nil for all plays.
    package var range: Range<Int64>?
    /// What the group is called in each dimension; empty for all plays.
    package var names: GroupNames
    package var outcome: Outcome
    package var value: Double?
    package var low: Double?
    package var high: Double?
    package var plays: Int64 = 0
    /// Of a group without plays: how many it had in the seven days before, where that was counted.
    package var playsBefore: Int64 = 0
    /// Why there are no plays, as far as that is known.
    package var reason: String?

    /// One line: what was promised, of whom, and what the figure is.
    package var description: String {
        var line = "\(outcome.rawValue): \(level.text)"
        line += " (\(([period] + names).joined(separator: ", ").visible))"
        if let reason { line += ": \(reason)" }
        guard let value else { return line }
        line += ": \(level.column) is \(Self.number(value))"
        if low != value || high != value {
            line += ", 95 % interval \(low.map(Self.number) ?? "?") to \(high.map(Self.number) ?? "?")"
        }
        return line
    }

    /// The figure itself is on the right side, wherever the ends of its interval are.
    package var isFigureGood: Bool { value.map { level.relation.holds($0, level.limit) } ?? false }

    static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(format: "%.6f", value)
    }

    /// Whether a check has failed by it.
    ///
    /// - Parameter allowsEmpty: no plays are no failure.
    package func isFailure(allowsEmpty: Bool) -> Bool {
        switch outcome {
        case .kept, .uncertain: false
        case .broken: true
        case .noPlays: !allowsEmpty
        }
    }
}

extension ServiceLevelResult {
    init(_ level: ServiceLevel, _ period: String, _ range: Range<Int64>?, _ figures: GroupFigures) {
        let bounds: GroupFigures.Bounds = GroupFigures.levelColumns[level.column]?(figures) ?? (nil, nil, nil)
        self.init(
            level: level, period: period, range: range, names: figures.isAll ? [] : figures.names,
            outcome: Self.outcome(level, bounds), value: bounds.value, low: bounds.low, high: bounds.high,
            plays: figures.totals[.plays])
    }

    /// Of days without a play: a count of all plays is 0 then, and nothing else has a figure.
    init(withoutPlays level: ServiceLevel, _ request: ReportRequest, _ reason: String?) {
        self.init(
            level, request.days.name(in: request.zone), request.range, GroupFigures(GroupSums(key: nil), names: []))
        self.reason = reason
        guard !level.dimensions.isEmpty || reason != nil else { return }
        (outcome, value, low, high) = (.noPlays, nil, nil, nil)
    }

    private static func outcome(_ level: ServiceLevel, _ bounds: GroupFigures.Bounds) -> Outcome {
        guard let value = bounds.value else { return .noPlays }
        func holds(_ end: Double?) -> Bool? { end.map { level.relation.holds($0, level.limit) } }
        // The ends that lie nearest to the wrong side and to the right one.
        let (worst, best) =
            level.relation.isUpperLimit ? (bounds.high, bounds.low) : (bounds.low, bounds.high)
        if holds(value) == true { return holds(worst) == true ? .kept : .uncertain }
        return holds(best) == false ? .broken : .uncertain
    }
}

extension ReportRequest.Days {
    /// What a period of these days is called; of all days before any of them is known, too.
    func name(in zone: ReportZone) -> String {
        switch self {
        case .all: "all days"
        case .day(let day): day.description
        case .range(let first, let last): zone.rangeName(from: first, to: last)
        case .window(let window): zone.windowName(window)
        }
    }
}

extension ServiceLevelResult {
    /// The page of the plays that were judged: their window, the level's filters, and the group.
    ///
    /// - Parameter base: where the server's reports are, without a slash at its end.
    package func link(from base: String) -> String {
        var items: [(name: String, value: String)] = []
        if let range {
            items.append(("from", Moment(milliseconds: range.lowerBound).text(in: .utc)))
            items.append(("to", Moment(milliseconds: range.upperBound).text(in: .utc)))
        }
        if !level.dimensions.isEmpty { items.append(("by", level.dimensions.map(\.name).joined(separator: ","))) }
        for filter in level.filters { items.append(("where", Self.words(filter))) }
        for (dimension, name) in zip(level.dimensions, names) {
            items.append(("where", Self.words(PlayFilter(dimension, name))))
        }
        let query = items.map { "\($0.name)=\(PageLinks.escaped($0.value))" }.joined(separator: "&")
        return base + "/" + (query.isEmpty ? "" : "?" + query)
    }

    /// A filter as a page reads it: one value in quotes where it has a comma, or begins with a quote.
    private static func words(_ filter: PlayFilter) -> String {
        guard filter.alternatives.count == 1, let value = filter.alternatives.first,
            value.contains(",") || value.hasPrefix("\"")
        else { return filter.description }
        let quoted = value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        return filter.dimension.name + (filter.isNegated ? "!=" : "=") + "\"\(quoted)\""
    }
}

extension ServiceLevelResult {
    /// `{"definitions": 2, "time_zone": …, "results": [{"level": …, "outcome": …, "value": …}]}` and LF.
    package static func json(_ results: [ServiceLevelResult], _ request: ReportRequest) -> String {
        let list = results.map(\.json).joined(separator: ",\n")
        return "{\"definitions\": \(definitionsVersion), "
            + "\"time_zone\": \(JSONString.quoted(request.zone.name)), \"target_ms\": \(request.targetMs), "
            + "\"where\": [\(request.filters.map { JSONString.quoted($0.description) }.joined(separator: ", "))], "
            + "\"results\": [\(list)]}\n"
    }

    /// One result; what is not known is null.
    private var json: String {
        let fields: [(String, String)] = [
            ("level", JSONString.quoted(level.name)), ("text", JSONString.quoted(level.text)),
            ("outcome", JSONString.quoted(outcome.rawValue)), ("period", JSONString.quoted(period)),
            ("from", range.map { "\($0.lowerBound)" } ?? "null"), ("to", range.map { "\($0.upperBound)" } ?? "null"),
            ("group", group), ("column", JSONString.quoted(level.column)),
            ("limit", "\(level.limit)"), ("value", Self.json(value)), ("low", Self.json(low)),
            ("high", Self.json(high)),
            ("plays", "\(plays)"), ("reason", reason.map(JSONString.quoted) ?? "null"),
        ]
        return "{" + fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }

    /// What the group is called, as a JSON object by column; empty for all plays.
    package var group: String {
        let names = zip(level.dimensions, names).map { dimension, name in
            "\(JSONString.quoted(dimension.column)): \(JSONString.quoted(name))"
        }
        return "{\(names.joined(separator: ", "))}"
    }

    package static func json(_ number: Double?) -> String { number.map(Self.number) ?? "null" }
}
