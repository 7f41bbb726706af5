import Dispatch
import Platform
import Testing

@testable import HTTPServing

@Suite("A server that stops")
struct StopTests {
    /// A stop under way on another thread.
    private final class Stop {
        private let done = PendingValue<Int>()

        /// Returns once new connections are refused and every open one knows which of its requests still count.
        init(_ server: HTTPServer) throws {
            try SystemThread.detach(name: "stop") { [done] in done.fulfil(server.stop()) }
            while (try? RawClient(port: server.port)) != nil {}
            var isKnown = false
            while !isKnown {
                isKnown = true
                server.registry.forEach { isKnown = isKnown && $0.isStopping }
            }
        }

        /// Waits for its end; nil when it takes more than 10 s.
        func left() -> Int? {
            done.wait(until: .now + .seconds(10))
        }
    }

    private func running(_ handler: StubHandler = StubHandler(), graceMs: Int = 5_000, lingerMs: Int = 5_000) throws
        -> RunningServer
    {
        try RunningServer(handler) {
            $0.stopSettling = .zero
            $0.stopGrace = .milliseconds(graceMs)
            $0.stopLinger = .milliseconds(lingerMs)
            $0.drainTimeout = .milliseconds(20)
        }
    }

    @Test(
        "finishes a request of which a byte has arrived, and says that it closes",
        arguments: ["P", "POST / HTTP/1.1\r\n", post("whole").dropLast(1).description])
    func finishes(_ start: String) throws {
        let running = try running()
        let client = try running.client()
        client.send(start)
        let stop = try Stop(running.server)
        client.send(String(post("whole").dropFirst(start.count)))
        let response = try client.response()
        #expect(response.status == 202)
        #expect(response.body == "whole")
        #expect(response.fields["connection"] == "close")
        #expect(client.restUntilClosed() == "")
        #expect(stop.left() == 0)
    }

    @Test("answers 503 to a request that begins later on an open connection")
    func refusesLater() throws {
        let running = try running()
        let fresh = try running.client()
        let used = try running.client()
        used.send(post("a"))
        #expect(try used.response().status == 202)
        #expect(running.eventually { $0.snapshot.connectionsOpen == 2 })
        let stop = try Stop(running.server)
        for client in [fresh, used] {
            client.send(post("late"))
            let response = try client.response()
            #expect(response.status == 503)
            #expect(response.fields["connection"] == "close")
            #expect(client.restUntilClosed() == "")
        }
        #expect(stop.left() == 0)
        #expect(running.handler.seen == ["a"])
    }

    @Test("answers everything that was pipelined before, closing after the last")
    func finishesPipelined() throws {
        let entered = DispatchSemaphore(value: 0), gate = DispatchSemaphore(value: 0)
        let handler = StubHandler(response: { request in
            entered.signal()
            gate.wait()
            return HTTPResponse(status: 202, body: request.body)
        })
        let running = try running(handler)
        let client = try running.client()
        client.send(post("one"))
        entered.wait()
        client.send(post("two") + "POST ")
        let stop = try Stop(running.server)
        client.send(post("three").dropFirst(5).description + post("four"))
        for _ in 0..<3 { gate.signal() }
        let responses = try [client.response(), client.response(), client.response()]
        #expect(responses.map(\.body) == ["one", "two", "three"])
        #expect(responses.map { $0.fields["connection"] } == [nil, nil, "close"])
        #expect(client.restUntilClosed() == "")
        #expect(stop.left() == 0)
        #expect(handler.seen == ["one", "two", "three"])
    }

    @Test("closes without a response what is not whole in time, and waits for what the handler still does")
    func givesUp() throws {
        let entered = DispatchSemaphore(value: 0), gate = DispatchSemaphore(value: 0)
        let handler = StubHandler(response: { _ in
            entered.signal()
            gate.wait()
            return HTTPResponse(status: 202)
        })
        let running = try running(handler, graceMs: 50)
        let whole = try running.client()
        whole.send(post("whole"))
        entered.wait()
        let part = try running.client()
        part.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\npart")
        #expect(running.eventually { $0.snapshot.connectionsOpen == 2 })
        let stop = try Stop(running.server)
        #expect(part.restUntilClosed() == "")
        gate.signal()
        let response = try whole.response()
        #expect(response.status == 202)
        #expect(response.fields["connection"] == "close")
        #expect(stop.left() == 0)
    }

    @Test("closes idle connections soon, but waits as long as a request is on its way")
    func lingers() throws {
        let running = try running(lingerMs: 0)
        let idle = try running.client()
        let busy = try running.client()
        busy.send("P")
        #expect(
            running.eventually { server in
                var busy = 0
                server.registry.forEach { busy += $0.isBusy ? 1 : 0 }
                return busy == 1 && server.snapshot.connectionsOpen == 2
            })
        let stop = try Stop(running.server)
        #expect(!idle.isReadable(withinMs: 30))
        busy.send(post("busy").dropFirst(1).description)
        #expect(try busy.response().status == 202)
        #expect(idle.restUntilClosed() == "")
        #expect(stop.left() == 0)
    }

    @Test("returns even if the handler never does, and says how many it left")
    func leavesStuckHandlers() throws {
        let entered = DispatchSemaphore(value: 0), gate = DispatchSemaphore(value: 0)
        let handler = StubHandler(response: { _ in
            entered.signal()
            gate.wait()
            return HTTPResponse(status: 202)
        })
        let running = try running(handler, graceMs: 0)
        let client = try running.client()
        client.send(post("stuck"))
        entered.wait()
        #expect(running.server.stop() == 1)
        gate.signal()
        #expect(running.server.stop() == 0)
    }

    @Test("serves who was waiting to be accepted")
    func backlog() throws {
        var configuration = HTTPServerConfiguration()
        configuration.stopLinger = .zero
        let handler = StubHandler()
        let server = try HTTPServer(address: "127.0.0.1", port: 0, configuration: configuration, handler: handler)
        let client = try RawClient(port: server.port)
        client.send(post("early"))
        try server.start()
        server.stop()
        #expect(try client.response().body == "early")
    }

    @Test("gives its address up without ever having started")
    func neverStarted() throws {
        let server = try HTTPServer(address: "127.0.0.1", port: 0, handler: StubHandler())
        #expect(server.stop() == 0)
        #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
    }
}

@Suite("A server that can't listen")
struct ListenTests {
    @Test("says what is wrong with its address")
    func badAddress() {
        #expect(throws: HTTPServerError(description: "localhost is no IPv4 or IPv6 address")) {
            try HTTPServer(address: "localhost", port: 0, handler: StubHandler())
        }
    }

    @Test("says why the system does not give it")
    func taken() throws {
        let first = try HTTPServer(address: "127.0.0.1", port: 0, handler: StubHandler())
        #expect(
            throws: HTTPServerError(
                description: "can't bind to 127.0.0.1 port \(first.port): Address already in use", isInUse: true)
        ) {
            try HTTPServer(address: "127.0.0.1", port: first.port, handler: StubHandler())
        }
    }
}
