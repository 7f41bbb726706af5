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
    /// - Returns: the plays, and from which place on it is open whether the reports begin a play after the last one's end;
    ///   the last segment does not hold those.
    func segments(day: Int64) -> (segments: [PlaySegment], open: Int) {
        var segments: [PlaySegment] = []
        var current = PlaySegment(from: 0)
        var open = entries.count
        for index in entries.indices {
            let entry = entries[index]
            if index > current.range.lowerBound {
                switch boundary(at: index, in: current, day: day) {
                case .none: break
                case .newPlay, .day:
                    segments.append(current)
                    let isContinued = boundary(at: index, in: current, day: day) == .day
                    current = PlaySegment(from: index)
                    current.isContinued = isContinued
                case .open: open = min(open, index)
                }
            }
            current.range = current.range.lowerBound..<index + 1
            if current.begin == nil, current.end == nil, entry.state.begins { current.begin = index }
            if current.end == nil, entry.isEnd { current.end = index }
        }
        if open < entries.count { current.range = current.range.lowerBound..<open }
        if !entries.isEmpty { segments.append(current) }
        return (joined(segments), open)
    }

    private enum Boundary {
        case none, newPlay, day, open
    }

    private func boundary(at index: Int, in current: PlaySegment, day: Int64) -> Boundary {
        let entry = entries[index]
        if run[index] != run[index - 1] { return .newPlay }
        if current.end != nil {
            switch entry.state {
            case .starting, .preloading, .playing: return .newPlay
            case .seeking, .rebuffering, .waiting: return reachesPlaying(from: index)
            default: return .none
            }
        }
        if let begin = current.begin, entry.ts - entries[begin].ts >= day { return .day }
        return .none
    }

    /// Whether a seek after the end leads to a play, as in a replay, or to rest, as players do at an end.
    private func reachesPlaying(from index: Int) -> Boundary {
        for later in index..<entries.count where run[later] == run[index] {
            switch entries[later].state {
            case .playing: return .newPlay
            case .paused, .ended, .quit, .failed, .preloading, .starting: return .none
            default: continue
            }
        }
        return index == entries.count || run[entries.count - 1] == run[index] ? .open : .none
    }

    /// Gives fragments to the plays that they belong to: those that never played nor failed and are followed at once.
    private func joined(_ segments: [PlaySegment]) -> [PlaySegment] {
        var joined: [PlaySegment] = []
        for segment in segments {
            var segment = segment
            if let last = joined.last, !segment.isContinued, isFragment(last),
                entries[segment.range.lowerBound].ts - entries[last.range.upperBound - 1].lastTs <= 1_000
            {
                segment.range = last.range.lowerBound..<segment.range.upperBound
                segment.begin = last.begin ?? segment.begin
                segment.hasBrokenFragment = last.hasBrokenFragment || hasGap(in: last.range)
                joined.removeLast()
            }
            joined.append(segment)
        }
        return joined
    }

    private func isFragment(_ segment: PlaySegment) -> Bool {
        entries[segment.range].allSatisfy { $0.state != .playing && $0.state != .failed && $0.event != .error }
    }
}
