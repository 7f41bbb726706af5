import HTTPServing

/// A server on a free loopback port that stops with the object.
final class RunningServer {
    let server: HTTPServer
    let handler: StubHandler

    init(
        _ handler: StubHandler = StubHandler(), address: String = "127.0.0.1",
        configure: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = HTTPServerConfiguration()
        configuration.stopLinger = .zero
        configuration.stopGrace = .milliseconds(300)
        configure(&configuration)
        self.handler = handler
        server = try HTTPServer(address: address, port: 0, configuration: configuration, handler: handler)
        try server.start()
    }

    deinit {
        server.stop()
    }

    func client() throws -> RawClient {
        try RawClient(port: server.port)
    }
}
