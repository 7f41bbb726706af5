package import PlaybackEvents

/// Folds the log of reports into plays, line by line.
///
/// A plain value: the same lines give the same plays, closed at the same lines. It knows no clock but the log's, which moves
/// from line to line by the difference of their times of receipt.
package struct PlayFolder: Sendable {
    package let limits: FolderLimits
    package private(set) var counters = FolderCounters()

    /// The log's clock, in ms from the first line.
    var clock: Int64 = 0
    private var lastReceivedAt: Int64?
    var tracks = TrackTable()
    var contexts = ContextTable()
    var closed = ClosedTracks()
    private var keyNumbers: [[UInt8]: Int32] = [:]
    var keyNames: [[UInt8]] = []

    package init(limits: FolderLimits = FolderLimits()) {
        self.limits = limits
    }

    /// Takes the next line of the log; one without reports moves the clock alone.
    ///
    /// - Parameter position: where the line stands in the log, by any numbers that rise.
    /// - Returns: the plays that closed at this line, in an order that is the same every time.
    /// - Complexity: O(reports of the line), and O(n log n) for n reports of each play that is looked at.
    package mutating func take(_ line: ReportLine, at position: Int64) -> [ClosedPlay] {
        move(to: line.receivedAt)
        closed.forget(before: clock, keeping: limits.remembered)
        var plays: [ClosedPlay] = []
        while let due = tracks.due(at: clock) {
            look(at: due, receivedAt: line.receivedAt, position: position, forcing: nil, into: &plays)
        }
        if !line.reports.isEmpty {
            let key = keyNumber(line.keyName)
            let context = contexts.use(line.context)
            for report in line.reports {
                take(report, key: key, context: context, receivedAt: line.receivedAt, at: position)
            }
            contexts.release(context)
            while heldBytes > limits.bytes, let slot = tracks.leastOfLargestKey() {
                look(at: slot, receivedAt: line.receivedAt, position: position, forcing: .limit, into: &plays)
            }
            while let slot = tracks.overfull.popLast() {
                guard tracks.isOpen(slot), tracks[slot].count > limits.changes else { continue }
                look(at: slot, receivedAt: line.receivedAt, position: position, forcing: .limit, into: &plays)
            }
        }
        return finish(plays)
    }

    /// Closes all plays, as after silence: the log has ended.
    ///
    /// - Parameter receivedAt: when the last line was received, ms since 1970.
    package mutating func closeAll(receivedAt: Int64, at position: Int64) -> [ClosedPlay] {
        var plays: [ClosedPlay] = []
        for slot in tracks.slots {
            look(at: slot, receivedAt: receivedAt, position: position, forcing: .close, into: &plays)
        }
        return finish(plays)
    }

    /// The position of the first line that is needed to come to the same state again; nil when nothing is held.
    ///
    /// Plays that were closed a while ago count too: their late reports are still to be known as such, an hour long, and as
    /// long again as a play would be held that were made of the last of those.
    ///
    /// - Complexity: O(plays that are held).
    package var oldestOpen: Int64? {
        let (open, closed) = (tracks.oldestLine, closed.oldestLine)
        return open.map { min($0, closed ?? $0) } ?? closed
    }

    /// How long a play is held after its last report, in ms.
    func silence(_ heartbeat: Int64) -> Int64 {
        heartbeat == 0
            ? limits.silenceWithoutHeartbeat : min(max(limits.silence, 3 * heartbeat), max(limits.day, limits.silence))
    }

    private var heldBytes: Int { tracks.bytes + contexts.bytes }

    private mutating func finish(_ plays: [ClosedPlay]) -> [ClosedPlay] {
        counters.open = tracks.begun
        counters.bytes = heldBytes
        return plays.sorted { one, other in
            (one.batch.receipt.requestId, one.play.endedAt) < (other.batch.receipt.requestId, other.play.endedAt)
        }
    }

    private mutating func move(to receivedAt: Int64) {
        if let lastReceivedAt {
            clock += min(max(0, receivedAt - lastReceivedAt), limits.step)
        }
        lastReceivedAt = receivedAt
    }

    private mutating func keyNumber(_ name: [UInt8]) -> Int32 {
        if let number = keyNumbers[name] { return number }
        keyNames.append(name)
        keyNumbers[name] = Int32(keyNames.count - 1)
        return Int32(keyNames.count - 1)
    }

    private mutating func take(
        _ report: CMCDReport, key: Int32, context: Int32, receivedAt: Int64, at position: Int64
    ) {
        let id = TrackID(key: key, sid: report.sid, cid: report.cid)
        if let memory = closed[id], report.ts <= memory.lastTs {
            counters.droppedLate += 1
            // Who begins to read behind the play would take it for a report of another, which is held for so long.
            let held = tracks.slot(id) == nil ? silence(contexts.heartbeat(context)) : limits.day
            closed.hold(memory.firstLine, until: clock + held)
            return
        }
        let entry = FoldEntry(
            report, lag: receivedAt - report.ts, arrival: clock, line: position, context: context)
        contexts.use(context)
        let slot =
            tracks.slot(id)
            ?? tracks.insert(OpenTrack(id: id, key: key, sid: report.sid, cid: report.cid, first: entry))
        let isNews =
            entry.event != .heartbeat || entry.state != tracks[slot].lastState || entry.msd >= 0 || !entry.code.isEmpty
            || tracks[slot].count == 0
        tracks.append(entry, to: slot, isNews: isNews)
        if tracks[slot].count >= tracks[slot].compactAt { compact(slot) }
        if isNews {
            tracks.look(at: slot, notAfter: clock + limits.afterEnd)
            if entry.state.begins {
                for other in tracks.siblings(of: slot) { tracks.look(at: other, notAfter: clock + limits.afterEnd) }
            }
        }
    }

    private mutating func compact(_ slot: Int32) {
        let entries = tracks[slot].entries
        let collapsed = EntryCollapse.collapsed(entries, settled: clock - limits.reordered)
        replace(entries, of: slot, with: collapsed)
        if collapsed.count > limits.changes { tracks.overfull.append(slot) }
    }

    /// Replaces a track's reports and gives back what their contexts no longer need.
    mutating func replace(_ entries: [FoldEntry], of slot: Int32, with others: [FoldEntry]) {
        var others = others
        // What precedes a response may still come, and would date it anew.
        for index in others.indices where others[index].event == .response {
            others[index].ts = others[index].madeAt
            others[index].lastTs = others[index].madeAt
        }
        for entry in others { contexts.use(entry.context) }
        for entry in entries { contexts.release(entry.context) }
        if others.isEmpty {
            tracks.remove(slot)
        } else {
            tracks.replace(slot, with: others)
        }
    }
}

/// What a folder has done since it began, and what it holds.
package struct FolderCounters: Sendable, Equatable {
    /// Reports that came when their play had been closed.
    package var droppedLate = 0
    /// Plays that have begun and are not closed.
    package var open = 0
    /// What is held for open plays, in bytes.
    package var bytes = 0

    package init() {}
}

/// Takes reports without news together, so that a play costs what happens in it and not how long it lasts.
private enum EntryCollapse {
    /// Reports further apart are not taken together, in ms: the fold may have to know that nothing came.
    private static let longestStretch: Int64 = 90_000
    /// The longest stretch that is one entry, in ms.
    private static let longest: Int64 = 3_600_000

    /// - Parameter settled: what came later by the log's clock is left as it is, since what it follows may still come.
    /// - Complexity: O(n log n).
    static func collapsed(_ entries: [FoldEntry], settled: Int64) -> [FoldEntry] {
        // A response says by its number alone where it belongs, which may still have to begin.
        func isYoungResponse(_ entry: FoldEntry) -> Bool { entry.event == .response && entry.arrival > settled }
        let ordered = OrderedEntries(entries.filter { !isYoungResponse($0) })
        var collapsed: [FoldEntry] = []
        var bitrate: Int64 = 0
        for (index, entry) in ordered.entries.enumerated() {
            let isNew = entry.bitrate > 0 && entry.bitrate != bitrate
            if entry.bitrate > 0 { bitrate = entry.bitrate }
            if let last = collapsed.last, !isNew, max(last.arrival, entry.arrival) <= settled,
                ordered.run[index] == ordered.run[index - 1],
                goesOn(entry, from: last)
            {
                collapsed[collapsed.count - 1].lastTs = max(last.lastTs, entry.lastTs)
                collapsed[collapsed.count - 1].lastSn = entry.lastSn
                collapsed[collapsed.count - 1].lag = min(last.lag, entry.lag)
                collapsed[collapsed.count - 1].line = min(last.line, entry.line)
            } else {
                collapsed.append(entry)
            }
        }
        return collapsed + entries.filter(isYoungResponse)
    }

    private static func goesOn(_ entry: FoldEntry, from last: FoldEntry) -> Bool {
        guard entry.state == last.state || entry.state == .unsaid, entry.msd < 0, entry.code.isEmpty else {
            return false
        }
        guard entry.event != .error, entry.event != .leave, last.event != .leave else { return false }
        guard last.event != .response || entry.event == .response else { return false }
        guard entry.sn >= 0 ? last.sn >= 0 && entry.sn == last.lastSn + 1 : last.sn < 0 else { return false }
        return entry.ts - last.lastTs <= longestStretch && entry.lastTs - last.ts <= longest
    }
}

/// The contexts of open plays, each held once however many plays have it.
struct ContextTable {
    private var numbers: [ReportContext: Int32] = [:]
    private var contexts: [(context: ReportContext, uses: Int32)] = []
    private var free: [Int32] = []
    /// What they take, in bytes, roughly.
    private(set) var bytes = 0

    subscript(number: Int32) -> ReportContext { contexts[Int(number)].context }

    /// The interval of regular reports in ms, 0 for none.
    func heartbeat(_ number: Int32) -> Int64 {
        contexts[Int(number)].context.heartbeatMs ?? ReportContext.usualHeartbeatMs
    }

    /// The number of a context, which counts as used once more.
    mutating func use(_ context: ReportContext) -> Int32 {
        if let number = numbers[context] {
            contexts[Int(number)].uses += 1
            return number
        }
        bytes += Self.size(context)
        if let number = free.popLast() {
            contexts[Int(number)] = (context, 1)
            numbers[context] = number
            return number
        }
        contexts.append((context, 1))
        numbers[context] = Int32(contexts.count - 1)
        return Int32(contexts.count - 1)
    }

    mutating func use(_ number: Int32) { contexts[Int(number)].uses += 1 }

    /// Gives a use back; a context without uses is forgotten.
    mutating func release(_ number: Int32) {
        contexts[Int(number)].uses -= 1
        guard contexts[Int(number)].uses == 0 else { return }
        let context = contexts[Int(number)].context
        bytes -= Self.size(context)
        numbers[context] = nil
        contexts[Int(number)].context = ReportContext()
        free.append(number)
    }

    private static func size(_ context: ReportContext) -> Int {
        let texts =
            context.cdn.count + context.cdnRegion.count + context.network.count + context.source.count
            + context.appVersion.count + context.player.count + context.tags.count
        // Both copies share their texts; each text has a head of 32 bytes.
        return 400 + texts
    }
}
