import HTTPServing
import Testing

@Suite("An exchange over a real socket")
struct ExchangeTests {
    @Test("answers requests one after another on one connection, by length and in chunks")
    func keepsAlive() throws {
        let running = try RunningServer()
        let client = try running.client()
        client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
        let first = try client.answer()
        #expect(first.status == 202)
        #expect(first.body == "hello")
        #expect(first.fields["content-length"] == "5")
        #expect(first.fields["connection"] == nil)
        client.send(
            "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nA: b\r\n\r\n"
        )
        #expect(try client.answer().body == "hello")
        #expect(running.server.snapshot.connections == 1)
        #expect(running.server.snapshot.answers2xx == 2)
    }

    @Test("goes over IPv4 and IPv6 at one address", arguments: [false, true])
    func bothFamilies(overIPv6: Bool) throws {
        let handler = StubHandler(response: { HTTPResponse(status: 200, body: Array("\($0.head.peer)".utf8)) })
        let running = try RunningServer(handler, address: "::")
        let client = try RawClient(port: running.server.port, overIPv6: overIPv6)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.answer().body == (overIPv6 ? "::1" : "127.0.0.1"))
    }

    @Test("answers three pipelined posts in order, and a bad one costs nothing but itself")
    func pipelined() throws {
        let running = try RunningServer()
        let client = try running.client()
        func post(_ body: String) -> String {
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        client.send(post("one") + post("bad") + post("three"))
        let answers = try [client.answer(), client.answer(), client.answer()]
        #expect(answers.map(\.status) == [202, 400, 202])
        #expect(answers.map(\.body) == ["one", "bad", "three"])
    }
}
