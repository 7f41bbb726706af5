/// One commit on its way: the thread that asked waits on a semaphore of its own.
final class CommitWaiter: @unchecked Sendable {
    let lines: LogLines
    let day: UTCDay
    private let done = Semaphore()
    /// Written by the committer before the semaphore is posted, read by the one that waits after it.
    private var fault: CommitFault?

    init(_ lines: LogLines) {
        self.lines = lines
        day = UTCDay(holding: lines.receivedAt)
    }

    /// Called by the committer, once.
    func finish(_ fault: CommitFault?) {
        self.fault = fault
        done.post()
    }

    /// Called by the thread that asked, once.
    func wait() throws(CommitFault) {
        done.wait()
        if let fault { throw fault }
    }
}
