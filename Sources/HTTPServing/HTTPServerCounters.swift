internal import Synchronization

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
    /// Answers by the first digit of their status, 2–5, refused connections included.
    package var answers2xx = 0, answers3xx = 0, answers4xx = 0, answers5xx = 0
    /// Bytes received, heads and framing included.
    package var bytesReceived = 0
}

/// The same while they change.
final class LiveCounters: Sendable {
    private let connections = Atomic(0)
    private let connectionsRefused = Atomic(0)
    private let acceptPauses = Atomic(0)
    private let bytesReceived = Atomic(0)
    private let answers2xx = Atomic(0)
    private let answers3xx = Atomic(0)
    private let answers4xx = Atomic(0)
    private let answers5xx = Atomic(0)

    func countConnection() { connections.wrappingAdd(1, ordering: .relaxed) }
    func countRefusal() { connectionsRefused.wrappingAdd(1, ordering: .relaxed) }
    func countAcceptPause() { acceptPauses.wrappingAdd(1, ordering: .relaxed) }
    func countReceived(_ bytes: Int) { bytesReceived.wrappingAdd(bytes, ordering: .relaxed) }

    func countAnswer(_ status: Int) {
        switch status / 100 {
        case 2: answers2xx.wrappingAdd(1, ordering: .relaxed)
        case 3: answers3xx.wrappingAdd(1, ordering: .relaxed)
        case 4: answers4xx.wrappingAdd(1, ordering: .relaxed)
        default: answers5xx.wrappingAdd(1, ordering: .relaxed)
        }
    }

    func snapshot(connectionsOpen: Int) -> HTTPServerCounters {
        HTTPServerCounters(
            connectionsOpen: connectionsOpen,
            connections: connections.load(ordering: .relaxed),
            connectionsRefused: connectionsRefused.load(ordering: .relaxed),
            acceptPauses: acceptPauses.load(ordering: .relaxed),
            answers2xx: answers2xx.load(ordering: .relaxed),
            answers3xx: answers3xx.load(ordering: .relaxed),
            answers4xx: answers4xx.load(ordering: .relaxed),
            answers5xx: answers5xx.load(ordering: .relaxed),
            bytesReceived: bytesReceived.load(ordering: .relaxed))
    }
}
