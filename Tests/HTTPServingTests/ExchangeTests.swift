import HTTPServing
import Testing

@Suite("An exchange over a real socket")
struct ExchangeTests {
    @Test("answers requests one after another on one connection, by length and in chunks")
    func keepsAlive() throws {
        let running = try RunningServer()
        let client = try running.client()
        client.send(post("hello"))
        let first = try client.response()
        #expect(first.status == 202)
        #expect(first.body == "hello")
        #expect(first.fields["content-length"] == "5")
        #expect(first.fields["connection"] == nil)
        #expect(first.fields["date"]?.hasSuffix(" GMT") == true)
        let inChunks = [
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
            "3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nA: b\r\n\r\n",
        ]
        inChunks.forEach(client.send)
        #expect(try client.response().body == "hello")
        let counters = running.server.snapshot
        #expect(counters.connections == 1)
        #expect(counters.responses2xx == 2)
        #expect(counters.bytesReceived == (post("hello") + inChunks.joined()).utf8.count)
    }

    @Test("goes over IPv4 and IPv6 at one address", arguments: [false, true])
    func bothFamilies(overIPv6: Bool) throws {
        let handler = StubHandler(response: { HTTPResponse(status: 200, body: Array("\($0.head.peer)".utf8)) })
        let running = try RunningServer(handler, address: "::")
        let client = try RawClient(port: running.server.port, overIPv6: overIPv6)
        client.send(get())
        #expect(try client.response().body == (overIPv6 ? "::1" : "127.0.0.1"))
    }

    @Test("answers three pipelined posts in order, and a bad one costs nothing but itself")
    func pipelined() throws {
        let running = try RunningServer()
        let client = try running.client()
        client.send(post("one") + post("bad") + post("three"))
        let responses = try [client.response(), client.response(), client.response()]
        #expect(responses.map(\.status) == [202, 400, 202])
        #expect(responses.map(\.body) == ["one", "bad", "three"])
    }

    @Test("takes a request that comes byte by byte", arguments: [false, true])
    func byteByByte(inChunks: Bool) throws {
        let running = try RunningServer()
        let client = try running.client()
        let text =
            inChunks
            ? "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" : post("abc")
        for byte in text.utf8 { client.send([byte]) }
        #expect(try client.response().body == "abc")
    }

    @Test("takes bodies that are larger than any buffer", arguments: [false, true])
    func largeBodies(inChunks: Bool) throws {
        let running = try RunningServer()
        let client = try running.client()
        let body = String(repeating: "0123456789", count: 100_000)
        if inChunks {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<100 { client.send("2710\r\n\(body.prefix(10_000))\r\n") }
            client.send("0\r\n\r\n")
        } else {
            client.send(post(body))
        }
        #expect(try client.response().body == body)
        #expect(running.eventually { _ in running.configuration.budget.used == 0 })
    }

    @Test("sends no body to HEAD, but its length")
    func head() throws {
        let running = try RunningServer(StubHandler(response: { _ in HTTPResponse(status: 200, body: [1, 2, 3]) }))
        let client = try running.client()
        client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n" + get())
        #expect(try client.response(hasBody: false).fields["content-length"] == "3")
        #expect(try client.response().body == "\u{1}\u{2}\u{3}")
    }

    @Test("keeps an HTTP/1.0 connection only when asked to")
    func version10() throws {
        let running = try RunningServer()
        let client = try running.client()
        client.send("POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na")
        #expect(try client.response().fields["connection"] == "keep-alive")
        client.send("POST / HTTP/1.0\r\nContent-Length: 1\r\n\r\nb")
        #expect(try client.response().fields["connection"] == "close")
        #expect(client.restUntilClosed() == "")
    }

    @Test("closes when the client asks for it, and runs nothing after that")
    func closes() throws {
        let running = try RunningServer()
        let client = try running.client()
        client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + post("late"))
        #expect(try client.response().fields["connection"] == "close")
        #expect(client.restUntilClosed() == "")
        #expect(running.handler.seen == [""])
    }

    @Test("answers a client that has closed its own side")
    func halfClosed() throws {
        let running = try RunningServer()
        let client = try running.client()
        client.send(post("whole") + "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\npart")
        client.endSending()
        #expect(try client.response().body == "whole")
        #expect(client.restUntilClosed() == "")
        #expect(running.handler.seen == ["whole"])
    }

    @Test("outlives a thousand clients that reset before their response")
    func resets() throws {
        let running = try RunningServer { $0.connectionLimit = 2_000 }
        for number in 0..<1_000 {
            let client = try running.client()
            switch number % 4 {
            case 0: client.send(post("whole"))
            case 1: client.send(post("one") + post("two") + "POST")
            case 2: client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\npart")
            default: break
            }
            client.reset()
        }
        let client = try running.client()
        client.send(post("after"))
        #expect(try client.response().body == "after")
        #expect(running.eventually { $0.snapshot.connectionsOpen == 1 })
        #expect(running.configuration.budget.used == 0)
    }
}
