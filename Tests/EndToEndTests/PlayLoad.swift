import Foundation
import Synchronization
import TestSupport

/// Players that post batches of plays over raw connections and remember which were acknowledged.
final class PlayLoad: Sendable {
    private struct State {
        var acknowledged: [String] = []
        var sent = 0
        var isStopped = false
    }

    private let state = Mutex(State())
    private let eventsPerBatch: Int

    init(eventsPerBatch: Int) {
        self.eventsPerBatch = eventsPerBatch
    }

    /// The play ids of every batch that was answered 202.
    var acknowledged: [String] { state.withLock { $0.acknowledged } }
    var sent: Int { state.withLock { $0.sent } }

    /// Posts from several connections until the server is gone; `whenAcknowledged` is called once, at that many plays.
    func run(port: Int, connections: Int, until count: Int, whenAcknowledged: @escaping @Sendable () -> Void) {
        state.withLock { $0.isStopped = false }
        let start = acknowledged.count
        let reached = Atomic(false)
        let group = DispatchGroup()
        for _ in 0..<connections {
            group.enter()
            Thread.detachNewThread { [self] in
                defer { group.leave() }
                guard let connection = try? LoopbackConnection(port: port, timeout: 20) else { return }
                while !state.withLock({ $0.isStopped }), post(on: connection) {
                    let isThere = acknowledged.count - start >= count
                    if isThere, !reached.exchange(true, ordering: .relaxed) { whenAcknowledged() }
                }
            }
        }
        group.wait()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// One batch; false when the connection broke.
    private func post(on connection: LoopbackConnection) -> Bool {
        let ids = (0..<eventsPerBatch).map { _ in UUID().uuidString.lowercased() }
        let events = ids.map {
            #"{"playId":"\#($0)","videoId":"v1","startupMs":400,"stalls":0,"stalledMs":0,"watchedMs":20000,"ageMs":1000}"#
        }
        state.withLock { $0.sent += ids.count }
        let body = #"{"context":{"cdnRegion":"eu-west"},"events":[\#(events.joined(separator: ","))]}"#
        guard let response = try? connection.post("/v1/playback-events", Array(body.utf8)) else { return false }
        if response.status == 202 { state.withLock { $0.acknowledged += ids } }
        return true
    }
}
