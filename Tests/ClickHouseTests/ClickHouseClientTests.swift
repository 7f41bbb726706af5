import ClickHouse
import Foundation
import Gzip
import Synchronization
import Testing

@Suite("The ClickHouse client")
struct ClickHouseClientTests {
    private let url = try! ClickHouseURL("clickhouse://one,two/qoe?user=ingest&cluster=main")
    private let one = ClickHouseURL.Host("one", port: 8_123)
    private let two = ClickHouseURL.Host("two", port: 8_123)

    private func client(_ exchange: ScriptedExchange) -> ClickHouseClient {
        ClickHouseClient(url, password: "s3cret", exchange: exchange)
    }

    private func failure(_ exchange: ScriptedExchange) -> ClickHouseError? {
        #expect(throws: ClickHouseError.self) { try client(exchange).query("SELECT 1") { _ in } }
    }

    @Test("waits for the end of a query, and names user, password and database apart from it")
    func request() throws {
        let exchange = ScriptedExchange { _ in .text("7\n") }
        #expect(try client(exchange).integer("SELECT count() FROM plays") == 7)
        let request = try #require(exchange.requests.first)
        #expect(request.text == "SELECT count() FROM plays\nFORMAT TabSeparated")
        #expect(request.item("wait_end_of_query") == "1")
        #expect(request.item("database") == "qoe")
        #expect(request.fields == ["X-ClickHouse-User": "ingest", "X-ClickHouse-Key": "s3cret"])
    }

    @Test("asks the next host when one is silent, and stays with the one that answered")
    func nextHost() throws {
        let exchange = ScriptedExchange { request throws(HTTPExchangeError) in
            if request.host.name == "one" { throw HTTPExchangeError("nothing listens there") }
            return .text("1\n")
        }
        let client = client(exchange)
        for _ in 0..<3 { _ = try client.integer("SELECT 1") }
        #expect(exchange.requests.map(\.host) == [one, two, two, two])
    }

    @Test("sends once more what met a connection that the server had closed")
    func staleConnection() throws {
        let answers = Mutex(0)
        let exchange = ScriptedExchange { _ throws(HTTPExchangeError) in
            let isFirst = answers.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { throw HTTPExchangeError("the connection broke off", isBrokenOff: true) }
            return .text("1\n")
        }
        #expect(try client(exchange).integer("SELECT 1") == 1)
        #expect(exchange.requests.map(\.host) == [one, one])
    }

    @Test("names every host when none answers")
    func silence() throws {
        let error = failure(ScriptedExchange { _ throws(HTTPExchangeError) in throw HTTPExchangeError("nothing") })
        #expect(error?.isTransient == true)
        #expect(error?.description.contains("one:8123") == true && error?.description.contains("two:8123") == true)
    }

    @Test("posts the same bytes to the next host")
    func sameBytes() throws {
        let exchange = ScriptedExchange { request throws(HTTPExchangeError) in
            request.host.name == "one"
                ? .text("Code: 210, e.displayText() = DB::NetException: Connection refused (two:9000)", status: 500)
                : .text("")
        }
        let rows = RowCompressor().compressed(Array("1\ta\n".utf8))
        try client(exchange).insert(into: "qoe.t (a, b)", rows, token: "t1")
        #expect(exchange.requests.map(\.body) == [Data(rows), Data(rows)])
        #expect(try Gunzip.inflate(rows, limit: 100) == Array("1\ta\n".utf8))
        let request = exchange.requests[1]
        #expect(request.item("query") == "INSERT INTO qoe.t (a, b) FORMAT TabSeparated")
        #expect(request.item("insert_distributed_sync") == "1")
        #expect(request.fields["Content-Encoding"] == "gzip")
    }

    @Test("asks no other host about what would be the same there")
    func permanent() {
        let exchange = ScriptedExchange { _ in
            .text("Code: 81, … DB::Exception: Database qoe doesn't exist", status: 404)
        }
        #expect(failure(exchange)?.isTransient == false)
        #expect(exchange.requests.count == 1)
    }

    @Test("refuses a server that is too old, and what is no ClickHouse at all")
    func versions() {
        let old = failure(ScriptedExchange(version: "1.1.54388") { _ in .text("1\n") })
        #expect(old?.description == "the ClickHouse server at one:8123 is 1.1: 18.16 or newer is needed")
        let other = failure(ScriptedExchange(version: "<html>") { _ in .text("1\n") })
        #expect(other?.description == "what answers at one:8123 is no ClickHouse server")
    }

    @Test(
        "takes no response that is not whole for one",
        arguments: [
            "1\t2\nCode: 241, e.displayText() = DB::Exception: Memory limit (for query) exceeded\n", "1\t2\n3",
            "1\t2\n3\n",
            "__exception__\n",
        ])
    func lateErrors(_ body: String) {
        let exchange = ScriptedExchange { _ in .text(body) }
        #expect(throws: ClickHouseError.self) { try client(exchange).query("SELECT 1, 2", columns: 2) { _ in } }
    }

    @Test("sees an error in the headers of a 200")
    func header() {
        let exchange = ScriptedExchange { _ in
            .text("Code: 159. DB::Exception: Timeout exceeded", fields: ["x-clickhouse-exception-code": "159"])
        }
        #expect(failure(exchange)?.code == 159)
    }
}

/// Answers as a test says, and remembers what was asked.
final class ScriptedExchange: HTTPExchange {
    typealias Script = @Sendable (HTTPExchangeRequest) throws(HTTPExchangeError) -> HTTPExchangeResponse

    private let script: Script
    private let asked = Mutex<[HTTPExchangeRequest]>([])

    /// - Parameter version: what every host says of itself.
    init(version: String = "18.16.1", _ script: @escaping Script) {
        self.script = { request throws(HTTPExchangeError) in
            if request.text == "SELECT version()" { return .text("\(version)\n") }
            return try script(request)
        }
    }

    /// All requests but those for a version.
    var requests: [HTTPExchangeRequest] { asked.withLock { $0 }.filter { $0.text != "SELECT version()" } }

    func response(to request: HTTPExchangeRequest) throws(HTTPExchangeError) -> HTTPExchangeResponse {
        asked.withLock { $0.append(request) }
        return try script(request)
    }
}

extension HTTPExchangeRequest {
    var text: String { String(decoding: body, as: UTF8.self) }

    func item(_ name: String) -> String? { items.first { $0.name == name }?.value }
}

extension HTTPExchangeResponse {
    static func text(_ text: String, status: Int = 200, fields: [String: String] = [:]) -> HTTPExchangeResponse {
        HTTPExchangeResponse(status: status, fields: fields, body: Data(text.utf8))
    }
}
