internal import Gzip

/// The committer's thread: the only one that writes the logs.
final class CommitLoop: @unchecked Sendable {
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
    ) throws(FileFault) {
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
        var faults = [FileFault?](repeating: nil, count: group.count)
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
        for (waiter, fault) in zip(group, faults) { waiter.finish(fault.map(CommitFault.init)) }
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
    private func append(_ lines: [[UInt8]], _ day: UTCDay, _ writer: LogWriter) throws(FileFault) {
        let count = lines.reduce(0) { $0 + lineCount($1) }
        let events = writer.kind == .rejected ? count : 0
        let bytes = lines.reduce(0) { $0 + $1.count }
        compressor.begin(expecting: bytes)
        for part in lines {
            part.withUnsafeBytes { compressor.append($0) }
        }
        let member = compressor.finish()
        if writer.kind == .rejected, !hasRoom(for: member.count) {
            record.update { $0.quarantineDropped += UInt64(events) }
            return
        }
        try writer.append(member, lines: count, day: day)
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

    private func count(_ group: [CommitWaiter], _ faults: [FileFault?]) {
        let failed = faults.count { $0 != nil }
        record.update { record in
            record.commits += UInt64(group.count { !$0.closesFiles } - failed)
            record.failures += UInt64(failed)
            record.groupCommits.record(Double(group.count))
            record.lastCommitGood = failed == 0
            record.fatal = fatal
        }
    }

    private var fatal: FileFault? { plays.fatal ?? rejected.fatal ?? reports.fatal }

    /// A full disk fails every commit for hours: only the first failure and the first success after it are told.
    private func report(_ faults: [FileFault?]) {
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
