internal import Archive
internal import HTTPServing
internal import Platform
internal import PlayStore
internal import Synchronization

/// What the admin listener answers: is it alive, can it take plays, what has it counted.
struct AdminHandler: HTTPHandler {
    let health: Health
    let metrics: @Sendable () -> String

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        guard ["GET", "HEAD"].contains(head.method) else {
            let body = ResponseBody.refusal("method_not_allowed", "only GET and HEAD")
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
        default: return HTTPResponse(404, ResponseBody.refusal("not_found", "there are /healthz, /readyz and /metrics"))
        }
    }

    func response(to fault: HTTPError, head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(fault.status, ResponseBody.refusal("bad_request", fault.explanation))
    }
}

/// What is lastingly wrong with the data: it stays in the health answer until an operator has looked and started anew.
final class DamageList: Sendable {
    /// More than these are only in the log.
    private static let limit = 20
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func note(_ notice: ArchiveNotice) {
        switch notice {
        case .damageSetAside(let file, let range):
            add("\(file): bytes \(range.lowerBound)–\(range.upperBound) set aside")
        case .quarantineFull(let bytes):
            add("the quarantine is full (\(bytes) bytes): rejected events are only counted")
        case .fileGone(let file):
            add("\(file): removed or renamed while it was written; what it had is missing")
        case .tailCut, .emptyRemoved, .commitsFail, .commitsSucceed, .fatal: break
        }
    }

    /// Notes log files that should be there and aren't, and such as should not and are.
    func note(_ findings: [ArchiveFinding]) {
        for finding in findings { add(finding.description) }
    }

    /// Notes what earlier starts set aside: it is damage until somebody has looked at it and taken it away.
    func note(damagedFiles: [String]) {
        for file in damagedFiles { add("damaged/\(file) was set aside") }
    }

    /// Notes what a report could not read: nobody else may come upon that page again.
    func note(damagedDatabase reason: String) {
        add("a report found the database damaged: \(reason)")
    }

    func note(_ notice: FollowerNotice) {
        if case .damaged(let damage) = notice { add(damage.description) }
    }

    func note(_ notice: FoldNotice) {
        if case .damaged(let damage) = notice { add(damage.description) }
    }

    private func add(_ line: String) {
        lines.withLock { lines in
            if lines.count < Self.limit, !lines.contains(line) { lines.append(line) }
        }
    }
}
