import Foundation
import Synchronization
import TestSupport

/// Players that post batches of plays over raw connections and remember which were acknowledged.
final class PlayLoad: Sendable {
    private struct State {
        var acknowledged: [String] = []
        var sent = 0
        var answers: [Int: Int] = [:]
        var retryAfter: [String: Int] = [:]
        var isStopped = false
    }

    private let state = Mutex(State())
    private let eventsPerBatch: Int
    private let padding: String
    private let pauseMs: UInt32

    /// - Parameters:
    ///   - paddingBytes: white space in each body, so that it is large and yet quickly made and judged.
    ///   - pauseMs: how long a player waits between one answer and the next batch.
    init(eventsPerBatch: Int, paddingBytes: Int = 0, pauseMs: UInt32 = 0) {
        self.eventsPerBatch = eventsPerBatch
        self.pauseMs = pauseMs
        padding = String(repeating: " ", count: paddingBytes)
    }

    /// The play ids of every batch that was answered 202.
    var acknowledged: [String] { state.withLock { $0.acknowledged } }
    var sent: Int { state.withLock { $0.sent } }
    /// How many batches were answered with each status.
    var answers: [Int: Int] { state.withLock { $0.answers } }
    /// How often each value of `Retry-After` came.
    var retryAfter: [String: Int] { state.withLock { $0.retryAfter } }

    /// Posts from several connections until the server is gone or ``stop()``; `whenAcknowledged` is called once, at that
    /// many plays.
    func run(
        port: Int, connections: Int, until count: Int = .max, whenAcknowledged: @escaping @Sendable () -> Void = {}
    ) {
        state.withLock { $0.isStopped = false }
        let start = acknowledged.count
        let reached = Atomic(false)
        let group = DispatchGroup()
        for _ in 0..<connections {
            Thread.inGroup(group) { [self] in
                let connection = try LoopbackConnection(port: port, timeout: 20)
                while !state.withLock({ $0.isStopped }), post(on: connection) {
                    let isThere = acknowledged.count - start >= count
                    if isThere, !reached.exchange(true, ordering: .relaxed) { whenAcknowledged() }
                }
            }
        }
        group.wait()
    }

    /// The same beside the caller, until the test calls ``stop()`` and waits for the group.
    func start(port: Int, connections: Int) -> DispatchGroup {
        let group = DispatchGroup()
        Thread.inGroup(group) { [self] in run(port: port, connections: connections) }
        return group
    }

    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// One batch; false when the connection broke or is to close.
    private func post(on connection: LoopbackConnection) -> Bool {
        let ids = (0..<eventsPerBatch).map { _ in SampleBatch.newId() }
        state.withLock { $0.sent += ids.count }
        let events = ids.map { SampleBatch.event($0, #""ageMs":1000"#) }
        let body = SampleBatch.body(events, context: #"{"cdnRegion":"eu-west"}"#) + padding
        guard let response = try? connection.post(ServerProcess.eventsPath, Array(body.utf8)) else { return false }
        state.withLock { state in
            state.answers[response.status, default: 0] += 1
            if response.status == 202 { state.acknowledged += ids }
            if let time = response.fields["retry-after"] { state.retryAfter[time, default: 0] += 1 }
        }
        if pauseMs > 0 { usleep(pauseMs * 1_000) }
        return response.fields["connection"] != "close"
    }
}
