package import Archive
internal import PlayFolding
package import PlaybackEvents

/// Judges the events of the quarantine again, and archives those that today's rules accept, under the request, the time of
/// receipt and the index that they had.
///
/// The quarantine stays as it is. An event that is in the archive already, by an earlier replay, is left out.
package final class QuarantineReplay {
    package struct Counts: Sendable, Equatable {
        /// Lines of the quarantine that were judged.
        package var judged = 0
        /// Events that are plays now, and are durable.
        package var accepted = 0
        /// Events that an earlier replay had archived.
        package var replayedBefore = 0
        /// Events that are rejected today as well, by today's code.
        package var rejected: [Rejection.Code: Int] = [:]
        /// Events whose context was too long to be kept.
        package var incomplete = 0
        /// Events of days of which the archive was pruned: nobody can tell whether they were replayed before.
        package var tooOld = 0
        /// Lines of the archive that the store could not take: no events, and `rebuild` tries them again.
        package var unloadable = 0
        /// Lines of players that are no reports: only their beginning was kept.
        package var badReports = 0
        /// Events of those who were erased.
        package var erased = 0
        /// Lines that are none of a quarantine.
        package var unreadable = 0
    }

    /// Events that are looked up together, and with their lines in memory.
    private static let most = 50_000
    /// Lines of this many bytes are committed together.
    private static let groupBytes = 1 << 20

    private let paths: DataPaths
    private let committer: Committer
    private let tombstones: Tombstones
    private let code: Rejection.Code?
    private let onDamage: (LogDamage) -> Void
    /// The last day of receipt of which the archive may have lost files.
    private var lastPruned: UTCDay?
    private var day = UTCDay(number: 0)
    private var names: Set<EventName> = []
    private var lines: [(name: EventName, line: [UInt8])] = []
    private var counts = Counts()

    /// - Parameters:
    ///   - code: only events that were rejected with it; nil: all.
    ///   - onDamage: gets each stretch of the quarantine that can't be read.
    package init(
        _ keeper: DataKeeper, code: Rejection.Code?, onDamage: @escaping (LogDamage) -> Void = { _ in }
    ) {
        paths = keeper.paths
        committer = keeper.committer
        tombstones = keeper.erased.tombstones
        self.code = code
        self.onDamage = onDamage
    }

    /// Replays all that the quarantine holds now; returns when it is durable.
    ///
    /// - Parameter progress: gets the bytes of the quarantine's files that are done, and all of them.
    /// - Throws: a ``FileError`` or a ``CommitError``; what was archived before stays, and the next replay goes on.
    /// - Complexity: O(bytes of the quarantine and of the archive's files of those days); memory for some megabytes.
    package func run(progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }) throws -> Counts {
        lastPruned = try Inventory(paths).lastGoneDay(of: .plays)
        let reader = LogReader(directory: paths.rejected, log: .rejected)
        let total = try reader.bytes(after: .beginning)
        let end = committer.end(of: .rejected)
        var position = LogPosition.beginning
        while let chunk = try reader.next(after: position, upTo: end, maxBytes: 1 << 20) {
            position = chunk.end
            chunk.damage.forEach(onDamage)
            for line in chunk.lines.split(separator: 0x0A) { try take(line) }
            progress(total - (try reader.bytes(after: position)), total)
        }
        try flush()
        return counts
    }

    private func take(_ line: ArraySlice<UInt8>) throws {
        guard let quarantined = try? QuarantineLine.parse(line.span.bytes) else {
            counts.unreadable += 1
            return
        }
        if quarantined.isErased || quarantined.isErased(tombstones) {
            counts.erased += 1
            return
        }
        if quarantined.code == CMCDError.code {
            counts.badReports += 1
            return
        }
        guard let oldCode = Rejection.Code(rawValue: quarantined.code) else {
            counts.unloadable += 1
            return
        }
        if let code, code != oldCode { return }
        let day = UTCDay(holding: quarantined.receivedAt)
        if let lastPruned, day <= lastPruned {
            counts.tooOld += 1
            return
        }
        counts.judged += 1
        switch ReplayCandidate(quarantined) {
        case .rejected(let code): counts.rejected[code, default: 0] += 1
        case .incomplete: counts.incomplete += 1
        case .accepted(let name, let line):
            if day != self.day || lines.count >= Self.most { try flush() }
            self.day = day
            if names.insert(name).inserted { lines.append((name, line)) } else { counts.replayedBefore += 1 }
        }
    }

    /// Archives the events that wait, all of one day of receipt, except those that are archived already.
    private func flush() throws {
        let present = try ArchivedEvents(paths: paths).present(of: names, receivedOn: day)
        counts.replayedBefore += present.count
        var group = LogLines(receivedAt: day.number * 86_400_000)
        for (name, line) in lines where !present.contains(name) {
            group.plays += line
            counts.accepted += 1
            if group.plays.count >= Self.groupBytes {
                try committer.commit(group)
                group.plays = []
            }
        }
        try committer.commit(group)
        names.removeAll()
        lines.removeAll()
    }
}

/// A line of the quarantine judged again: what today's rules make of its event.
private enum ReplayCandidate {
    /// The event is a play now: its line for the archive, ended by LF, as it would have been then.
    case accepted(EventName, line: [UInt8])
    /// It is rejected today as well.
    case rejected(Rejection.Code)
    /// It can't be judged as it was: it had a context that was too long to be kept.
    case incomplete

    init(_ line: QuarantineLine) {
        let context: [UInt8]
        switch line.context {
        case .absent: context = Array("null".utf8)
        case .kept(let bytes): context = bytes
        case .tooLong:
            self = .incomplete
            return
        }
        let body = Array("{\"context\":".utf8) + context + Array(",\"events\":[".utf8) + line.raw + Array("]}".utf8)
        let receipt = Receipt(
            receivedAt: line.receivedAt, requestId: line.requestId, regionHeader: line.regionHeader)
        // What is no single value any more was changed by somebody, and is no event.
        guard let index = Int32(exactly: line.index), index >= 0,
            var batch = try? RequestDecoder.decode(body, receipt: receipt),
            batch.plays.count + batch.rejections.count == 1
        else {
            self = .rejected(.wrongType)
            return
        }
        if let rejection = batch.rejections.first {
            self = .rejected(rejection.code)
            return
        }
        batch.account = nil
        batch.indices = [index]
        var archived: [UInt8] = []
        ArchiveLine.append(batch, to: &archived, everyIndex: true)
        self = .accepted(EventName(requestId: line.requestId, index: index), line: archived)
    }
}
