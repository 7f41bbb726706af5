internal import Archive
internal import HTTPServing
internal import PlayStore
internal import PlaybackEvents
internal import Reports
internal import Synchronization

/// `GET /v1/reports/METRIC.csv` and `.json`, tables for dashboards that pull, and `GET /`, the page for people: bounded
/// in what they cost.
final class ReportsRoute: Sendable {
    private static let prefix = "/v1/reports/"
    private static let page = "/"
    /// Reports at a time; one more is answered 503, so that ingest keeps a core.
    static let atATime = 2
    /// Days of one report at the most.
    static let longestRange = 400
    /// How long one report may take to be made: less than a stop waits for an answer.
    static let patience = Duration.seconds(7)
    /// Groups of a period at the most.
    static let mostGroups = 1_000
    /// Error codes of a period at the most, those of each group counted apart.
    static let mostFailures = 5_000
    /// Rows of a table at the most.
    static let mostRows = 50_000

    private let access: SharedAccess
    private let data: DataPaths
    private let store: StoreChoice
    /// Changes whenever a report of a store that is this server's alone may change.
    private let version: @Sendable () -> String
    /// What is known to be wrong with the database, so that nothing is to be read from it.
    private let damage: @Sendable () -> String?
    private let failures: FailureLog
    private let now: @Sendable () -> Int64
    private let running = Atomic(0)

    init(
        access: SharedAccess, data: DataPaths, store: StoreChoice = .embedded,
        version: @escaping @Sendable () -> String, damage: @escaping @Sendable () -> String?, failures: FailureLog,
        now: @escaping @Sendable () -> Int64
    ) {
        self.access = access
        self.data = data
        self.store = store
        self.version = version
        self.damage = damage
        self.failures = failures
        self.now = now
    }

    static func answers(_ path: String) -> Bool {
        path == page || path.hasPrefix(prefix)
    }

    /// Lets readers in; a report has no body.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        let key: String
        switch access.verdict(for: .read, head) {
        case .keyMissing: return .turnAway(HTTPResponse(401, AnswerBody.refusal("unauthorized", nil)))
        case .keyUnknown, .keyWithdrawn: return .turnAway(HTTPResponse(403, AnswerBody.refusal("unauthorized", nil)))
        case .allowed(let name): key = name
        }
        guard ["GET", "HEAD"].contains(head.method) else {
            let body = AnswerBody.refusal("method_not_allowed", "reports are read with GET")
            return .refuse(HTTPResponse(405, body, fields: [("Allow", "GET, HEAD")]))
        }
        return .take(
            HTTPAdmitted(
                bodyLimit: 0, owner: key, isKnown: key != AccessRules.anonymous
            ) { [self] request, room in respond(to: request.head, &room) })
    }

    private func respond(to head: HTTPRequestHead, _ room: inout BudgetRoom) -> HTTPResponse {
        do throws(Refusal) {
            let content = try content(head.path)
            let request = try request(head.query)
            let tag = tag(content, request)
            if head.fields.all("if-none-match").contains(where: { $0 == "*" || $0.contains(tag) }) {
                return HTTPResponse(status: 304, fields: [("ETag", tag)])
            }
            let text = try text(content, request)
            room.note(size: text.utf8.count)
            guard room.take(text.utf8.count) else {
                throw Refusal(503, "unavailable", "too many bytes are under way")
            }
            return HTTPResponse(
                status: 200,
                fields: [
                    ("Content-Type", content.type), ("ETag", tag), ("Cache-Control", "private, no-cache"),
                    ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", Self.contentPolicy),
                ],
                body: Array(text.utf8))
        } catch {
            return error.response
        }
    }

    /// The page brings its own style and nothing else: whatever a client named a clip, a browser runs none of it.
    private static let contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

    private enum Content {
        case page, csv(ReportMetric), json(ReportMetric)

        var name: String {
            switch self {
            case .page: "page"
            case .csv(let metric), .json(let metric): metric.rawValue
            }
        }

        var type: String {
            switch self {
            case .page: "text/html; charset=utf-8"
            case .csv: "text/csv; charset=utf-8; header=present"
            case .json: "application/json"
            }
        }
    }

    private struct Refusal: Error {
        let response: HTTPResponse

        init(_ status: Int, _ word: String, _ message: String) {
            let fields = status == 503 ? [RetryAfter.field(atLeast: 5)] : []
            response = HTTPResponse(status, AnswerBody.refusal(word, message), fields: fields)
        }

        init(_ response: HTTPResponse) {
            self.response = response
        }
    }

    private func content(_ path: String) throws(Refusal) -> Content {
        if path == Self.page { return .page }
        let parts = path.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 2, let metric = ReportMetric(rawValue: String(parts[0])) {
            if parts[1] == "csv" { return .csv(metric) }
            if parts[1] == "json" { return .json(metric) }
        }
        let names = ReportMetric.allCases.map(\.rawValue).joined(separator: ", ")
        throw Refusal(404, "not_found", "a report is one of \(names), then .csv or .json")
    }

    private func request(_ query: [HTTPQueryItem]) throws(Refusal) -> ReportRequest {
        var words = ReportWords()
        var said: Set<String> = []
        for item in query {
            guard said.insert(item.name).inserted || item.name == "where" else {
                throw Refusal(400, "bad_request", "a parameter other than where stands there twice")
            }
            switch item.name {
            case "day": words.day = item.value
            case "from": words.from = item.value
            case "to": words.to = item.value
            case "by": words.by = item.value
            case "where": words.filters.append(item.value)
            case "time_zone": words.timeZone = item.value
            case "target_ms": words.targetMs = item.value
            case "key": break
            default:
                throw Refusal(
                    400, "bad_request", "the parameters are day, from, to, by, where, time_zone, target_ms and key")
            }
        }
        if words.day == nil, words.from == nil, words.to == nil { (words.from, words.to) = lastWeek(words.timeZone) }
        do {
            let request = try words.request(now: now())
            if case .range(let first, let last) = request.days, last.number - first.number >= Self.longestRange {
                throw Refusal(400, "too_dear", "a report over HTTP covers \(Self.longestRange) days at the most")
            }
            return request
        } catch let error as ReportRequestError {
            throw Refusal(400, "bad_request", error.description)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw Refusal(400, "bad_request", "\(error)")
        }
    }

    /// The last seven days, today included: what is meant when nothing is said.
    private func lastWeek(_ timeZone: String?) -> (String, String) {
        let zone = (try? ReportZone(named: timeZone ?? "UTC")) ?? .utc
        let today = zone.day(of: now())
        return (today.advanced(by: -6).description, today.description)
    }

    private func tag(_ content: Content, _ request: ReportRequest) -> String {
        // What other servers have put into a store that is shared, this one does not know.
        let version = store.isShared ? "\(now())" : version()
        let digest = SHA256.digest("\(version) \(content) \(request)".utf8)
        return "\"" + digest.bytes.prefix(12).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined() + "\""
    }

    private func text(_ content: Content, _ request: ReportRequest) throws(Refusal) -> String {
        guard running.add(1, ordering: .sequentiallyConsistent).newValue <= Self.atATime else {
            running.subtract(1, ordering: .sequentiallyConsistent)
            throw Refusal(503, "unavailable", "\(Self.atATime) reports are being made already")
        }
        defer { running.subtract(1, ordering: .sequentiallyConsistent) }
        do {
            if !store.isShared, let damage = damage() { throw DamagedDatabase(description: damage) }
            var limits = ReportLimits()
            limits.groups = Self.mostGroups
            limits.rows = Self.mostRows
            limits.failures = Self.mostFailures
            limits.end = .now + Self.patience
            let maker = ReportMaker(store: try store.reports(data, patience: Self.patience), limits: limits)
            switch content {
            case .page: return HTMLRenderer.render(try maker.page(request))
            case .csv(let metric): return CSVRenderer.render(try maker.table(metric, request))
            case .json(let metric): return JSONRenderer.render(try maker.table(metric, request))
            }
        } catch let error as ReportRequestError {
            throw Refusal(400, "bad_request", error.description)
        } catch ReportLimitError.time {
            throw Refusal(failures.response(to: StoreFault.outOfPatience, of: content.name))
        } catch ReportLimitError.groups(let most) {
            throw Refusal(
                413, "too_dear",
                "the report has more than \(most) groups in a period: choose plays with where, or other groups with by")
        } catch ReportLimitError.codes(let most) {
            throw Refusal(
                413, "too_dear",
                "the report has more than about \(most) rows of error codes in a period: choose plays with where")
        } catch ReportLimitError.rows(let most) {
            throw Refusal(413, "too_dear", "the report has more than \(most) rows: ask for fewer days or groups")
        } catch {
            throw Refusal(failures.response(to: error, of: content.name))
        }
    }
}
