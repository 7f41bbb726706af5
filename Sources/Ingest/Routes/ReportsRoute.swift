internal import Archive
internal import HTTPServing
internal import Platform
internal import PlayStore
internal import PlaybackEvents
internal import Reports
internal import Synchronization

/// `GET /v1/reports/METRIC.csv` and `.json`, tables for dashboards that pull, and `GET /`, the page for people: bounded
/// in what they cost.
final class ReportsRoute: Sendable {
    static let prefix = "/v1/reports/"
    static let page = "/"
    /// Reports at a time; one more is answered 503, so that ingest keeps a core.
    static let atATime = 2
    /// Days of one report at the most.
    static let longestRange = 400
    /// How long one report may take to be made: less than a stop waits for an answer.
    static let patience = Duration.seconds(7)
    /// Groups of a period that have a row of their own, at the most; the rest are one.
    static let mostNamed = 1_000
    /// Groups of a table at the most, those that are one row too.
    static let mostGroups = 100_000
    /// Error codes of a period at the most, those of each group counted apart.
    static let mostFailures = 5_000
    /// Rows of a table at the most.
    static let mostRows = 50_000

    private let access: SharedAccess
    private let data: DataPaths
    private let store: any StoreChoice
    private let classes: ErrorClasses
    /// Changes whenever a report of a store that is this server's alone may change.
    private let version: @Sendable () -> String
    /// What is known to be wrong with the database, so that nothing is to be read from it.
    private let damage: @Sendable () -> String?
    private let failures: FailureLog
    private let now: @Sendable () -> Int64
    private let running = Atomic(0)
    /// What the page's form offered last, and when that was asked, ms since 1970.
    private let choices = Mutex<(values: FilterValues, askedAt: Int64)?>(nil)
    /// How long that is offered on: it is asked of all plays, which a shared store reads seven columns for.
    private static let choicesMs: Int64 = 60_000

    init(
        access: SharedAccess, data: DataPaths, store: any StoreChoice = EmbeddedChoice(),
        classes: ErrorClasses = .standard,
        version: @escaping @Sendable () -> String, damage: @escaping @Sendable () -> String?, failures: FailureLog,
        now: @escaping @Sendable () -> Int64
    ) {
        self.access = access
        self.data = data
        self.store = store
        self.classes = classes
        self.version = version
        self.damage = damage
        self.failures = failures
        self.now = now
    }

    static func answers(_ path: String) -> Bool {
        path == page || path.hasPrefix(prefix) || answersPlays(path)
    }

    /// Lets readers in; a report has no body.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        let verdict = access.verdict(for: .read, head)
        guard case .allowed(let key) = verdict else { return verdict.turnAway }
        guard ["GET", "HEAD"].contains(head.method) else {
            let body = ResponseBody.refusal("method_not_allowed", "reports are read with GET")
            return .refuse(HTTPResponse(405, body, fields: [("Allow", "GET, HEAD")]))
        }
        return .take(
            HTTPAdmitted(
                bodyLimit: 0, owner: key, isKnown: key != AccessRules.anonymous
            ) { [self] request, room in respond(to: request.head, &room) })
    }

    private func respond(to head: HTTPRequestHead, _ room: inout BudgetRoom) -> HTTPResponse {
        do throws(Refusal) {
            var content = try ReportContent(head.path, head.query)
            let query = head.query.filter { !ReportContent.words.contains($0.name) }
            let (request, links) = try request(query, for: &content)
            let tag = tag(content, request, links)
            if head.fields.all("if-none-match").contains(where: { $0 == "*" || $0.contains(tag) }) {
                return HTTPResponse(status: 304, fields: [("ETag", tag)])
            }
            let text = try text(content, request, links)
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
            guard head.path == Self.page || Self.isPageOfPlays(head.path) else { return error.response }
            let key = head.query.last { $0.name == "key" }?.value
            return error.page(home: PageLinks.home(from: head.path, key: key))
        }
    }

    /// The page brings its own style and nothing else: whatever a client named a clip, a browser runs none of it.
    private static let contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

    struct Refusal: Error {
        let status: Int
        let word: String
        let message: String

        init(_ status: Int, _ word: String, _ message: String) {
            (self.status, self.word, self.message) = (status, word, message)
        }

        init(_ failure: RequestFailure) {
            self.init(failure.status, failure.word, failure.message)
        }

        private var fields: [(name: String, value: String)] { status == 503 ? [RetryAfter.field(atLeast: 5)] : [] }

        /// For programs.
        var response: HTTPResponse { HTTPResponse(status, ResponseBody.refusal(word, message), fields: fields) }

        /// For browsers.
        ///
        /// - Parameter home: where the report of the last seven days is.
        func page(home: String) -> HTTPResponse {
            let page = HTMLRenderer.refusal(message, home: home)
            let type = [
                ("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", ReportsRoute.contentPolicy),
            ]
            return HTTPResponse(status: status, fields: fields + type, body: Array(page.utf8))
        }
    }

    /// What the page's form asks for.
    private static let formWords: Set<String> = ["from", "to", "by", "where", "time_zone", "target_ms"]

    private func request(
        _ query: [HTTPQueryItem], for content: inout ReportContent
    ) throws(Refusal) -> (ReportRequest, PageLinks) {
        var words = ReportWords()
        var said: Set<String> = []
        var form: PlaysForm?
        if case .plays(let one) = content { form = one }
        // A form sends its empty fields, too.
        for item in query where !(item.value.isEmpty && Self.formWords.contains(item.name)) {
            guard said.insert(item.name).inserted || item.name == "where" else {
                throw Refusal(400, "bad_request", "a parameter other than where stands there twice")
            }
            switch item.name {
            case "day": words.day = item.value
            case "from": words.from = item.value
            case "to": words.to = item.value
            case "last": words.last = item.value
            case "by": words.by = item.value
            case "where": words.filters.append(item.value)
            case "time_zone": words.timeZone = item.value
            case "target_ms": words.targetMs = item.value
            case "percentiles": words.percentiles = item.value
            case "key": break
            default:
                if form?.take(item) == true { break }
                throw Refusal(
                    400, "bad_request",
                    "the parameters are day, from, to, last, by, where, time_zone, target_ms, percentiles and key"
                        + (form == nil
                            ? ", compare and adjust of compare too, compare and since of experiment"
                            : ", and of plays worst, session, play, limit and seed"))
            }
        }
        let scope = ["day", "from", "to", "last", "where"].filter(said.contains)
        if let form { content = .plays(form) }
        if words.day == nil, words.from == nil, words.to == nil, words.last == nil {
            (words.from, words.to) = lastWeek(words.timeZone)
        }
        do {
            let request = try words.request(now: now())
            if request.mostDays > Self.longestRange {
                throw Refusal(400, "too_dear", "a report over HTTP covers \(Self.longestRange) days at the most")
            }
            if let form {
                _ = try form.words.choice(scope: scope)
                _ = try form.words.limit(most: Self.mostPlays)
            }
            return (request, Self.links(words, key: query.last { $0.name == "key" }?.value))
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

    private func tag(_ content: ReportContent, _ request: ReportRequest, _ links: PageLinks) -> String {
        // What other servers have put into a store that is shared, this one does not know.
        let version = store.isShared ? "\(now())" : version()
        let digest = SHA256.digest("\(version) \(content) \(request) \(links)".utf8)
        return "\"" + Hexadecimal.text(digest.bytes.prefix(12)) + "\""
    }

    private func text(_ content: ReportContent, _ request: ReportRequest, _ links: PageLinks) throws(Refusal) -> String
    {
        guard running.add(1, ordering: .sequentiallyConsistent).newValue <= Self.atATime else {
            running.subtract(1, ordering: .sequentiallyConsistent)
            throw Refusal(503, "unavailable", "\(Self.atATime) reports are being made already")
        }
        defer { running.subtract(1, ordering: .sequentiallyConsistent) }
        do {
            if !store.isShared, let damage = damage() { throw DamagedDatabase(description: damage) }
            var limits = ReportLimits()
            if case .page = content {
                limits.groups = Self.mostNamed
            } else {
                limits.groups = Self.mostGroups
                limits.named = Self.mostNamed
            }
            limits.rows = Self.mostRows
            limits.failures = Self.mostFailures
            limits.end = .now + Self.patience
            let maker = ReportMaker(store: try store.reports(data, patience: Self.patience), limits: limits)
            switch content {
            case .page:
                var page = try maker.page(request, classes)
                page.whole.links = links
                page.values = filterValues(maker)
                return HTMLRenderer.render(page, refresh: request.refresh)
            case .plays(let form):
                let choice = try form.words.choice(scope: [])
                let limit = try form.words.limit(most: Self.mostPlays) ?? (choice.id == nil ? nil : Self.mostPlays)
                let list = try maker.list(request, choice, limit: limit)
                if choice.id != nil, let absence = list.absence {
                    throw Refusal(404, "not_found", absence)
                }
                return form.text(list, links)
            case .table(let table, let isJSON):
                let found = try self.table(table, maker, request, tellsSamples: isJSON)
                return isJSON ? JSONRenderer.render(found) : CSVRenderer.render(found)
            }
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as ReportRequestError {
            throw Refusal(400, "bad_request", error.description)
        } catch ReportLimitError.time {
            throw Refusal(failures.failure(SQLiteStoreError.outOfPatience, of: content.name))
        } catch ReportLimitError.groups(let most) {
            throw Refusal(
                413, "too_dear",
                "the report has more than \(most) groups: choose plays with where, or other groups with by")
        } catch ReportLimitError.codes(let most) {
            throw Refusal(
                413, "too_dear",
                "the report has more than about \(most) rows of error codes in a period: choose plays with where")
        } catch ReportLimitError.rows(let most) {
            throw Refusal(413, "too_dear", "the report has more than \(most) rows: ask for fewer days or groups")
        } catch {
            throw Refusal(failures.failure(error, of: content.name))
        }
    }
}

extension ReportsRoute {
    /// A page goes without choices rather than not at all; then the next pages don't ask for them in vain, either.
    private func filterValues(_ maker: ReportMaker) -> FilterValues {
        let time = now()
        if let known = choices.withLock({ $0 }), known.askedAt..<known.askedAt + Self.choicesMs ~= time {
            return known.values
        }
        let values = (try? maker.filterValues()) ?? []
        choices.withLock { $0 = (values, time) }
        return values
    }

    private func table(
        _ table: ReportContent.Table, _ maker: ReportMaker, _ request: ReportRequest, tellsSamples: Bool
    ) throws -> ReportTable {
        switch table {
        case .metric(let metric): try maker.table(metric, request, tellsSamples: tellsSamples)
        case .comparison(let comparison): try maker.table(comparison, request)
        case .changed: try maker.changedTable(request, classes)
        case .experiment(let experiment): try maker.experiment(request, experiment).table()
        }
    }
}

extension ReportRequest {
    /// After how many seconds the page of a time until now is another.
    fileprivate var refresh: Int? { isUntilNow ? 60 : nil }

    /// How many days it covers, in whole or in part.
    fileprivate var mostDays: Int {
        switch days {
        case .range(let first, let last): last.number - first.number + 1
        case .window(let window): Int((window.upperBound - window.lowerBound - 1) / 86_400_000) + 1
        case .day, .all: 1
        }
    }
}
