import ClickHouse
import Foundation
import HTTPServing
import Synchronization
import Testing

/// What travels between a client and a server of this machine.
@Suite("A request to ClickHouse")
struct URLSessionExchangeTests {
    private final class Echo: HTTPHandler {
        let heads = Mutex<[HTTPRequestHead]>([])

        func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
            .take(HTTPAdmitted(bodyLimit: 1 << 20) { [self] request, _ in respond(to: request) })
        }

        func respond(to request: HTTPRequest) -> HTTPResponse {
            heads.withLock { $0.append(request.head) }
            return HTTPResponse(
                status: request.head.path == "/" ? 500 : 404, fields: [("X-ClickHouse-Exception-Code", "81")],
                body: request.body)
        }

        func response(to fault: HTTPError, head: HTTPRequestHead?) -> HTTPResponse {
            HTTPResponse(status: fault.status, body: [])
        }
    }

    private func request(port: UInt16, patience: Double = 20) -> HTTPExchangeRequest {
        HTTPExchangeRequest(
            host: .init("127.0.0.1", port: port), items: [("query", "a+b=c&d '?' \u{e4}")],
            fields: ["X-ClickHouse-Key": "it's"], body: Data([0, 1, 0xFF]), patience: patience)
    }

    @Test("arrives as it was meant, and so does the answer, whatever its status")
    func roundTrip() throws {
        let echo = Echo()
        let server = try HTTPServer(address: "127.0.0.1", port: 0, configuration: .init(), handler: echo)
        try server.start()
        defer { _ = server.stop() }
        let response = try URLSessionExchange().response(to: request(port: server.port))
        #expect(response.status == 500)
        #expect(response.body == Data([0, 1, 0xFF]))
        #expect(response.fields["x-clickhouse-exception-code"] == "81")
        let head = try #require(echo.heads.withLock { $0.first })
        #expect(head.query.map(\.value) == ["a+b=c&d '?' \u{e4}"])
        #expect(head.fields.all("x-clickhouse-key") == ["it's"])
    }

    @Test("goes to an IPv6 address, and to another path with a query of its own")
    func positions() throws {
        let echo = Echo()
        let server = try HTTPServer(address: "::1", port: 0, configuration: .init(), handler: echo)
        try server.start()
        defer { _ = server.stop() }
        let url = try ClickHouseURL("clickhouse://[::1]:\(server.port)/qoe")
        var request = request(port: server.port)
        request.host = url.hosts[0]
        request.body = Data(repeating: 7, count: 1 << 20)
        let response = try URLSessionExchange().response(to: request)
        #expect(response.status == 500 && response.body == request.body)
        #expect(response.fields["x-clickhouse-exception-code"] == "81")
        let head = try #require(echo.heads.withLock { $0.first })
        #expect(head.query.map(\.value) == ["a+b=c&d '?' \u{e4}"] && head.fields.all("x-clickhouse-key") == ["it's"])
        (request.target, request.items) = ("/a/b?c=%20&d", [])
        #expect(try URLSessionExchange().response(to: request).status == 404)
        #expect(echo.heads.withLock { $0.last?.target } == "/a/b?c=%20&d")
        request.usesTLS = true
        #expect(fault(of: request, URLSessionExchange())?.contains("needs a name") == true)
    }

    @Test("to an IPv6 address is given up when nobody listens there, or the program ends")
    func closed() throws {
        let server = try HTTPServer(address: "::1", port: 0, configuration: .init(), handler: Echo())
        var request = request(port: server.port)
        request.host = .init("[::1]", port: server.port)
        // It listens and does not accept.
        let exchange = URLSessionExchange()
        request.patience = 0.2
        #expect(fault(of: request, exchange) == "no response in 0 seconds")
        exchange.end(inSeconds: 0)
        request.patience = 20
        #expect(fault(of: request, exchange)?.contains("ending") == true)
        server.stop()
        #expect(fault(of: request, URLSessionExchange()) == "nothing listens there")
    }

    private func fault(of request: HTTPExchangeRequest, _ exchange: URLSessionExchange) -> String? {
        do throws(HTTPExchangeError) {
            _ = try exchange.response(to: request)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("is given up when nobody answers, and the next one is not kept from its answer")
    func patience() throws {
        let silent = try SilentListener()
        let exchange = URLSessionExchange()
        let fault = #expect(throws: HTTPExchangeError.self) {
            try exchange.response(to: request(port: silent.port, patience: 0.2))
        }
        #expect(fault?.reason == "no response in 0 seconds")
        let server = try HTTPServer(address: "127.0.0.1", port: 0, configuration: .init(), handler: Echo())
        try server.start()
        defer { _ = server.stop() }
        #expect(try exchange.response(to: request(port: server.port)).status == 500)
    }

    @Test("is waited for no longer when the program ends")
    func ending() throws {
        let silent = try SilentListener()
        let exchange = URLSessionExchange()
        exchange.end(inSeconds: 0)
        let fault = #expect(throws: HTTPExchangeError.self) { try exchange.response(to: request(port: silent.port)) }
        #expect(fault?.reason.contains("ending") == true)
    }

    @Test("says that nothing listens where nothing does")
    func refused() throws {
        let port = try SilentListener().port
        let fault = #expect(throws: HTTPExchangeError.self) {
            try URLSessionExchange().response(to: request(port: port))
        }
        #expect(fault?.reason == "nothing listens there")
    }
}

/// A port whose connections are made by the system and never answered.
private final class SilentListener {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        try #require(bound)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
