internal import Platform
internal import Synchronization

/// Makes lines durable: one thread takes all that waits, writes it as one gzip member, syncs, and wakes each that waited.
package final class Committer: Sendable {
    private let directory: DataDirectory
    private let queue: CommitQueue
    private let record: CommitRecord
    private let thread: Mutex<SystemThread?>

    /// Recovers the logs and starts the thread.
    ///
    /// - Throws: what the system said of the directory's files; nothing has been started then.
    package init(directory: DataDirectory, configuration: CommitterConfiguration = .init()) throws(FileFault) {
        self.directory = directory
        queue = CommitQueue(limit: configuration.queueBytes)
        record = CommitRecord()
        let loop = try CommitLoop(directory, configuration, queue: queue, record: record)
        do {
            thread = Mutex(try SystemThread(name: "committer") { [loop] in loop.run() })
        } catch {
            throw FileFault(error)
        }
    }

    deinit {
        stop()
    }

    /// Blocks until the lines are durable; lines of no bytes are at once.
    ///
    /// - Throws: ``CommitFault``; then nothing is promised, and the same lines may be committed again.
    package func commit(_ lines: LogLines) throws(CommitFault) {
        if lines.count == 0 { return }
        let waiter = CommitWaiter(lines)
        try queue.add(waiter)
        try waiter.wait()
    }

    /// Closes the files of all logs once all is durable that was to be committed before: what comes goes into new ones, and
    /// those that are there may be rewritten.
    package func closeFiles() throws(CommitFault) {
        let waiter = CommitWaiter(LogLines(receivedAt: 0), closesFiles: true)
        try queue.add(waiter)
        try waiter.wait()
    }

    /// Commits what waits, refuses what comes, and returns when the thread has ended. May be called again.
    package func stop() {
        queue.stop()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    /// The end of a log: all before it is durable.
    package func end(of kind: LogKind) -> LogPlace {
        record.end(of: kind)
    }

    /// Bytes of log files between a place and the end of the log: how far a follower lies behind.
    ///
    /// - Complexity: O(log *n*) for *n* files.
    package func bytes(after place: LogPlace, in kind: LogKind = .plays) -> Int64 {
        record.bytes(after: place, in: kind)
    }

    /// Notes that a closed file of a log has so many bytes now, none when it is gone: it was compacted, or pruned.
    package func note(_ segment: SegmentName, bytes: Int64) {
        record.change(segment.kind, segment.sequence, length: bytes)
    }

    /// Counters since the start, for metrics and health.
    package func snapshot() -> CommitterSnapshot {
        record.snapshot(queueBytes: queue.bytes)
    }
}
