internal import HTTPServing
internal import Reports

/// What a path asks for of reports.
enum ReportContent {
    case page, plays(PlaysForm), table(Table, isJSON: Bool)

    enum Table {
        case metric(ReportMetric), comparison(ComparisonRequest), changed, experiment(ExperimentRequest)
    }

    private static let html = "text/html; charset=utf-8"
    private static let csv = "text/csv; charset=utf-8; header=present"
    private static let json = "application/json"

    /// What failures call it.
    var name: String {
        switch self {
        case .page: "page"
        case .plays: "plays"
        case .table(.metric(let metric), _): metric.rawValue
        case .table(.comparison, _): "compare"
        case .table(.changed, _): "changed"
        case .table(.experiment, _): "experiment"
        }
    }

    var type: String {
        switch self {
        case .page: Self.html
        case .table(_, let isJSON): isJSON ? Self.json : Self.csv
        case .plays(let form):
            switch form.kind {
            case .page: Self.html
            case .csv: Self.csv
            case .json: Self.json
            }
        }
    }

    /// The parameters of the reports `compare` and `experiment` alone.
    static let words: Set<String> = ["compare", "adjust", "since"]
    private static let forms = ["csv": false, "json": true]

    init(_ path: String, _ query: [HTTPQueryItem]) throws(ReportsRoute.Refusal) {
        let said = query.filter { Self.words.contains($0.name) }
        guard Set(said.map(\.name)).count == said.count else {
            throw .init(400, "bad_request", "a parameter other than where stands there twice")
        }
        let words = Dictionary(said.map { ($0.name, $0.value) }) { one, _ in one }
        let parts = path.dropFirst(ReportsRoute.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        if path.hasPrefix(ReportsRoute.prefix), parts.count == 2, let isJSON = Self.forms[String(parts[1])] {
            if parts[0] == "compare" {
                self = .table(.comparison(try Self.comparison(words)), isJSON: isJSON)
                return
            }
            if parts[0] == "experiment" {
                self = .table(.experiment(try Self.experiment(words, query)), isJSON: isJSON)
                return
            }
        }
        if let word = said.first {
            throw .init(
                400, "bad_request", "the parameter \(word.name) goes with the reports compare and experiment alone")
        }
        if path == ReportsRoute.page {
            self = .page
            return
        }
        if ReportsRoute.answersPlays(path) {
            guard let form = ReportsRoute.playsForm(path) else {
                throw .init(
                    404, "not_found", "plays are at /plays, /v1/plays.csv, /v1/plays.json, /session/ID and /play/ID")
            }
            self = .plays(form)
            return
        }
        if parts.count == 2, let isJSON = Self.forms[String(parts[1])] {
            if parts[0] == "changed" {
                self = .table(.changed, isJSON: isJSON)
                return
            }
            if let metric = ReportMetric(rawValue: String(parts[0])) {
                self = .table(.metric(metric), isJSON: isJSON)
                return
            }
        }
        let names = ReportMetric.allCases.map(\.rawValue) + ["compare", "changed", "experiment"]
        throw .init(404, "not_found", "a report is one of \(names.joined(separator: ", ")), then .csv or .json")
    }

    /// What the report `compare` sets groups against.
    private static func comparison(
        _ words: [String: String]
    ) throws(ReportsRoute.Refusal) -> ComparisonRequest {
        guard let reference = words["compare"], words["since"] == nil else {
            throw .init(400, "bad_request", "the report compare needs compare=previous or compare=rest, and no since")
        }
        do throws(ReportRequestError) {
            return try ComparisonRequest(words: reference, adjust: words["adjust"])
        } catch {
            throw .init(400, "bad_request", error.description)
        }
    }

    /// The arms of the report `experiment`, which goes on until the newest play.
    private static func experiment(
        _ words: [String: String], _ query: [HTTPQueryItem]
    ) throws(ReportsRoute.Refusal) -> ExperimentRequest {
        if let other = query.first(where: {
            ["adjust", "day", "from", "to", "last", "by", "percentiles"].contains($0.name)
        }) {
            throw .init(400, "bad_request", "an experiment has its own days and groups: leave \(other.name) out")
        }
        guard let arms = words["compare"], let since = words["since"].flatMap({ CalendarDay($0) }) else {
            throw .init(
                400, "bad_request",
                "the report experiment needs an arm to compare with and its first day: compare=tag:arm=a&since=2026-11-29"
            )
        }
        do throws(ReportRequestError) {
            return try ExperimentRequest(arms, since: since)
        } catch {
            throw .init(400, "bad_request", error.description)
        }
    }
}
