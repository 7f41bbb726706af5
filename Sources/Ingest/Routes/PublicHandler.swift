internal import HTTPServing
internal import PlaybackEvents

/// What the public listener answers: batches of plays, and reports for those who may read them.
///
/// One object for all connections: the parts of a copy would be counted by every request.
final class PublicHandler: HTTPHandler {
    let events: EventsRoute
    let reports: ReportsRoute
    let cors: CORSPolicy

    init(events: EventsRoute, reports: ReportsRoute, cors: CORSPolicy) {
        self.events = events
        self.reports = reports
        self.cors = cors
    }

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        if ReportsRoute.answers(head.path) {
            if case .refuse(let response) = reports.admit(head) { return .refuse(finished(response, head)) }
            return .body(limit: 0)
        }
        guard head.path == EventsRoute.path else {
            return .refuse(
                finished(HTTPResponse(404, AnswerBody.refusal("not_found", "plays go to \(EventsRoute.path)")), head))
        }
        switch head.method {
        case "POST":
            switch events.admit(head) {
            case .refuse(let response): return .refuse(finished(response, head))
            case let admitted: return admitted
            }
        case "OPTIONS":
            return .refuse(preflight(head))
        default:
            let body = AnswerBody.refusal("method_not_allowed", "plays are sent with POST")
            return .refuse(finished(HTTPResponse(405, body, fields: [("Allow", "POST, OPTIONS")]), head))
        }
    }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        let isReport = ReportsRoute.answers(request.head.path)
        return finished(isReport ? reports.respond(to: request.head) : events.respond(to: request), request.head)
    }

    func answer(to fault: HTTPFault, head: HTTPRequestHead?) -> HTTPResponse {
        let response =
            switch fault {
            case .bodyTooLarge(let limit):
                HTTPResponse(413, tooLarge(fault.explanation, limit: limit))
            case .timeout: HTTPResponse(408, AnswerBody.refusal("timeout", fault.explanation))
            case .stopping: events.unavailable(.stopping, fault.explanation)
            case .noRoom, .tooManyConnections: events.unavailable(.queue, fault.explanation)
            default: HTTPResponse(fault.status, AnswerBody.refusal("bad_request", fault.explanation))
            }
        return head.map { finished(response, $0) } ?? response
    }

    private func tooLarge(_ message: String, limit: Int) -> String {
        events.counters.count(.tooLarge)
        return AnswerBody.fault(.init(.tooLarge, message, limit: limit))
    }

    private func preflight(_ head: HTTPRequestHead) -> HTTPResponse {
        let origin = head.fields.first("origin")
        var response = HTTPResponse(status: 204)
        response.fields = cors.preflightFields(origin: origin, methods: "POST")
        return finished(response, head)
    }

    /// Every answer carries the CORS fields, errors too: a page could not read them otherwise.
    private func finished(_ response: HTTPResponse, _ head: HTTPRequestHead) -> HTTPResponse {
        var response = response
        response.fields += cors.fields(origin: head.fields.first("origin"))
        return response
    }
}
