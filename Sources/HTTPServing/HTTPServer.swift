internal import Glibc
internal import Platform
internal import Synchronization

/// A small, strict HTTP/1.1 server: one listening socket, and a thread for each connection.
///
/// It lives from ``start()`` to ``stop()``, with a thread of its own that accepts.
package final class HTTPServer: Sendable {
    let configuration: HTTPServerConfiguration
    let handler: any HTTPHandler
    let counters = LiveCounters()
    let registry = ConnectionRegistry()
    private let listener: Listener
    private let accepting = Atomic(false)

    /// The port that it listens on, also when any free one was asked for.
    package var port: UInt16 { listener.port }

    package var snapshot: HTTPServerCounters { counters.snapshot(connectionsOpen: registry.count) }

    /// Begins to listen; connections wait until ``start()``.
    ///
    /// - Parameters:
    ///   - address: an IPv4 or IPv6 address; `::` stands for all of both.
    ///   - port: 0 for any free one.
    /// - Throws: what is wrong with the address, or why the system doesn't give it.
    package init(
        address: String, port: UInt16, configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        self.configuration = configuration
        self.handler = handler
        listener = try Listener(address: address, port: port, backlog: configuration.backlog)
    }

    /// Begins to accept connections, once.
    ///
    /// - Throws: when the system gives no thread.
    package func start() throws(HTTPServerError) {
        guard !accepting.exchange(true, ordering: .sequentiallyConsistent) else { return }
        do {
            try SystemThread.detach(name: "listener", stackBytes: configuration.stackBytes) { [self] in
                acceptConnections(listener)
                accepting.store(false, ordering: .sequentiallyConsistent)
            }
        } catch {
            accepting.store(false, ordering: .sequentiallyConsistent)
            throw HTTPServerError(description: "no thread to accept connections: \(error.reason)")
        }
    }

    /// Takes no more connections, finishes the requests of which a byte has arrived, refuses those that begin later,
    /// and returns when every connection is closed.
    ///
    /// What isn't whole after ``HTTPServerConfiguration/stopGrace`` is closed without a response; a second later, what
    /// still writes is closed too, and after another half-second this returns at any rate.
    ///
    /// - Returns: the connections that are still open, because the handler has not come back.
    @discardableResult package func stop() -> Int {
        listener.stop()
        if !accepting.load(ordering: .sequentiallyConsistent) { listener.end() }
        while accepting.load(ordering: .sequentiallyConsistent) { pause() }
        registry.forEach { $0.refuseFromHere() }
        let start = MonotonicTime.now
        let settled = start + configuration.stopSettling
        let lingered = start + configuration.stopLinger
        let grace = start + configuration.stopGrace
        let writing = grace + .seconds(1)
        let end = writing + .milliseconds(500)
        while registry.count > 0 {
            let now = MonotonicTime.now
            if now >= end { break }
            if now < settled { registry.forEach { $0.refuseFromHere() } }
            if now >= writing {
                registry.forEach { $0.endAll() }
            } else if now >= grace || now >= lingered && !registry.isAnyBusy {
                registry.forEach { $0.endReading() }
            }
            pause()
        }
        return registry.count
    }

    private func pause() {
        usleep(5_000)
    }
}

extension HTTPServer {
    /// Accepts until the listener stops; what the system has accepted by then is still served.
    func acceptConnections(_ listener: Listener) {
        var lastNotice: MonotonicTime?
        var isStopping = false
        while true {
            let outcome = listener.acceptWaiting(serve)
            if isStopping { break }
            switch outcome {
            case .taken: isStopping = listener.waitForMore()
            case .exhausted(let code):
                counters.countAcceptPause()
                if lastNotice.map({ $0 + .seconds(60) <= .now }) ?? true {
                    lastNotice = .now
                    configuration.report(.acceptingPaused(errno: code))
                }
                isStopping = listener.pause(configuration.acceptPause)
            }
        }
        listener.end()
    }
}

/// What a server has done so far.
package struct HTTPServerCounters: Sendable, Equatable {
    /// Connections open now.
    package var connectionsOpen = 0
    /// Connections that got a thread.
    package var connections = 0
    /// Connections answered 503 without one.
    package var connectionsRefused = 0
    /// Times that accepting paused.
    package var acceptPauses = 0
    /// Responses by the first digit of their status, 2–5, refused connections included.
    package var responses2xx = 0, responses3xx = 0, responses4xx = 0, responses5xx = 0
    /// Bytes received, heads and framing included.
    package var bytesReceived = 0
}

/// The same while they change.
final class LiveCounters: Sendable {
    private let connections = Atomic(0)
    private let connectionsRefused = Atomic(0)
    private let acceptPauses = Atomic(0)
    private let bytesReceived = Atomic(0)
    private let responses2xx = Atomic(0)
    private let responses3xx = Atomic(0)
    private let responses4xx = Atomic(0)
    private let responses5xx = Atomic(0)

    func countConnection() { connections.wrappingAdd(1, ordering: .relaxed) }
    func countRefusal() { connectionsRefused.wrappingAdd(1, ordering: .relaxed) }
    func countAcceptPause() { acceptPauses.wrappingAdd(1, ordering: .relaxed) }
    func countReceived(_ bytes: Int) { bytesReceived.wrappingAdd(bytes, ordering: .relaxed) }

    func countResponse(_ status: Int) {
        switch status / 100 {
        case 2: responses2xx.wrappingAdd(1, ordering: .relaxed)
        case 3: responses3xx.wrappingAdd(1, ordering: .relaxed)
        case 4: responses4xx.wrappingAdd(1, ordering: .relaxed)
        default: responses5xx.wrappingAdd(1, ordering: .relaxed)
        }
    }

    func snapshot(connectionsOpen: Int) -> HTTPServerCounters {
        HTTPServerCounters(
            connectionsOpen: connectionsOpen,
            connections: connections.load(ordering: .relaxed),
            connectionsRefused: connectionsRefused.load(ordering: .relaxed),
            acceptPauses: acceptPauses.load(ordering: .relaxed),
            responses2xx: responses2xx.load(ordering: .relaxed),
            responses3xx: responses3xx.load(ordering: .relaxed),
            responses4xx: responses4xx.load(ordering: .relaxed),
            responses5xx: responses5xx.load(ordering: .relaxed),
            bytesReceived: bytesReceived.load(ordering: .relaxed))
    }
}

extension HTTPServer {
    /// Gives a new connection its thread, or its refusal.
    ///
    /// - Returns: the `errno` of a thread that could not start, else 0.
    func serve(_ socket: Int32, peer: IPAddress) -> Int32 {
        let isTrusted = configuration.isTrusted(peer)
        if registry.count >= configuration.connectionLimit {
            refuse(socket, .tooManyConnections)
            return 0
        }
        if !isTrusted, registry.unknownCount(from: peer) >= configuration.connectionsOfAddress {
            refuse(socket, .tooManyOfAddress)
            return 0
        }
        Socket.setOption(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        Socket.setReceiveTimeout(socket, configuration.idleTimeout)
        let connection = OpenConnection(socket: socket, peer: peer)
        registry.enter(connection, isCounted: !isTrusted)
        do {
            try SystemThread.detach(name: "connection", stackBytes: configuration.stackBytes) { [self] in
                var served = HTTPConnection(connection, server: self)
                served.run()
                registry.end(connection)
            }
        } catch {
            registry.forget(connection)
            refuse(socket, .tooManyConnections)
            return error.code
        }
        counters.countConnection()
        return 0
    }

    /// Answers 503 without a thread, waits for nothing and closes.
    private func refuse(_ socket: Int32, _ fault: HTTPError) {
        let response = handler.response(to: fault, head: nil)
        var date = HTTPDate()
        date.move(to: Int64(time(nil)))
        var bytes: [UInt8] = []
        HTTPResponseHead.append(response, persistence: .closes, date: date.text, to: &bytes)
        counters.countRefusal()
        counters.countResponse(HTTPResponseHead.effectiveStatus(response))
        // Closing with unread bytes would reset the connection, and the client might lose its response.
        withUnsafeTemporaryAllocation(byteCount: ReceiveBuffer.usualSize, alignment: 1) { unread in
            _ = Socket.receive(socket, into: unread, waits: false)
        }
        bytes.withUnsafeBytes { head in
            response.body.withUnsafeBytes { body in
                _ = Socket.send(socket, head, body, patience: .zero)
            }
        }
        close(socket)
    }
}
