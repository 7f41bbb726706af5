internal import Dispatch
internal import Platform
internal import Synchronization

/// Commits that wait for the committer's thread, bounded by their bytes.
final class CommitQueue: Sendable {
    private struct State {
        var waiters: [CommitWaiter] = []
        var bytes = 0
        var stopping = false
    }

    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Bytes of lines that wait.
    var bytes: Int { state.withLock { $0.bytes } }

    func add(_ waiter: CommitWaiter) throws(CommitError) {
        let count = waiter.lines.count
        if count > limit {
            throw CommitError(.tooLarge, "a commit of \(count) bytes; at most \(limit) are taken")
        }
        let isFirst = try state.withLock { state throws(CommitError) in
            if state.stopping { throw CommitError(.stopping, "the log is closing") }
            if state.bytes > limit - count {
                throw CommitError(.queueFull, "\(state.bytes) bytes wait for the log; at most \(limit) may")
            }
            state.waiters.append(waiter)
            state.bytes += count
            return state.waiters.count == 1
        }
        if isFirst { work.signal() }
    }

    /// Waits for work and takes what there is, up to `groupBytes` (but one commit at least).
    ///
    /// - Returns: nil when the queue is stopped and empty.
    func take(groupBytes: Int) -> [CommitWaiter]? {
        while true {
            work.wait()
            let (group, isMore, stopped) = state.withLock { state in
                let group = Self.takeGroup(groupBytes, from: &state)
                return (group, !state.waiters.isEmpty, state.stopping)
            }
            // One post stands for all that wait, so what is left needs one of its own; and so does the end.
            if isMore || stopped { work.signal() }
            if !group.isEmpty { return group }
            if stopped { return nil }
        }
    }

    private static func takeGroup(_ groupBytes: Int, from state: inout State) -> [CommitWaiter] {
        var count = 0
        var bytes = 0
        for waiter in state.waiters {
            if count > 0 && bytes + waiter.lines.count > groupBytes { break }
            bytes += waiter.lines.count
            count += 1
        }
        let group = Array(state.waiters[..<count])
        state.waiters.removeFirst(count)
        state.bytes -= bytes
        return group
    }

    /// Takes nothing more; what waits is still committed.
    func stop() {
        state.withLock { $0.stopping = true }
        work.signal()
    }
}

/// One commit on its way: the thread that asked waits on a semaphore of its own.
final class CommitWaiter: Sendable {
    let lines: LogLines
    /// Nothing more goes into the files that are open now.
    let closesFiles: Bool
    let day: UTCDay
    private let outcome = PendingValue<Result<Void, CommitError>>()

    init(_ lines: LogLines, closesFiles: Bool = false) {
        self.lines = lines
        self.closesFiles = closesFiles
        day = UTCDay(holding: lines.receivedAt)
    }

    /// Called by the committer, once.
    func finish(_ fault: CommitError?) {
        outcome.fulfil(fault.map { .failure($0) } ?? .success(()))
    }

    /// Called by the thread that asked, once.
    func wait() throws(CommitError) {
        try outcome.wait().get()
    }
}
