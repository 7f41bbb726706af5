internal import HTTPServing
internal import Platform
internal import PlaybackEvents

/// What the public listener answers: batches of plays, what players report, the script for web pages, and reports for those
/// who may read them.
///
/// One object for all connections: the parts of a copy would be counted by every request.
final class PublicHandler: HTTPHandler {
    let events: EventsRoute
    let players: CMCDRoute
    let refusals: RequestRefusals
    let reports: ReportsRoute
    let counters: IngestCounters
    let cors: CORSPolicy

    init(
        events: EventsRoute, players: CMCDRoute, reports: ReportsRoute, refusals: RequestRefusals,
        counters: IngestCounters, cors: CORSPolicy
    ) {
        self.events = events
        self.players = players
        self.refusals = refusals
        self.reports = reports
        self.counters = counters
        self.cors = cors
    }

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        switch admission(head) {
        case .take(var admitted):
            // No response without the fields, and most requests are from no page.
            guard cors.isOn else { return .take(admitted) }
            let respond = admitted.respond
            admitted.respond = { [self] request, room in finished(respond(request, &room), request.head) }
            return .take(admitted)
        case .refuse(let response): return .refuse(finished(response, head))
        case .turnAway(let response): return .turnAway(finished(response, head))
        }
    }

    private func admission(_ head: HTTPRequestHead) -> HTTPAdmission {
        if ReportsRoute.answers(head.path) { return counted(reports.admit(head)) }
        if head.path == ScriptRoute.path { return ScriptRoute().admit(head) }
        if head.path == CMCDRoute.path { return playersAdmission(head) }
        guard head.path == EventsRoute.path else {
            return .refuse(HTTPResponse(404, ResponseBody.refusal("not_found", "plays go to \(EventsRoute.path)")))
        }
        switch head.method {
        case "POST": return events.admit(head)
        case "OPTIONS":
            let fields = cors.preflightFields(origin: head.fields.first("origin"), methods: "POST")
            return .refuse(HTTPResponse(status: 204, fields: fields))
        default:
            let body = ResponseBody.refusal("method_not_allowed", "plays are sent with POST")
            return .refuse(HTTPResponse(405, body, fields: [("Allow", "POST, OPTIONS")]))
        }
    }

    /// Counts what becomes of a report, and the time that it takes.
    private func counted(_ admission: HTTPAdmission) -> HTTPAdmission {
        guard case .take(var admitted) = admission else { return admission }
        let respond = admitted.respond
        admitted.respond = { [counters] request, room in
            let start = ContinuousClock.now
            let response = respond(request, &room)
            counters.count(report: response.status, time: .now - start)
            return response
        }
        return .take(admitted)
    }

    private func playersAdmission(_ head: HTTPRequestHead) -> HTTPAdmission {
        switch head.method {
        case "POST", "GET": return players.admit(head)
        case "OPTIONS":
            let fields = cors.preflightFields(
                origin: head.fields.first("origin"), methods: CMCDRoute.methods, headers: CMCDRoute.headers)
            return .refuse(HTTPResponse(status: 204, fields: fields))
        default:
            let body = ResponseBody.refusal("method_not_allowed", "reports are sent with POST or GET")
            return .refuse(HTTPResponse(405, body, fields: [("Allow", "\(CMCDRoute.methods), OPTIONS")]))
        }
    }

    func response(to fault: HTTPError, head: HTTPRequestHead?) -> HTTPResponse {
        let response =
            switch fault {
            case .bodyTooLarge(let limit): refusals.tooLarge(fault.explanation, limit: limit)
            case .timeout: HTTPResponse(408, ResponseBody.refusal("timeout", fault.explanation))
            case .stopping: refusals.unavailable(.stopping, fault.explanation)
            case .noRoom, .tooManyConnections, .tooManyOfAddress: refusals.unavailable(.queue, fault.explanation)
            default: HTTPResponse(fault.status, ResponseBody.refusal("bad_request", fault.explanation))
            }
        return head.map { finished(response, $0) } ?? response
    }

    /// Every response carries the CORS fields, errors too: a page could not read them otherwise.
    private func finished(_ response: HTTPResponse, _ head: HTTPRequestHead) -> HTTPResponse {
        var response = response
        response.fields += cors.fields(
            origin: head.fields.first("origin"),
            withCredentials: [EventsRoute.path, CMCDRoute.path].contains(head.path))
        return response
    }
}

/// `GET /qoe-video.js`, the script that measures a `<video>`: for everybody, since it holds no secret and a page could not
/// bring a key.
private struct ScriptRoute: Sendable {
    static let path = "/qoe-video.js"

    /// The file `Web/qoe-video.js` as it is.
    static let script = PackageResources.qoe_video_js

    private static let tag = "\"" + Hexadecimal.text(SHA256.digest(script).bytes.prefix(12)) + "\""

    private static let fields = [
        ("ETag", tag),
        // An hour after an update every page has the new one, and asks for it with a few bytes until then.
        ("Cache-Control", "public, max-age=3600"),
        // A page that isolates itself (COEP) takes from other origins only what says so.
        ("Cross-Origin-Resource-Policy", "cross-origin"), ("X-Content-Type-Options", "nosniff"),
    ]

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        guard ["GET", "HEAD"].contains(head.method) else {
            let body = ResponseBody.refusal("method_not_allowed", "the script is read with GET")
            return .refuse(HTTPResponse(405, body, fields: [("Allow", "GET, HEAD")]))
        }
        return .take(
            HTTPAdmitted(bodyLimit: 0, owner: AccessRules.anonymous, isKnown: false) { request, room in
                Self.respond(to: request.head, &room)
            })
    }

    private static func respond(to head: HTTPRequestHead, _ room: inout BudgetRoom) -> HTTPResponse {
        if head.fields.all("if-none-match").contains(where: { $0 == "*" || $0.contains(tag) }) {
            return HTTPResponse(status: 304, fields: fields)
        }
        guard room.take(script.count) else {
            let body = ResponseBody.refusal("unavailable", "too many bytes are under way")
            return HTTPResponse(503, body, fields: [RetryAfter.field(atLeast: 2)])
        }
        return HTTPResponse(
            status: 200, fields: [("Content-Type", "text/javascript; charset=utf-8")] + fields, body: script)
    }
}
