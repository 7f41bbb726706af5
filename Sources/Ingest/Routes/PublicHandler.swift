internal import HTTPServing
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
            // No answer without the fields, and most requests are from no page.
            guard cors.isOn else { return .take(admitted) }
            let answer = admitted.answer
            admitted.answer = { [self] request, room in finished(answer(request, &room), request.head) }
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
            return .refuse(HTTPResponse(404, AnswerBody.refusal("not_found", "plays go to \(EventsRoute.path)")))
        }
        switch head.method {
        case "POST": return events.admit(head)
        case "OPTIONS":
            let fields = cors.preflightFields(origin: head.fields.first("origin"), methods: "POST")
            return .refuse(HTTPResponse(status: 204, fields: fields))
        default:
            let body = AnswerBody.refusal("method_not_allowed", "plays are sent with POST")
            return .refuse(HTTPResponse(405, body, fields: [("Allow", "POST, OPTIONS")]))
        }
    }

    /// Counts what becomes of a report, and the time that it takes.
    private func counted(_ admission: HTTPAdmission) -> HTTPAdmission {
        guard case .take(var admitted) = admission else { return admission }
        let answer = admitted.answer
        admitted.answer = { [counters] request, room in
            let start = ContinuousClock.now
            let response = answer(request, &room)
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
            let body = AnswerBody.refusal("method_not_allowed", "reports are sent with POST or GET")
            return .refuse(HTTPResponse(405, body, fields: [("Allow", "\(CMCDRoute.methods), OPTIONS")]))
        }
    }

    func answer(to fault: HTTPFault, head: HTTPRequestHead?) -> HTTPResponse {
        let response =
            switch fault {
            case .bodyTooLarge(let limit): refusals.tooLarge(fault.explanation, limit: limit)
            case .timeout: HTTPResponse(408, AnswerBody.refusal("timeout", fault.explanation))
            case .stopping: refusals.unavailable(.stopping, fault.explanation)
            case .noRoom, .tooManyConnections, .tooManyOfAddress: refusals.unavailable(.queue, fault.explanation)
            default: HTTPResponse(fault.status, AnswerBody.refusal("bad_request", fault.explanation))
            }
        return head.map { finished(response, $0) } ?? response
    }

    /// Every answer carries the CORS fields, errors too: a page could not read them otherwise.
    private func finished(_ response: HTTPResponse, _ head: HTTPRequestHead) -> HTTPResponse {
        var response = response
        response.fields += cors.fields(
            origin: head.fields.first("origin"),
            withCredentials: [EventsRoute.path, CMCDRoute.path].contains(head.path))
        return response
    }
}
