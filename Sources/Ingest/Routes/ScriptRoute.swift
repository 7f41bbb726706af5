internal import HTTPServing
internal import Platform
internal import PlaybackEvents

/// `GET /qoe-video.js`, the script that measures a `<video>`: for everybody, since it holds no secret and a page could not
/// bring a key.
struct ScriptRoute: Sendable {
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
            let body = AnswerBody.refusal("method_not_allowed", "the script is read with GET")
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
            let body = AnswerBody.refusal("unavailable", "too many bytes are under way")
            return HTTPResponse(503, body, fields: [RetryAfter.field(atLeast: 2)])
        }
        return HTTPResponse(
            status: 200, fields: [("Content-Type", "text/javascript; charset=utf-8")] + fields, body: script)
    }
}
