internal import Archive
internal import Platform
internal import Synchronization

/// Counts on a thread of its own what earlier processes have put into the quarantine's share for lines that are no reports.
final class EarlierBadReports: Sendable {
    private let isStopping: Flag
    private let thread: Mutex<SystemThread?>

    fileprivate init(_ isStopping: Flag, _ thread: SystemThread) {
        self.isStopping = isStopping
        self.thread = Mutex(thread)
    }

    func requestStop() {
        isStopping.raise()
    }

    func stop() {
        requestStop()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }
}

extension DataKeeper {
    /// Begins to count; until it has come to its end the share is a little larger.
    func countBadReports(_ share: QuarantineShare) throws(ThreadError) -> EarlierBadReports {
        let end = committer.end(of: .rejected)
        let isStopping = Flag()
        let thread = try SystemThread(name: "share", niceness: 10) { [paths] in
            // A file that can't be read counts for nothing.
            try? share.countEarlier(paths, upTo: end) { isStopping.isRaised }
        }
        return EarlierBadReports(isStopping, thread)
    }
}
