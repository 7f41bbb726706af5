internal import Platform

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
