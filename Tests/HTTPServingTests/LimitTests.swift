import Testing

@testable import HTTPServing

@Suite("A limit of the server")
struct LimitTests {
    @Test(
        "gives a whole request its time and no more, however it dawdles",
        arguments: [
            ("POST / HT", ""), ("\r\n", ""), ("POST / HTTP/1.1\r\nHost: x\r\n", "A: b\r\n"),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\nbody", "a"),
            ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"),
        ])
    func deadline(_ start: String, _ drop: String) throws {
        let running = try RunningServer {
            $0.requestTimeout = .milliseconds(150)
            $0.drainTimeout = .milliseconds(20)
        }
        let client = try running.client()
        client.send(start)
        while !client.isReadable(withinMs: 20) { client.send(drop) }
        let response = try client.response()
        #expect(response.status == 408)
        #expect(response.fields["connection"] == "close")
        #expect(client.restUntilClosed() == "")
        #expect(running.configuration.budget.used == 0)
    }

    @Test("closes a connection on which nothing happens, without a word")
    func idle() throws {
        let running = try RunningServer { $0.idleTimeout = .milliseconds(50) }
        let fresh = try running.client()
        let used = try running.client()
        used.send(post("a"))
        #expect(try used.response().status == 202)
        #expect(fresh.restUntilClosed() == "")
        #expect(used.restUntilClosed() == "")
    }

    @Test("drops a client that does not read its response")
    func slowReader() throws {
        let handler = StubHandler(response: { _ in
            HTTPResponse(status: 200, body: [UInt8](repeating: 0, count: 32 << 20))
        })
        let running = try RunningServer(handler) { $0.writeTimeout = .milliseconds(50) }
        let client = try running.client()
        client.send(get())
        #expect(running.eventually { $0.snapshot.responses2xx == 1 && $0.snapshot.connectionsOpen == 0 })
    }

    @Test("lets a slow reader that goes on reading have all of its response")
    func steadyReader() throws {
        let handler = StubHandler(response: { _ in
            HTTPResponse(status: 200, body: [UInt8](repeating: 97, count: 8 << 20))
        })
        let running = try RunningServer(handler)
        let client = try RawClient(port: running.server.port, receiveBuffer: 4_096)
        client.send(get())
        #expect(try client.response().body.utf8.count == 8 << 20)
    }

    @Test("answers one connection too many with 503 and takes the next when one has gone")
    func connections() throws {
        let running = try RunningServer { $0.connectionLimit = 2 }
        let first = try running.client()
        first.send(post("first"))
        #expect(try first.response().status == 202)
        do {
            let second = try running.client()
            second.send(post("second"))
            #expect(try second.response().status == 202)
            let third = try running.client()
            let response = try third.response()
            #expect(response.status == 503)
            #expect(response.fields["connection"] == "close")
            #expect(third.restUntilClosed() == "")
            #expect(running.server.snapshot.connectionsRefused == 1)
            #expect(running.server.snapshot.responses5xx == 1)
            #expect(running.server.snapshot.connectionsOpen == 2)
        }
        #expect(running.eventually { $0.snapshot.connectionsOpen == 1 })
        let fourth = try running.client()
        fourth.send(post("fourth"))
        #expect(try fourth.response().body == "fourth")
    }

    @Test(
        "of connections leaves 40 descriptors for everything else",
        arguments: [(20_000, 512), (552, 512), (551, 511), (64, 24), (56, 16), (10, 16), (.max, 512)])
    func connectionLimit(_ descriptors: Int, _ connections: Int) {
        #expect(HTTPServerConfiguration.connectionLimit(descriptors: descriptors) == connections)
    }

    @Test("answers 503 to a body that finds no room in the budget, and keeps the connection", arguments: [false, true])
    func budget(inChunks: Bool) throws {
        let budget = ByteBudget(limit: 80_000)
        let running = try RunningServer { $0.budget = budget }
        let client = try running.client()
        let body = String(repeating: "a", count: 40_000)
        let request =
            inChunks
            ? "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n9C40\r\n\(body)\r\n0\r\n\r\n"
            : post(body)
        let room = Room(in: budget, owner: "another")
        #expect(room.take(50_000))
        client.send(request)
        #expect(try client.response().status == 503)
        #expect(budget.used == 50_000)
        room.shrink(to: 0)
        client.send(request)
        #expect(try client.response().body == body)
        #expect(running.eventually { _ in budget.used == 0 })
    }

    @Test("counts bytes of bodies when they arrive, not when they are announced")
    func announced() throws {
        let running = try RunningServer()
        let crowd = try (0..<66).map { _ in
            let client = try running.client()
            client.send("POST / HTTP/1.1\r\nHost: x\r\nOwner: a\r\nContent-Length: 1048576\r\n\r\na")
            return client
        }
        #expect(running.eventually { _ in running.configuration.budget.used >= 66 })
        #expect(running.configuration.budget.used < 2 << 20)
        for owner in ["a", "b"] {
            let good = try running.client()
            good.send(post(String(repeating: "b", count: 1 << 20), owner: owner))
            #expect(try good.response().status == 202)
        }
        withExtendedLifetime(crowd) {}
    }

    @Test("leaves room for small bodies, those of the same client too, whatever large ones have arrived")
    func large() throws {
        let budget = ByteBudget(limit: 4 << 20)
        let running = try RunningServer { $0.budget = budget }
        let body = String(repeating: "a", count: (1 << 20) - 1)
        let crowd = try (0..<8).map { _ in
            let client = try running.client()
            client.send("POST / HTTP/1.1\r\nHost: x\r\nOwner: a\r\nContent-Length: 1048576\r\n\r\n" + body)
            return client
        }
        #expect(running.eventually { $0.snapshot.responses5xx >= 5 })
        for owner in ["a", "b"] {
            let good = try running.client()
            good.send(post(String(repeating: "b", count: 60_000), owner: owner))
            #expect(try good.response().status == 202)
        }
        withExtendedLifetime(crowd) {}
    }

    @Test("lets an address have a quarter of the connections until its clients have shown who they are")
    func addresses() throws {
        let running = try RunningServer {
            $0.connectionLimit = 8
            $0.isTrusted = { "\($0)" == "127.0.0.9" }
        }
        var open = try (0..<2).map { _ in try running.client() }
        #expect(running.eventually { $0.snapshot.connections == 2 })
        let refused = try running.client()
        let response = try refused.response()
        #expect(response.status == 503 && response.body.contains("one address"))
        #expect(refused.restUntilClosed() == "")
        // Another address, a trusted one, and a client that shows who it is, have more.
        open += try (0..<3).map { _ in try running.client(from: 9) }
        let other = try running.client(from: 2)
        other.send(post("from another address"))
        #expect(try other.response().status == 202)
        open[0].send(post("known", owner: "a"))
        #expect(try open[0].response().status == 202)
        let next = try running.client()
        next.send(post("in its place"))
        #expect(try next.response().status == 202)
        #expect(try running.client().response().status == 503)
        #expect(running.server.snapshot.connectionsRefused == 2)
    }

    @Test("counts connections of an address no more once they are closed")
    func closedAddresses() throws {
        let running = try RunningServer {
            $0.connectionLimit = 4
            $0.isTrusted = { _ in false }
        }
        for _ in 0..<20 {
            let client = try running.client()
            client.send(post("a"))
            #expect(try client.response().status == 202)
            client.endSending()
            #expect(client.restUntilClosed() == "")
            #expect(running.eventually { $0.snapshot.connectionsOpen == 0 })
        }
    }

    @Test("lets 300 slow and idle clients not slow a good one")
    func slowCrowd() throws {
        // So long that who waits for a slow client's end waits in vain.
        let running = try RunningServer {
            $0.connectionLimit = 400
            $0.idleTimeout = .seconds(600)
            $0.requestTimeout = .seconds(600)
        }
        let crowd = try (0..<300).map { number in
            let client = try running.client()
            client.send(["", "POST / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\na"][number % 3])
            return client
        }
        let good = try running.client()
        for _ in 0..<200 {
            good.send(post("good"))
            #expect(try good.response().status == 202)
        }
        #expect(running.server.snapshot.connectionsOpen == crowd.count + 1)
    }
}
