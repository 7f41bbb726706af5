internal import Synchronization

/// What is sent to a server, and for how long.
struct LoadPlan: Sendable {
    /// On 127.0.0.1.
    var port: UInt16
    var requests: [RequestTemplate]
    var connections = 32
    var threads = 1
    /// Seconds of sending before counting begins, and of counting.
    var warmUp = 0.5
    var seconds = 5.0
    var seed: UInt64 = 1
    /// While it says true, no new request is begun.
    var gate: LoadGate?
}

/// Holds the senders of a load back, for as long as somebody keeps it closed.
final class LoadGate: Sendable {
    private let closed = Atomic(false)

    var isClosed: Bool { closed.load(ordering: .relaxed) }

    func close(_ closes: Bool) {
        closed.store(closes, ordering: .relaxed)
    }
}
