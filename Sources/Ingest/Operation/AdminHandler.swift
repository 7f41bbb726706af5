internal import HTTPServing
internal import Platform

/// What the admin listener answers: is it alive, can it take plays, what has it counted.
struct AdminHandler: HTTPHandler {
    let health: Health
    let metrics: @Sendable () -> String

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        guard ["GET", "HEAD"].contains(head.method) else {
            let body = AnswerBody.refusal("method_not_allowed", "only GET and HEAD")
            return .refuse(HTTPResponse(405, body, fields: [("Allow", "GET, HEAD")]))
        }
        return .take(HTTPAdmitted(bodyLimit: 0) { request, _ in respond(to: request.head.path) })
    }

    private func respond(to path: String) -> HTTPResponse {
        switch path {
        case "/healthz": return HTTPResponse(200, #"{"status":"live"}"#)
        case "/readyz":
            let reasons = health.reasonsNotToBeReady()
            var body = JSONText()
            body.add("status", reasons.isEmpty ? "ready" : "not ready")
            body.addRaw("reasons", "[" + reasons.map(JSONString.quoted).joined(separator: ",") + "]")
            body.addRaw("degraded", "[" + health.damage.map(JSONString.quoted).joined(separator: ",") + "]")
            return HTTPResponse(reasons.isEmpty ? 200 : 503, body.closed)
        case "/metrics":
            return HTTPResponse(
                status: 200, fields: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
                body: Array(metrics().utf8))
        default: return HTTPResponse(404, AnswerBody.refusal("not_found", "there are /healthz, /readyz and /metrics"))
        }
    }

    func answer(to fault: HTTPFault, head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(fault.status, AnswerBody.refusal("bad_request", fault.explanation))
    }
}
