import HTTPServing
import Testing

@Suite("A client that expects 100 Continue")
struct ContinueTests {
    private func head(_ framing: String) -> String {
        "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\(framing)\r\n\r\n"
    }

    @Test("gets it before it sends its body")
    func continues() throws {
        let running = try RunningServer()
        let client = try running.client()
        client.send(head("Content-Length: 2"))
        #expect(try client.response().status == 100)
        client.send("hi" + head("Transfer-Encoding: chunked"))
        #expect(try client.response().body == "hi")
        #expect(try client.response().status == 100)
        client.send("2\r\nho\r\n0\r\n\r\n")
        #expect(try client.response().body == "ho")
    }

    @Test("gets 413 instead when the body is too long")
    func tooLong() throws {
        let running = try RunningServer()
        let client = try running.client()
        client.send(head("Content-Length: 1048577"))
        let response = try client.response()
        #expect(response.status == 413)
        #expect(response.fields["connection"] == "close")
        #expect(response.fields["access-control-allow-origin"] == "*")
        #expect(client.restUntilClosed() == "")
        #expect(running.handler.seen == [])
    }

    @Test("gets a refusal instead, and no second request is read out of a body that it may not send")
    func refused() throws {
        let running = try RunningServer(StubHandler(admission: { _ in .refuse(HTTPResponse(status: 401)) }))
        let client = try running.client()
        client.send(head("Content-Length: 300") + get())
        #expect(try client.response().status == 401)
        #expect(client.restUntilClosed() == "")
        #expect(running.server.snapshot.responses4xx == 1)
    }

    @Test("gets none without a body, over HTTP/1.0, or for other expectations")
    func none() throws {
        let running = try RunningServer()
        let client = try running.client()
        client.send("GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.response().status == 202)
        client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: more\r\nContent-Length: 1\r\n\r\na")
        #expect(try client.response().status == 202)
        client.send("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na")
        #expect(try client.response().status == 202)
    }
}
