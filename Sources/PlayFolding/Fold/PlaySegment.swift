/// Where one play stands among the ordered reports.
struct PlaySegment {
    /// Its reports, those after its end included.
    var range: Range<Int>
    /// The place of the first report that says it ended or was left.
    var end: Int?
    /// The first report with which a play begins; nil where none does.
    var begin: Int?
    /// It goes on from a play that had lasted for a day.
    var isContinued = false
    /// A fragment before it, which belongs to it, lacks a number.
    var hasBrokenFragment = false

    init(from start: Int) {
        range = start..<start
    }
}

extension OrderedEntries {
    /// Cuts the reports into plays.
    ///
    /// - Returns: the plays. Where it is open whether the last reports begin a play after the last one's end, no segment holds
    ///   them.
    func segments(day: Int64) -> [PlaySegment] {
        var segments: [PlaySegment] = []
        var current = PlaySegment(from: 0)
        var open = entries.count
        var ahead = Ahead()
        for index in entries.indices {
            let entry = entries[index]
            if index > current.range.lowerBound {
                let boundary = boundary(at: index, in: current, day: day, &ahead)
                switch boundary {
                case .none: break
                case .newPlay, .day:
                    segments.append(current)
                    current = PlaySegment(from: index)
                    current.isContinued = boundary == .day
                case .open: open = min(open, index)
                }
            }
            current.range = current.range.lowerBound..<index + 1
            if current.begin == nil, current.end == nil, entry.state.begins { current.begin = index }
            if current.end == nil, entry.isEnd { current.end = index }
        }
        if open < entries.count { current.range = current.range.lowerBound..<open }
        if !entries.isEmpty { segments.append(current) }
        return joined(segments)
    }

    private enum Boundary {
        case none, newPlay, day, open
    }

    /// What was found by looking ahead: up to a place the answer is the same, so each report is looked at once.
    private struct Ahead {
        var last = -1
        var boundary = Boundary.none
    }

    private func boundary(at index: Int, in current: PlaySegment, day: Int64, _ ahead: inout Ahead) -> Boundary {
        let entry = entries[index]
        if run[index] != run[index - 1] { return .newPlay }
        if current.end != nil {
            switch entry.state {
            case .starting, .preloading, .playing: return .newPlay
            case .seeking, .rebuffering, .waiting:
                if index > ahead.last { ahead = reachesPlaying(from: index) }
                return ahead.boundary
            default: return .none
            }
        }
        if let begin = current.begin, entry.ts - entries[begin].ts >= day { return .day }
        return .none
    }

    /// Whether a seek after the end leads to a play, as in a replay, or to rest, as players do at an end.
    private func reachesPlaying(from index: Int) -> Ahead {
        var last = index
        while last < entries.count, run[last] == run[index] {
            switch entries[last].state {
            case .playing: return Ahead(last: last, boundary: .newPlay)
            case .paused, .ended, .quit, .failed, .preloading, .starting: return Ahead(last: last, boundary: .none)
            default: last += 1
            }
        }
        return Ahead(last: last - 1, boundary: last == entries.count ? .open : .none)
    }

    /// Gives fragments to the plays that they belong to: those that never played nor failed and are followed at once.
    private func joined(_ segments: [PlaySegment]) -> [PlaySegment] {
        var joined: [PlaySegment] = []
        var (lastIsFragment, lastOwn) = (false, 0..<0)
        for segment in segments {
            var segment = segment
            // Of what is joined to a fragment only the rest has not been looked at.
            let (isFragment, own) = (isFragment(segment), segment.range)
            if let last = joined.last, !segment.isContinued, lastIsFragment,
                entries[segment.range.lowerBound].ts - entries[last.range.upperBound - 1].lastTs <= 1_000
            {
                segment.range = last.range.lowerBound..<segment.range.upperBound
                segment.begin = last.begin ?? segment.begin
                segment.hasBrokenFragment = last.hasBrokenFragment || hasGap(in: lastOwn)
                joined.removeLast()
            }
            (lastIsFragment, lastOwn) = (isFragment, own)
            joined.append(segment)
        }
        return joined
    }

    private func isFragment(_ segment: PlaySegment) -> Bool {
        entries[segment.range].allSatisfy { $0.state != .playing && $0.state != .failed && $0.event != .error }
    }
}
