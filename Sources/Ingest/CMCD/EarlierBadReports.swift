internal import Archive
internal import Synchronization

/// Counts on a thread of its own what earlier processes have put into the quarantine's share for lines that are no reports.
final class EarlierBadReports: Sendable {
    private let isStopping: SharedFlag
    private let thread: Mutex<SystemThread?>

    fileprivate init(_ isStopping: SharedFlag, _ thread: SystemThread) {
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

private final class SharedFlag: Sendable {
    private let flag = Atomic(false)

    var isRaised: Bool { flag.load(ordering: .relaxed) }
    func raise() { flag.store(true, ordering: .relaxed) }
}

extension DataKeeper {
    /// Begins to count; until it has come to its end the share is a little larger.
    func countBadReports(_ share: QuarantineShare) throws(FileFault) -> EarlierBadReports {
        let end = committer.end(of: .rejected)
        let isStopping = SharedFlag()
        let thread = try SystemThread(name: "share", niceness: 10) { [paths] in
            // A file that can't be read counts for nothing.
            try? share.countEarlier(paths, upTo: end) { isStopping.isRaised }
        }
        return EarlierBadReports(isStopping, thread)
    }
}
