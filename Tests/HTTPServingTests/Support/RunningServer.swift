import Glibc
import HTTPServing

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
