internal import Gzip
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
    package init(directory: DataDirectory, configuration: CommitterConfiguration = .init()) throws(FileError) {
        self.directory = directory
        queue = CommitQueue(limit: configuration.queueBytes)
        record = CommitRecord()
        let loop = try CommitLoop(directory, configuration, queue: queue, record: record)
        do {
            thread = Mutex(try SystemThread(name: "committer") { loop.run() })
        } catch {
            throw FileError(error)
        }
    }

    deinit {
        stop()
    }

    /// Blocks until the lines are durable; lines of no bytes are at once.
    ///
    /// - Throws: ``CommitError``; then nothing is promised, and the same lines may be committed again.
    package func commit(_ lines: LogLines) throws(CommitError) {
        if lines.count == 0 { return }
        let waiter = CommitWaiter(lines)
        try queue.add(waiter)
        try waiter.wait()
    }

    /// Closes the files of all logs once all is durable that was to be committed before: what comes goes into new ones, and
    /// those that are there may be rewritten.
    package func closeFiles() throws(CommitError) {
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
    package func end(of kind: LogKind) -> LogPosition {
        record.end(of: kind)
    }

    /// Bytes of log files between a place and the end of the log: how far a follower lies behind.
    ///
    /// - Complexity: O(log *n*) for *n* files.
    package func bytes(after position: LogPosition, in kind: LogKind = .plays) -> Int64 {
        record.bytes(after: position, in: kind)
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

/// What the committer's thread has to itself: nobody else writes the logs.
private final class CommitLoop {
    private let configuration: CommitterConfiguration
    private let queue: CommitQueue
    private let record: CommitRecord
    private let compressor = LineCompressor()
    private let plays: LogWriter
    private let rejected: LogWriter
    private let reports: LogWriter
    /// Commits that have failed since the last good one.
    private var failures = 0
    private var saidQuarantineFull = false
    private var saidFatal = false

    init(
        _ directory: DataDirectory, _ configuration: CommitterConfiguration, queue: CommitQueue, record: CommitRecord
    ) throws(FileError) {
        self.configuration = configuration
        self.queue = queue
        self.record = record
        plays = try LogRecovery.open(.plays, directory, configuration, record)
        rejected = try LogRecovery.open(.rejected, directory, configuration, record)
        reports = try LogRecovery.open(.reports, directory, configuration, record)
    }

    func run() {
        while let group = queue.take(groupBytes: configuration.groupBytes) { commit(group) }
        plays.close()
        rejected.close()
        reports.close()
    }

    /// The quarantine comes first: when it fails, nothing of those requests reaches the plays' log, so that a play without
    /// `playId` is not stored once more when its request is sent again.
    private func commit(_ group: [CommitWaiter]) {
        var faults = [FileError?](repeating: nil, count: group.count)
        let before = (plays.end, rejected.end, reports.end)
        for writer in [rejected, reports, plays] {
            for day in days(group, writer) {
                let chosen = group.indices.filter {
                    group[$0].day == day && faults[$0] == nil && !group[$0].lines[writer.kind].isEmpty
                }
                if chosen.isEmpty { continue }
                do {
                    try append(chosen.map { group[$0].lines[writer.kind] }, day, writer)
                } catch {
                    for index in chosen { faults[index] = error }
                }
            }
        }
        if group.contains(where: \.closesFiles) {
            for writer in [plays, rejected, reports] { writer.close() }
        }
        count(group, faults)
        for (waiter, fault) in zip(group, faults) { waiter.finish(fault.map(CommitError.init)) }
        report(faults)
        if before != (plays.end, rejected.end, reports.end) { configuration.onCommit(plays.end) }
    }

    /// The days that the group has lines of: first the one whose file is open, so that no file is begun needlessly.
    private func days(_ group: [CommitWaiter], _ writer: LogWriter) -> [UTCDay] {
        var days: Set<UTCDay> = []
        for waiter in group where !waiter.lines[writer.kind].isEmpty { days.insert(waiter.day) }
        if days.count < 2 { return Array(days) }
        return days.sorted { one, other in
            (one == writer.day ? 0 : 1, one.number) < (other == writer.day ? 0 : 1, other.number)
        }
    }

    /// Appends the lines of several requests as one member.
    private func append(_ lines: [[UInt8]], _ day: UTCDay, _ writer: LogWriter) throws(FileError) {
        let count = lines.reduce(0) { $0 + lineCount($1) }
        let events = writer.kind == .rejected ? count : 0
        let bytes = lines.reduce(0) { $0 + $1.count }
        compressor.begin(expecting: bytes)
        for part in lines { compressor.append(part.span.bytes) }
        let member = compressor.finish()
        if writer.kind == .rejected, !hasRoom(for: member.count) {
            record.update { $0.quarantineDropped += UInt64(events) }
            return
        }
        try writer.append(member.bytes, lines: count, day: day)
        let seconds = Double(writer.syncNanoseconds) / 1e9
        record.setEnd(writer.end, of: writer.kind)
        record.update { record in
            record.lineBytes += UInt64(bytes)
            record.archivedBytes += UInt64(member.count)
            record.quarantineKept += UInt64(events)
            record.groupBytes.record(Double(bytes))
            record.syncSeconds.record(seconds)
        }
    }

    private func lineCount(_ lines: [UInt8]) -> Int {
        lines.count { $0 == 0x0a }
    }

    private func hasRoom(for bytes: Int) -> Bool {
        let total = record.totalBytes(of: .rejected)
        if total + Int64(bytes) <= configuration.quarantineBytes { return true }
        if !saidQuarantineFull { configuration.onNotice(.quarantineFull(bytes: total)) }
        saidQuarantineFull = true
        return false
    }

    private func count(_ group: [CommitWaiter], _ faults: [FileError?]) {
        let failed = faults.count { $0 != nil }
        record.update { record in
            record.commits += UInt64(group.count { !$0.closesFiles } - failed)
            record.failures += UInt64(failed)
            record.groupCommits.record(Double(group.count))
            record.lastCommitGood = failed == 0
            record.fatal = fatal
        }
    }

    private var fatal: FileError? { plays.fatal ?? rejected.fatal ?? reports.fatal }

    /// A full disk fails every commit for hours: only the first failure and the first success after it are told.
    private func report(_ faults: [FileError?]) {
        let failed = faults.count { $0 != nil }
        if let fault = faults.lazy.compactMap(\.self).first {
            if failures == 0 { configuration.onNotice(.commitsFail(fault)) }
            failures += failed
            guard !saidFatal, let fatal else { return }
            saidFatal = true
            configuration.onNotice(.fatal(fatal))
        } else if failures > 0 {
            configuration.onNotice(.commitsSucceed(failed: failures))
            failures = 0
        }
    }
}
