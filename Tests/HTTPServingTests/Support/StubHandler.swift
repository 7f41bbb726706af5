import HTTPServing
import Synchronization

/// Answers 202 with the body that came, 400 to the body `bad`, and remembers what it was asked.
final class StubHandler: HTTPHandler {
    let bodies = Mutex<[String]>([])
    let admission: @Sendable (HTTPRequestHead) -> Admission
    let response: (@Sendable (HTTPRequest) -> HTTPResponse)?

    enum Admission {
        case body(limit: Int)
        case refuse(HTTPResponse)
        case turnAway(HTTPResponse)
    }

    init(
        admission: @escaping @Sendable (HTTPRequestHead) -> Admission = { _ in .body(limit: 1 << 20) },
        response: (@Sendable (HTTPRequest) -> HTTPResponse)? = nil
    ) {
        self.admission = admission
        self.response = response
    }

    /// The bodies of the requests that were run, in order.
    var seen: [String] { bodies.withLock { $0 } }

    /// Whose request it is says the field `Owner`.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        let owner = head.fields.first("owner")
        switch admission(head) {
        case .body(let limit):
            return .take(
                HTTPAdmitted(bodyLimit: limit, owner: owner ?? "", isKnown: owner != nil) { [self] request, _ in
                    respond(to: request)
                })
        case .refuse(let response): return .refuse(response)
        case .turnAway(let response): return .turnAway(response)
        }
    }

    private func respond(to request: HTTPRequest) -> HTTPResponse {
        let body = String(decoding: request.body, as: UTF8.self)
        bodies.withLock { $0.append(body) }
        return response?(request) ?? HTTPResponse(status: body == "bad" ? 400 : 202, body: request.body)
    }

    func answer(to fault: HTTPFault, head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(
            status: fault.status, fields: head == nil ? [] : [("Access-Control-Allow-Origin", "*")],
            body: Array(fault.explanation.utf8))
    }
}
