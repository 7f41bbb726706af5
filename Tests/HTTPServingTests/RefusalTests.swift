import HTTPServing
import Testing

@Suite("A refused request")
struct RefusalTests {
    @Test("ends its connection, and nothing after it is run, for every ambiguous head", arguments: refusedHeads)
    func ambiguousHeads(_ head: String, _ status: Int) throws {
        let running = try RunningServer()
        let client = try running.client()
        client.send(post("before") + head + post("after"))
        #expect(try client.response().status == 202)
        let response = try client.response()
        #expect(response.status == status)
        #expect(response.fields["connection"] == "close")
        client.endSending()
        #expect(client.restUntilClosed() == "")
        #expect(running.handler.seen == ["before"])
    }

    @Test(
        "ends its connection when its chunks are bad",
        arguments: [
            "0x5\r\nhello\r\n0\r\n\r\n", "5\r\nhelloX\r\n0\r\n\r\n", "fffffffffffffffff\r\n", "5\nhello\r\n0\r\n\r\n",
            "5\r\nhello\r\n0\r\nA : b\r\n\r\n",
        ])
    func badChunks(_ body: String) throws {
        let running = try RunningServer()
        let client = try running.client()
        client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body + post("after"))
        let response = try client.response()
        #expect(response.status == 400)
        #expect(response.fields["access-control-allow-origin"] == "*")
        client.endSending()
        #expect(client.restUntilClosed() == "")
        #expect(running.handler.seen == [])
        #expect(running.configuration.budget.used == 0)
    }

    @Test("is too long above the handler's limit, and not at it", arguments: [false, true])
    func tooLong(inChunks: Bool) throws {
        let running = try RunningServer(StubHandler(admission: { _ in .body(limit: 20_000) }))
        func request(_ length: Int) -> String {
            let body = String(repeating: "a", count: length)
            if !inChunks { return post(body) }
            return "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "4e20\r\n\(body.prefix(20_000))\r\n" + (length > 20_000 ? "1\r\na\r\n" : "") + "0\r\n\r\n"
        }
        let client = try running.client()
        client.send(request(20_000))
        #expect(try client.response().status == 202)
        client.send(request(20_001) + post("after"))
        #expect(try client.response().status == 413)
        client.endSending()
        #expect(client.restUntilClosed() == "")
        #expect(running.handler.seen.count == 1)
        #expect(running.configuration.budget.used == 0)
    }

    @Test("is too long as soon as a chunk begins that is, though nothing of it has come")
    func announcedChunk() throws {
        let running = try RunningServer(StubHandler(admission: { _ in .body(limit: 20_000) }))
        for chunks in ["4e21\r\n", "5\r\nhello\r\n4e1c\r\n", "7fffffffffffffff\r\na"] {
            let client = try running.client()
            client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
            #expect(try client.response().status == 413)
            client.endSending()
            #expect(client.restUntilClosed() == "")
        }
        #expect(running.handler.seen == [])
    }

    @Test("is drained a little, so that a client that sends first and reads then gets its response")
    func drained() throws {
        let running = try RunningServer(StubHandler(admission: { _ in .body(limit: 10) }))
        let client = try running.client()
        client.send(post(String(repeating: "a", count: 200_000)))
        #expect(try client.response().status == 413)
        client.endSending()
        #expect(client.restUntilClosed() == "")
    }

    @Test("is drained no longer than that")
    func drainedBriefly() throws {
        let running = try RunningServer(StubHandler(admission: { _ in .body(limit: 10) })) {
            $0.drainTimeout = .milliseconds(50)
        }
        let client = try running.client()
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n")
        #expect(try client.response().status == 413)
        #expect(client.restUntilClosed() == "")
        #expect(running.eventually { $0.snapshot.connectionsOpen == 0 })
    }

    @Test("of a client that is turned away is answered from its head, and nothing after it is read as a request")
    func turnedAway() throws {
        let running = try RunningServer(
            StubHandler(admission: { head in
                head.path == "/" ? .body(limit: 10) : .turnAway(HTTPResponse(status: 401))
            }))
        for rest in [
            "\r\n", "\r\n" + get(), "Content-Length: 100000\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
        ] {
            let client = try running.client()
            client.send("POST /x HTTP/1.1\r\nHost: x\r\n" + rest)
            let response = try client.response()
            #expect(response.status == 401 && response.fields["connection"] == "close")
            // The end comes though the client keeps its side open.
            #expect(client.restUntilClosed() == "")
            client.send(post("after"))
        }
        #expect(running.eventually { $0.snapshot.connectionsOpen == 0 })
        #expect(running.handler.seen == [])
    }

    @Test("of a client that is turned away is drained a little, for a second at most", arguments: [false, true])
    func turnedAwayDrained(isSlow: Bool) throws {
        let running = try RunningServer(StubHandler(admission: { _ in .turnAway(HTTPResponse(status: 403)) })) {
            $0.drainTimeout = isSlow ? .milliseconds(50) : .seconds(600)
            $0.requestTimeout = .seconds(600)
        }
        let client = try running.client()
        let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n"
        client.send(head + (isSlow ? "a" : String(repeating: "a", count: 65_000)))
        #expect(try client.response().status == 403)
        if !isSlow { client.send(String(repeating: "a", count: 1_000)) }
        #expect(running.eventually { $0.snapshot.connectionsOpen == 0 })
        #expect(running.server.snapshot.bytesReceived <= head.utf8.count + 65_536)
    }

    @Test("by the handler leaves the connection open for the next", arguments: [false, true])
    func byTheHandler(inChunks: Bool) throws {
        let running = try RunningServer(
            StubHandler(admission: { head in
                head.path == "/" ? .body(limit: 10) : .refuse(HTTPResponse(status: 404))
            }))
        let client = try running.client()
        let framing = inChunks ? "Transfer-Encoding: chunked" : "Content-Length: 100000"
        let body = String(repeating: "a", count: 100_000)
        client.send("POST /x HTTP/1.1\r\nHost: x\r\n\(framing)\r\n\r\n")
        #expect(try client.response().status == 404)
        client.send(inChunks ? "186A0\r\n\(body)\r\n0\r\n\r\n" : body)
        client.send(post("next"))
        #expect(try client.response().body == "next")
    }

    @Test("by the handler closes the connection when too much follows", arguments: [false, true])
    func byTheHandlerAndLong(inChunks: Bool) throws {
        let running = try RunningServer(StubHandler(admission: { _ in .refuse(HTTPResponse(status: 404)) })) {
            $0.drainLimit = 1_000
        }
        let client = try running.client()
        let framing = inChunks ? "Transfer-Encoding: chunked" : "Content-Length: 1001"
        let body = String(repeating: "a", count: 1_001)
        client.send("POST /x HTTP/1.1\r\nHost: x\r\n\(framing)\r\n\r\n" + (inChunks ? "3e9\r\n\(body)\r\n" : body))
        #expect(try client.response().status == 404)
        client.send(get())
        #expect(client.restUntilClosed() == "")
        #expect(running.server.snapshot.responses4xx == 1)
    }
}
