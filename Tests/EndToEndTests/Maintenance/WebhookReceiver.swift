import HTTPServing
import Synchronization

/// Somebody's webhook: refuses until it is told otherwise, and keeps what came.
final class WebhookReceiver: HTTPHandler {
    /// The bodies of good posts, and the targets of others.
    let bodies = Mutex<[String]>([])
    let isOpen = Atomic(false)

    static let path = "/hook?a=b%20c"

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        .take(
            HTTPAdmitted(bodyLimit: 1 << 20) { [self] request, _ in
                let isGood =
                    head.target == Self.path && head.method == "POST"
                    && head.fields.all("content-type") == ["application/json"]
                bodies.withLock { $0.append(isGood ? String(decoding: request.body, as: UTF8.self) : head.target) }
                return HTTPResponse(status: isOpen.load(ordering: .relaxed) ? 204 : 503, body: [])
            })
    }

    func response(to fault: HTTPError, head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(status: fault.status, body: [])
    }
}
