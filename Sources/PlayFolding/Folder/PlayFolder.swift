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
