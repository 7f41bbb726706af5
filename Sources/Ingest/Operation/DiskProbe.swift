internal import Dispatch
internal import Synchronization

/// Asks the disk for a durable write, at most once a second whoever asks, and never lets anybody wait for a disk that hangs.
final class DiskProbe: Sendable {
    private struct UnderWay {
        let since: ContinuousClock.Instant
        /// What those who asked wait for.
        let end: DispatchGroup
    }

    private struct State {
        /// The last probe that came back: when it did, and what was wrong.
        var last: (at: ContinuousClock.Instant, fault: String?)?
        var underWay: UnderWay?
    }

    private let state = Mutex(State())
    /// A disk that hangs keeps this queue's thread, and no other.
    private let queue = DispatchQueue(label: "probe")
    private let write: @Sendable () -> String?
    private let freshness: Duration
    private let patience: DispatchTimeInterval

    /// - Parameters:
    ///   - freshness: how long an answer holds.
    ///   - patienceMs: how long a caller waits for one.
    ///   - write: writes and syncs something in the data directory; says what went wrong.
    init(
        freshness: Duration = .seconds(1), patienceMs: Int = 2_000, write: @escaping @Sendable () -> String?
    ) {
        self.freshness = freshness
        patience = .milliseconds(patienceMs)
        self.write = write
    }

    /// What is wrong with the disk; nil when a durable write has just succeeded.
    ///
    /// - Complexity: at most one durable write.
    func fault() -> String? {
        let (known, pending) = state.withLock { state in
            let known = state.last.flatMap { .now - $0.at < freshness ? $0 : nil }
            if known == nil, state.underWay == nil { state.underWay = begin() }
            return (known, state.underWay)
        }
        if let known { return known.fault }
        guard let pending else { return nil }
        if pending.end.wait(timeout: .now() + patience) == .success { return state.withLock { $0.last?.fault } }
        return "a write has not come back for \((ContinuousClock.now - pending.since).components.seconds) s"
    }

    private func begin() -> UnderWay {
        let end = DispatchGroup()
        queue.async(group: end) { [self] in
            let fault = write()
            state.withLock { state in
                state.last = (.now, fault)
                state.underWay = nil
            }
        }
        return UnderWay(since: .now, end: end)
    }
}
