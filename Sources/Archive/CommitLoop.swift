internal import Gzip

/// The committer's thread: the only one that writes the logs.
final class CommitLoop: @unchecked Sendable {
    private let configuration: CommitterConfiguration
    private let queue: CommitQueue
    private let record: CommitRecord
    private let compressor: GzipCompressor
    private let plays: LogWriter
    private let rejected: LogWriter
    private var saidQuarantineFull = false

    init(
        _ paths: DataPaths, _ configuration: CommitterConfiguration, queue: CommitQueue, record: CommitRecord
    ) throws(FileFault) {
        self.configuration = configuration
        self.queue = queue
        self.record = record
        compressor = GzipCompressor(level: configuration.compressionLevel)
        plays = try LogRecovery.open(.plays, paths, configuration, record)
        rejected = try LogRecovery.open(.rejected, paths, configuration, record)
    }

    func run() {
        while let group = queue.take(groupBytes: configuration.groupBytes) { commit(group) }
    }

    /// The quarantine comes first: when it fails, nothing of those requests reaches the plays' log, so that a play without
    /// `playId` is not stored once more when its request is sent again.
    private func commit(_ group: [CommitWaiter]) {
        var faults = [CommitFault?](repeating: nil, count: group.count)
        let endBefore = plays.end
        for writer in [rejected, plays] {
            for day in days(group, writer) { append(group, day, writer, &faults) }
        }
        count(group, faults)
        for (waiter, fault) in zip(group, faults) { waiter.finish(fault) }
        if plays.end != endBefore { configuration.onCommit(plays.end) }
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

    private func append(_ group: [CommitWaiter], _ day: UTCDay, _ writer: LogWriter, _ faults: inout [CommitFault?]) {
        let chosen = group.indices.filter {
            group[$0].day == day && faults[$0] == nil && !group[$0].lines[writer.kind].isEmpty
        }
        if chosen.isEmpty { return }
        let bytes = chosen.reduce(0) { $0 + group[$1].lines[writer.kind].count }
        compressor.begin(expecting: bytes)
        for index in chosen {
            group[index].lines[writer.kind].withUnsafeBytes { compressor.append($0) }
        }
        let member = compressor.finish()
        if writer.kind == .rejected {
            let events = chosen.reduce(0) { $0 + lineCount(group[$1].lines.rejected) }
            guard hasRoom(for: member.count) else {
                record.update { $0.quarantineDropped += UInt64(events) }
                return
            }
            record.update { $0.quarantineKept += UInt64(events) }
        }
        do {
            try writer.append(member, day: day)
            let seconds = Double(writer.syncNanoseconds) / 1e9
            record.setEnd(writer.end, of: writer.kind)
            record.update { record in
                record.lineBytes += UInt64(bytes)
                record.archivedBytes += UInt64(member.count)
                record.groupBytes.record(Double(bytes))
                record.syncSeconds.record(seconds)
            }
        } catch {
            for index in chosen { faults[index] = CommitFault(error) }
            report(error, writer)
        }
    }

    private func hasRoom(for bytes: Int) -> Bool {
        let total = record.totalBytes(of: .rejected)
        if total + Int64(bytes) <= configuration.quarantineBytes { return true }
        if !saidQuarantineFull { configuration.onNotice(.quarantineFull(bytes: total)) }
        saidQuarantineFull = true
        return false
    }

    private func report(_ fault: FileFault, _ writer: LogWriter) {
        configuration.onNotice(.commitFailed(fault))
        if let fatal = writer.fatal {
            record.update { $0.fatal = fatal }
            configuration.onNotice(.fatal(fatal))
        }
    }

    private func count(_ group: [CommitWaiter], _ faults: [CommitFault?]) {
        let failed = faults.count { $0 != nil }
        record.update { record in
            record.commits += UInt64(group.count - failed)
            record.failures += UInt64(failed)
            record.groupCommits.record(Double(group.count))
            record.lastCommitGood = failed == 0
        }
    }

    private func lineCount(_ lines: [UInt8]) -> Int {
        lines.count { $0 == 0x0a }
    }
}
