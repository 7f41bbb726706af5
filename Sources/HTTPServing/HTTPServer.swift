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
    /// What isn't whole after ``HTTPServerConfiguration/stopGrace`` is closed without an answer; a second later, what
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
