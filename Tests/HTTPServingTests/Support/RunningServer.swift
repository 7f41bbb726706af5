import Glibc
import HTTPServing
import Synchronization

/// A server on a free loopback port that stops with the object.
final class RunningServer {
    let server: HTTPServer
    let handler: StubHandler
    let configuration: HTTPServerConfiguration

    init(
        _ handler: StubHandler = StubHandler(), address: String = "127.0.0.1",
        configure: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = HTTPServerConfiguration()
        configuration.stopLinger = .zero
        configuration.stopGrace = .milliseconds(300)
        configure(&configuration)
        self.handler = handler
        self.configuration = configuration
        server = try HTTPServer(address: address, port: 0, configuration: configuration, handler: handler)
        try server.start()
    }

    deinit {
        server.stop()
    }

    /// - Parameter source: the last number of the address 127.0.0.… that it comes from.
    func client(from source: UInt8 = 1) throws -> RawClient {
        try RawClient(port: server.port, source: source)
    }

    /// Looks again and again, for 10 s at most, until the server is as it should come to be.
    func eventually(_ condition: (HTTPServer) -> Bool) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(10)
        while clock.now < end {
            if condition(server) { return true }
            sched_yield()
        }
        return false
    }
}

/// A whole request with that body.
func post(_ body: String, owner: String? = nil) -> String {
    "POST / HTTP/1.1\r\nHost: x\r\n\(owner.map { "Owner: \($0)\r\n" } ?? "")Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

/// A whole request without one.
func get() -> String {
    "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
}

/// Answers 202 with the body that came, 400 to the body `bad`, and remembers what it was asked.
final class StubHandler: HTTPHandler {
    let bodies = Mutex<[String]>([])
    let admission: @Sendable (HTTPRequestHead) -> Admission
    let makeResponse: (@Sendable (HTTPRequest) -> HTTPResponse)?

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
        makeResponse = response
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
        return makeResponse?(request) ?? HTTPResponse(status: body == "bad" ? 400 : 202, body: request.body)
    }

    func response(to fault: HTTPError, head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(
            status: fault.status, fields: head == nil ? [] : [("Access-Control-Allow-Origin", "*")],
            body: Array(fault.explanation.utf8))
    }
}
