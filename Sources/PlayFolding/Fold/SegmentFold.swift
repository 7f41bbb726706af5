/// Folds one segment of the ordered reports.
struct SegmentFold {
    let ordered: OrderedEntries
    let segment: PlaySegment
    /// In ms, 0 for none.
    let heartbeat: Int64

    private var entries: [FoldEntry] { ordered.entries }
    /// The last report that counts: that of the end, else the last one.
    private let last: Int
    /// The place of the run's beginning, when it lies in the segment.
    private let runStart: Int?
    /// The player is one that plays when it says `p` only from a startup of its own on, and says that later (Shaka).
    private let saysStartupLater: Bool
    private let startsStale: Bool
    /// The first report that says `p`.
    private let firstPlaying: Int?
    /// When the first picture was there by the player's own account of its startup.
    private let knownStart: Int64?
    /// It says `p` and never played.
    private let neverPlayed: Bool
    /// It failed with this report.
    private let failure: Int?

    init(ordered: OrderedEntries, segment: PlaySegment, heartbeat: Int64) {
        self.ordered = ordered
        self.segment = segment
        self.heartbeat = heartbeat
        let entries = ordered.entries
        let range = segment.range
        last = segment.end ?? range.upperBound - 1
        // A fragment's run is not the play's: what counts is the run of the play's own beginning.
        let firstPlaying = range.prefix(through: last).first { entries[$0].state == .playing }
        let run = ordered.run[firstPlaying ?? last]
        let start = ordered.runStart[run]
        runStart = range.contains(start) ? start : nil
        startsStale = runStart.map { entries[$0].state == .failed } ?? false
        let saysStartupLater = runStart.map { Self.saysStartupLater(ordered, from: $0) } ?? false
        self.saysStartupLater = saysStartupLater
        self.firstPlaying = firstPlaying
        let msd = saysStartupLater ? range.first { entries[$0].msd >= 0 } : nil
        knownStart = msd.map { entries[start].ts + entries[$0].msd }
        neverPlayed =
            saysStartupLater && msd == nil
            && firstPlaying.map { playing in
                (playing + 1 < range.upperBound || entries[playing].isSeveral)
                    && !ordered.hasGap(in: playing + 1..<range.upperBound)
            } ?? false
        failure = Self.failure(
            in: range.lowerBound..<last + 1, of: entries,
            started: (firstPlaying != nil && !neverPlayed) || knownStart != nil, neverPlayed: neverPlayed)
    }

    /// A run whose number 0 is a heartbeat without a state, then `r`.
    private static func saysStartupLater(_ ordered: OrderedEntries, from start: Int) -> Bool {
        let entry = ordered.entries[start]
        guard entry.sn == 0, entry.event == .heartbeat, entry.state == .unsaid else { return false }
        let next = ordered.entries[(start + 1)...].first { $0.state != .unsaid }
        return next?.state == .rebuffering
    }

    /// The first `f` or fatal error after the last `p`, when the play failed.
    private static func failure(
        in range: Range<Int>, of entries: [FoldEntry], started: Bool, neverPlayed: Bool
    ) -> Int? {
        var state = PlayerState.unsaid
        var found: Int?
        var hasError = false
        for index in range {
            let entry = entries[index]
            let becomesPlaying = entry.state == .playing && state != .playing && !neverPlayed
            if entry.state != .unsaid { state = entry.state }
            if becomesPlaying { found = nil }
            hasError = hasError || entry.event == .error
            if entry.state == .failed || entry.event == .error, found == nil { found = index }
        }
        let failed = state == .failed || (hasError && (!started || state.isStarved))
        return failed ? found : nil
    }

    /// Whether the segment is a play at all: one that began, or one that its player calls failed from the outset.
    var isPlay: Bool { segment.begin != nil || (startsStale && failure != nil && hasError) }

    private var hasError: Bool { segment.range.contains { entries[$0].event == .error } }

    private var started: Bool { knownStart != nil || (firstPlaying != nil && !neverPlayed) }

    func play(followedBy next: OtherPlay?, others: [OtherPlay], isCut: Bool) -> FoldedPlay {
        var summary = PlaySummary()
        var walk = StateWalk(
            heartbeat: heartbeat, knownStart: knownStart,
            firstPlaying: neverPlayed ? nil : firstPlaying.map { entries[$0].ts }, countsPlayingAsWait: neverPlayed)
        var arrival: Int64?
        let stop = failure ?? last
        let begin = segment.begin ?? runStart ?? segment.range.lowerBound
        let first = knownStart != nil ? min(begin, runStart ?? begin) : begin
        for index in min(first, stop)...stop {
            walk.take(entries[index], hasGap: index > segment.range.lowerBound && ordered.hasGap(before: index))
        }
        summary.beganAt = entries[begin].ts
        summary.endedAt = entries[stop].ts
        if failure != nil {
            summary.end = .failed
            arrival = Self.nextPlay(after: entries[last].lastTs, next, others)?.arrival
        } else if segment.end != nil {
            summary.end = .ended
            arrival = entries[last].arrival
        } else {
            summary.endedAt = entries[last].lastTs
            if isCut {
                summary.end = .day
            } else if let until = Self.nextPlay(after: entries[last].lastTs, next, others) {
                summary.end = .next
                arrival = until.arrival
                let reach = heartbeat > 0 ? heartbeat : ReportLimits.stateWithoutHeartbeat
                if until.ts - summary.endedAt <= reach {
                    walk.end(at: until.ts)
                    summary.endedAt = until.ts
                }
            }
        }
        summary.lag = entries[segment.range].map(\.lag).min() ?? 0
        fill(&summary, from: walk, begin: begin)
        return FoldedPlay(summary: summary, endArrival: arrival)
    }

    /// The next play of the session after the last report of this one: the earliest.
    private static func nextPlay(
        after ts: Int64, _ next: OtherPlay?, _ others: [OtherPlay]
    ) -> (ts: Int64, arrival: Int64)? {
        var found: (ts: Int64, arrival: Int64)?
        for other in others + (next.map { [$0] } ?? []) {
            let began = other.firstTs >= ts ? other.firstTs : other.beganAt
            if began >= ts, began < found?.ts ?? .max { found = (began, other.arrival) }
        }
        return found
    }

    private func fill(_ summary: inout PlaySummary, from walk: StateWalk, begin: Int) {
        if failure != nil {
            let codes = segment.range.filter { !entries[$0].code.isEmpty }
            let code = codes.first { $0 >= failure ?? 0 } ?? codes.first
            summary.errorCode = code.map { entries[$0].code } ?? Array("fatal".utf8)
        }
        let isFailedFromOutset = segment.begin == nil
        if started {
            if isStartupMeasured { summary.startupMs = walk.waited.within(ReportLimits.startup) }
            summary.watchedMs = min(walk.playing + walk.stalled, ReportLimits.watched)
            summary.stalls = min(walk.stalls, ReportLimits.stalls)
            summary.stalledMs = min(walk.stalled, summary.watchedMs)
            summary.avgBitrate = walk.averageBitrate
            // It played, for how long nobody knows.
            if summary.startupMs == nil, summary.watchedMs == 0 { summary.watchedMs = 1 }
        } else if !isFailedFromOutset, !ordered.hasGap(in: range(from: begin)), !segment.hasBrokenFragment {
            if summary.isReported || walk.waited >= 1_000 {
                summary.waitedMs = walk.waited.within(ReportLimits.startup)
            }
        }
        let own = segment.range.first { entries[$0].msd >= 0 }
        if let own, saysStartupLater || own < firstPlaying ?? .max {
            summary.accessLogStartupMs = entries[own].msd.within(ReportLimits.startup)
        }
    }

    private func range(from begin: Int) -> Range<Int> { min(begin, last)..<last + 1 }

    private var isStartupMeasured: Bool {
        guard let begin = segment.begin, entries[begin].state != .playing, !startsStale, !segment.isContinued,
            !segment.hasBrokenFragment
        else { return false }
        // The player's own account proves a start whose `p` was lost.
        guard let firstPlaying else { return true }
        if saysStartupLater, knownStart == nil, ordered.hasGap(in: firstPlaying + 1..<segment.range.upperBound) {
            return false
        }
        return ordered.isComplete(to: firstPlaying)
    }
}

/// The contract's ranges, and how long a last state is believed.
enum ReportLimits {
    static let startup: ClosedRange<Int64> = 0...3_600_000
    static let watched: Int64 = 86_400_000
    static let stalls: Int64 = 100_000
    /// In ms.
    static let stateWithoutHeartbeat: Int64 = 30_000
}

extension Int64 {
    fileprivate func within(_ range: ClosedRange<Int64>) -> Int64? { range.contains(self) ? self : nil }
}
