internal import Synchronization

/// Commits that wait for the committer's thread, bounded by their bytes.
final class CommitQueue: Sendable {
    private struct State {
        var waiters: [CommitWaiter] = []
        var bytes = 0
        var stopping = false
    }

    private let state = Mutex(State())
    private let work = Semaphore()
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Bytes of lines that wait.
    var bytes: Int { state.withLock { $0.bytes } }

    func add(_ waiter: CommitWaiter) throws(CommitFault) {
        let count = waiter.lines.count
        if count > limit {
            throw CommitFault(.tooLarge, "a commit of \(count) bytes; at most \(limit) are taken")
        }
        let fault: CommitFault? = state.withLock { state in
            if state.stopping { return CommitFault(.stopping, "the log is closing") }
            if state.bytes > limit - count {
                return CommitFault(.queueFull, "\(state.bytes) bytes wait for the log; at most \(limit) may")
            }
            state.waiters.append(waiter)
            state.bytes += count
            return nil
        }
        if let fault { throw fault }
        work.post()
    }

    /// Waits for work and takes what there is, up to `groupBytes` (but one commit at least).
    ///
    /// - Returns: nil when the queue is stopped and empty.
    func take(groupBytes: Int) -> [CommitWaiter]? {
        while true {
            work.wait()
            let (group, stopped): ([CommitWaiter], Bool) = state.withLock { state in
                var count = 0
                var bytes = 0
                while count < state.waiters.count {
                    let next = state.waiters[count].lines.count
                    if count > 0 && bytes + next > groupBytes { break }
                    bytes += next
                    count += 1
                }
                let group = Array(state.waiters[..<count])
                state.waiters.removeFirst(count)
                state.bytes -= bytes
                return (group, state.stopping)
            }
            if !group.isEmpty { return group }
            if stopped { return nil }
        }
    }

    /// Takes nothing more; what waits is still committed.
    func stop() {
        state.withLock { $0.stopping = true }
        work.post()
    }
}
