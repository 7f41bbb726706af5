package import PlaybackEvents

/// Folds the reports of one session and content into plays: a pure function of the reports, whatever their order.
package enum PlayFold {
    /// - Parameters:
    ///   - reports: all of one `sid` and `cid`, in any order, repeats included.
    ///   - heartbeatMs: the interval of the player's regular reports, 0 for none.
    ///   - others: when plays of the same session with other content began, by the player's clock.
    /// - Complexity: O(n log n).
    package static func plays(
        of reports: [CMCDReport], heartbeatMs: Int64 = ReportContext.usualHeartbeatMs, others: [Int64] = []
    ) -> [PlaySummary] {
        let ordered = OrderedEntries(reports.map { FoldEntry($0, lag: 0, arrival: 0, line: 0, context: 0) })
        let others = others.map { OtherPlay(firstTs: $0, beganAt: $0, arrival: 0) }
        return folded(ordered, others: others, day: FolderLimits().day) { _ in heartbeatMs }
            .compactMap(\.play?.summary)
    }

    /// - Returns: the segments in order, with the play of each that is one. Reports of which it is open what they belong to are
    ///   in none of them.
    static func folded(
        _ ordered: OrderedEntries, others: [OtherPlay], day: Int64, heartbeat: (Int32) -> Int64
    ) -> [FoldedSegment] {
        let segments = ordered.segments(day: day)
        var folded: [FoldedSegment] = []
        for (number, segment) in segments.enumerated() {
            let next = number + 1 < segments.count ? segments[number + 1] : nil
            let isCut = next?.isContinued ?? false
            let folding = SegmentFold(
                ordered: ordered, segment: segment,
                heartbeat: heartbeat(ordered.entries[segment.range.lowerBound].context))
            let follower = isCut ? nil : next.map { OtherPlay(ordered.entries[$0.range.lowerBound]) }
            let play = folding.isPlay ? folding.play(followedBy: follower, others: others, isCut: isCut) : nil
            folded.append(FoldedSegment(range: segment.range, begin: segment.begin, play: play))
        }
        return folded
    }
}

/// When another play of the same session began.
struct OtherPlay {
    /// Its first report, and the first with which a play begins, by the player's clock.
    var firstTs: Int64
    var beganAt: Int64
    /// The log's clock when that came.
    var arrival: Int64

    init(firstTs: Int64, beganAt: Int64, arrival: Int64) {
        self.firstTs = firstTs
        self.beganAt = beganAt
        self.arrival = arrival
    }

    init(_ entry: FoldEntry) {
        self.init(firstTs: entry.ts, beganAt: entry.ts, arrival: entry.arrival)
    }
}

/// A stretch of reports that belong together.
struct FoldedSegment {
    var range: Range<Int>
    /// The place of the first report with which a play begins.
    var begin: Int?
    /// nil where the reports make none.
    var play: FoldedPlay?
}

struct FoldedPlay {
    var summary: PlaySummary
    /// The log's clock when its end, or what ended it, was reported; nil for silence.
    var endArrival: Int64?
}

/// One play as its reports tell it; the contract's fields have the contract's units, and are within its ranges.
package struct PlaySummary: Sendable, Equatable {
    /// How a play ended.
    package enum End: Sendable, Equatable {
        /// The player said so, or that the viewer left.
        case ended
        case failed
        /// The same session went on to another play.
        case next
        /// It had lasted for a day.
        case day
        /// Reports stopped coming, or have not stopped yet.
        case silence
    }

    /// The first report with which it begins, by the player's clock, ms since 1970.
    package var beganAt: Int64 = 0
    /// Its end, by the player's clock.
    package var endedAt: Int64 = 0
    /// The smallest difference between our clock and the player's, in ms.
    package var lag: Int64 = 0
    package var end = End.silence
    package var startupMs: Int64?
    package var accessLogStartupMs: Int64?
    package var stalls: Int64 = 0
    package var stalledMs: Int64 = 0
    package var watchedMs: Int64 = 0
    /// Whole bit/s.
    package var avgBitrate: Int64?
    /// The player's own code of a fatal error, `fatal` where it gives none; nil without an error.
    package var errorCode: [UInt8]?
    package var waitedMs: Int64?

    package init() {}

    /// Whether the player or the session said that the play was over.
    package var isReported: Bool { end != .silence && end != .day }
}
