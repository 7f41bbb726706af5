import Archive
import Foundation
import Synchronization

/// Threads of a test that block, each of its own.
final class Threads: Sendable {
    private let group = DispatchGroup()

    func start(_ body: @escaping @Sendable () -> Void) {
        group.enter()
        Thread { [group] in
            body()
            group.leave()
        }.start()
    }

    func join() {
        group.wait()
    }
}

/// Runs a body on so many threads, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = Threads()
    for index in 0..<count { threads.start { body(index) } }
    threads.join()
}

/// Holds the committer in its first sync until it is opened, so that a test decides what waits meanwhile.
final class Gate: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)
    private let isOpen = Mutex(false)
    private let texts = Mutex(0)

    var configuration: CommitterConfiguration {
        var configuration = CommitterConfiguration()
        let system = FileCalls.system
        configuration.files.sync = { [self] descriptor in
            // Recovery has nothing to sync in a new directory, so the first sync is the first commit's.
            let waits = isOpen.withLock { isOpen in
                defer { isOpen = true }
                return !isOpen
            }
            if waits {
                reached.signal()
                released.wait()
            }
            return system.sync(descriptor)
        }
        return configuration
    }

    /// Returns when the first commit is being made durable.
    func waitForSync() {
        reached.wait()
    }

    /// Returns when a text waits, beside those that waited before.
    func waitForQueue(_ committer: Committer, holding text: String) {
        let wanted = texts.withLock { bytes in
            bytes += text.utf8.count + 1
            return bytes
        }
        while committer.snapshot().queueBytes < wanted { sched_yield() }
    }

    func open() {
        released.signal()
    }
}

/// Keeps what an operator would read.
final class Notices: Sendable {
    private let notices = Mutex<[ArchiveNotice]>([])

    var all: [ArchiveNotice] { notices.withLock { $0 } }

    @Sendable func add(_ notice: ArchiveNotice) {
        notices.withLock { $0.append(notice) }
    }
}

/// Why a commit is refused, nil when it isn't.
func reason(_ commit: () throws -> Void) -> CommitError.Reason? {
    do {
        try commit()
        return nil
    } catch {
        return (error as? CommitError)?.reason
    }
}
