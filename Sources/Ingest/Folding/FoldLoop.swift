internal import Archive
internal import PlayFolding
internal import PlayStore
internal import PlaybackEvents

/// Reads the log of reports and archives the plays that close.
final class FoldLoop {
    private let paths: DataPaths
    private let committer: Committer
    private let erased: ErasedPlays
    /// Those by which plays were added that wait.
    private var tombstones: Tombstones
    private let limits: FolderLimits
    private let onNotice: @Sendable (FoldNotice) -> Void
    private let reader: LogReader

    private var start: FoldStart?
    private var folder: PlayFolder
    /// All before it has been taken.
    private var position: LogPosition
    /// Counts the lines that were taken, from 1; a line's place in the order of the log.
    private var lineNumber: Int64 = 0
    /// Where lines of some positions stand, from the oldest that may still be needed.
    private var marks: [(lineNumber: Int64, position: LogPosition)] = []
    private var chunk = LogChunk(start: .beginning)
    /// Lines are read once more of which all plays that closed are archived, for those that were open.
    private var isRepeating = true
    /// Where the next line of the chunk begins.
    private var cursor = 0
    private var lastReceivedAt: Int64 = 0
    /// Closed plays that are not durable yet, commit by commit.
    private var waiting: [LogLines] = []
    private var saved = FoldPositions()
    /// Lines of the log that are none.
    private(set) var unreadable = 0
    /// Plays that closed and were archived, by why.
    private(set) var archived: [ClosedPlay.Cause: Int] = [:]
    /// Gaps between the numbers of their reports.
    private(set) var gaps = 0

    /// Lines of plays that are committed together, in bytes.
    private static let groupBytes = 1 << 20
    /// So many lines lie between two marks at least.
    private static let markLines: Int64 = 512

    init(
        _ paths: DataPaths, committer: Committer, erased: ErasedPlays, limits: FolderLimits,
        onNotice: @escaping @Sendable (FoldNotice) -> Void
    ) {
        self.paths = paths
        self.committer = committer
        self.erased = erased
        tombstones = erased.tombstones
        self.limits = limits
        self.onNotice = onNotice
        reader = LogReader(directory: paths.reports, log: .reports)
        folder = PlayFolder(limits: limits)
        // Before the first look nothing is known to lie behind.
        position = (try? FoldPositions.read(paths))??.written ?? .beginning
    }

    /// All before it has been taken, now or by an earlier process.
    var end: LogPosition { max(position, start?.written ?? .beginning) }
    var counters: FolderCounters { folder.counters }
    /// Whether reports are held of which a play may still come.
    var isHolding: Bool { folder.counters.open > 0 }

    /// Takes what there is, up to a chunk.
    ///
    /// - Returns: false when there was nothing more.
    /// - Throws: ``CommitError`` or ``FileError``; the next call goes on where this one failed.
    func step() throws -> Bool {
        try erased.taking { tombstones in
            go(by: tombstones)
            return try takeStep()
        }
    }

    /// Leaves out what waits of those who were erased since.
    private func go(by tombstones: Tombstones) {
        guard tombstones != self.tombstones else { return }
        self.tombstones = tombstones
        var plays = LoggedPlays()
        for index in waiting.indices {
            var kept: [UInt8] = []
            for line in waiting[index].plays.split(separator: 0x0A) {
                plays.removeAll(keepingCapacity: true)
                _ = try? plays.append(line: line.span.bytes)
                if let entry = plays.entries.first, plays.isErased(entry, tombstones) { continue }
                kept += line + [0x0A]
            }
            waiting[index].plays = kept
        }
    }

    private func takeStep() throws -> Bool {
        let start = try begun()
        try takeChunk()
        try flush()
        if isRepeating {
            if try reader.read(after: position, upTo: start.written, maxBytes: Self.groupBytes, into: &chunk) {
                beginChunk()
                try takeChunk()
                return true
            }
            isRepeating = false
            position = max(position, start.written)
        }
        guard
            try reader.read(
                after: position, upTo: committer.end(of: .reports), maxBytes: Self.groupBytes, into: &chunk)
        else { return false }
        beginChunk()
        try takeChunk()
        try flush()
        return true
    }

    /// Closes all plays, as after silence.
    func closeAll() throws {
        lineNumber += 1
        try erased.taking { tombstones in
            go(by: tombstones)
            for play in folder.closeAll(receivedAt: lastReceivedAt, at: lineNumber) { add(play) }
            try flush()
        }
        // What is held of them is needed no more, and must not close once more when the log goes on.
        folder = PlayFolder(limits: limits)
        marks.removeAll()
    }

    /// Notes durably how far it has come, where that is further than was noted before.
    func save() throws {
        guard start != nil, waiting.isEmpty, cursor >= chunk.lines.count else { return }
        var positions = FoldPositions()
        positions.written = end
        positions.from = oldest() ?? positions.written
        positions.archive = committer.end(of: .plays)
        // What others have archived is no reason to write.
        if positions.from == saved.from, positions.written == saved.written { return }
        try positions.write(paths)
        saved = positions
    }

    private func begun() throws -> FoldStart {
        if let start { return start }
        let start = try FoldStart(
            paths, reportsEnd: committer.end(of: .reports), archiveEnd: committer.end(of: .plays))
        position = start.from
        self.start = start
        return start
    }

    private func beginChunk() {
        for damage in chunk.damage { onNotice(.damaged(damage)) }
        cursor = 0
        if marks.last.map({ lineNumber - $0.lineNumber >= Self.markLines || $0.position.segment != chunk.start.segment }
        )
            ?? true
        {
            marks.append((lineNumber + 1, chunk.start))
        }
    }

    /// Takes the lines of the chunk from the cursor on.
    private func takeChunk() throws {
        while cursor < chunk.lines.count {
            let end = chunk.lines[cursor...].firstIndex(of: 0x0A) ?? chunk.lines.count
            let line = chunk.lines[cursor..<end]
            cursor = end + 1
            lineNumber += 1
            do throws(LineError) {
                let line = try ReportLine.parse(line.span.bytes)
                if lineNumber == 1 { start?.begin(at: line.receivedAt) }
                lastReceivedAt = line.receivedAt
                for play in folder.take(line, at: lineNumber) { add(play) }
            } catch {
                unreadable += 1
                onNotice(.unreadable(position: chunk.start, reason: error.reason))
            }
            if waiting.count > 1 { try flush() }
        }
        if chunk.end > position { position = chunk.end }
    }

    private func add(_ closed: ClosedPlay) {
        guard var start else { return }
        let id = closed.batch.receipt.requestId
        // Those that closed before are archived, whatever they are made of now.
        if isRepeating { return }
        guard start.allows(closed), !tombstones.has(closed.play, id: id, in: closed.batch.text) else { return }
        if start.archived.take(id) {
            self.start = start
            return
        }
        archived[closed.cause, default: 0] += 1
        gaps += closed.gaps
        let batch = closed.batch
        let day = UTCDay(holding: batch.receipt.receivedAt)
        if let last = waiting.last, UTCDay(holding: last.receivedAt) == day, last.plays.count < Self.groupBytes {
            ArchiveLine.append(batch, to: &waiting[waiting.count - 1].plays)
        } else {
            var lines = LogLines(receivedAt: batch.receipt.receivedAt)
            ArchiveLine.append(batch, to: &lines.plays)
            waiting.append(lines)
        }
    }

    private func flush() throws(CommitError) {
        while let first = waiting.first {
            try committer.commit(first)
            waiting.removeFirst()
        }
    }

    /// Where the chunk begins that has the first line which is still needed; nil when none is.
    private func oldest() -> LogPosition? {
        guard let oldest = folder.oldestOpen else {
            marks.removeAll()
            return nil
        }
        let kept = marks.lastIndex { $0.lineNumber <= oldest } ?? 0
        marks.removeFirst(kept)
        return marks.first?.position
    }
}
