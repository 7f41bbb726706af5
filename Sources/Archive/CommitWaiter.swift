internal import Platform

/// One commit on its way: the thread that asked waits on a semaphore of its own.
final class CommitWaiter: Sendable {
    let lines: LogLines
    /// Nothing more goes into the files that are open now.
    let closesFiles: Bool
    let day: UTCDay
    private let outcome = PendingValue<Result<Void, CommitFault>>()

    init(_ lines: LogLines, closesFiles: Bool = false) {
        self.lines = lines
        self.closesFiles = closesFiles
        day = UTCDay(holding: lines.receivedAt)
    }

    /// Called by the committer, once.
    func finish(_ fault: CommitFault?) {
        outcome.fulfil(fault.map { .failure($0) } ?? .success(()))
    }

    /// Called by the thread that asked, once.
    func wait() throws(CommitFault) {
        try outcome.wait().get()
    }
}
