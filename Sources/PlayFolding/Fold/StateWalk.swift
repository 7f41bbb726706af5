/// Adds up how long a player was in which state, report by report.
struct StateWalk {
    /// What a wait for data is.
    private enum Wait {
        case startup, stall, seek, unknown
    }

    private let heartbeat: Int64
    /// The start by the player's own account, by its clock; before it `p` is part of the startup.
    private let knownStart: Int64?
    /// When `p` was said first.
    private let firstPlaying: Int64?
    private let countsPlayingAsWait: Bool

    private(set) var waited: Int64 = 0
    private(set) var playing: Int64 = 0
    private(set) var stalled: Int64 = 0
    private(set) var stalls: Int64 = 0
    private var bitrates = BitrateSum()

    private var state = PlayerState.unsaid
    private var wait = Wait.startup
    private var isInSeek = false
    private var hasPlayed = false
    /// Up to when everything is counted; nil before the first report.
    private var at: Int64?

    init(heartbeat: Int64, knownStart: Int64?, firstPlaying: Int64?, countsPlayingAsWait: Bool) {
        self.heartbeat = heartbeat
        self.knownStart = knownStart
        self.firstPlaying = firstPlaying
        self.countsPlayingAsWait = countsPlayingAsWait
    }

    var averageBitrate: Int64? { bitrates.average }

    mutating func take(_ entry: FoldEntry, hasGap: Bool) {
        count(to: entry.ts, isWhole: false, endsInGap: hasGap)
        change(to: entry, hasGap: hasGap)
        count(to: entry.lastTs, isWhole: true, endsInGap: false)
    }

    /// Counts the last state up to the beginning of the next play.
    mutating func end(at ts: Int64) { count(to: ts, isWhole: false, endsInGap: false) }

    private mutating func change(to entry: FoldEntry, hasGap: Bool) {
        if entry.bitrate > 0 {
            bitrates.take(entry.bitrate, buffer: max(entry.buffer, 0), hasStarted: hasStarted(at: entry.ts))
        }
        let wasStarved = state.isStarved
        switch entry.state {
        case .unsaid: return
        case .playing:
            isInSeek = false
            if !countsPlayingAsWait { hasPlayed = true }
        case .seeking: isInSeek = true
        case .rebuffering, .waiting:
            if !wasStarved {
                beginWait(at: entry.ts, hasGap: hasGap)
            } else if hasGap, wait == .stall {
                wait = .unknown
            }
        default: break
        }
        state = entry.state
    }

    private mutating func beginWait(at ts: Int64, hasGap: Bool) {
        if !hasPlayed || ts < knownStart ?? .min {
            wait = .startup
        } else if isInSeek {
            wait = .seek
        } else if hasGap {
            wait = .unknown
        } else {
            wait = .stall
            stalls += 1
        }
    }

    private func hasStarted(at ts: Int64) -> Bool {
        if let knownStart { return ts >= knownStart }
        return firstPlaying.map { ts >= $0 } ?? false
    }

    /// Counts the time from the last report to another.
    ///
    /// - Parameter isWhole: reports without news were there all the time.
    private mutating func count(to ts: Int64, isWhole: Bool, endsInGap: Bool) {
        guard let from = at else {
            at = ts
            return
        }
        at = max(from, ts)
        var length = ts - from
        guard length > 0 else { return }
        if !isWhole, heartbeat > 0, length > HeartbeatRule.longestStretch(heartbeat) { length = heartbeat }
        let start = knownStart ?? firstPlaying ?? .max
        let before = min(max(start - from, 0), length)
        let after = length - before
        if countsInStartup { waited += before }
        switch state {
        case .playing where !countsPlayingAsWait:
            playing += after
            bitrates.play(for: after)
        case .rebuffering, .waiting:
            if wait == .stall, !endsInGap { stalled += after }
        default: break
        }
    }

    private var countsInStartup: Bool {
        switch state {
        case .playing: countsPlayingAsWait || knownStart != nil
        // Before the first state of a player that gives its own account from the beginning on.
        case .unsaid: knownStart != nil
        default: state.isWait
        }
    }
}

/// How long a state is believed without a report (rule 5).
enum HeartbeatRule {
    /// The longest stretch between two reports that counts in full, in ms.
    static func longestStretch(_ heartbeat: Int64) -> Int64 { max(3 * heartbeat, 90_000) }
}

/// The bitrate by playing time. What is chosen now is played when the buffer has been.
private struct BitrateSum {
    private var current: Int64 = 0
    /// The last that was said.
    private var said: Int64 = 0
    /// Changes that are still in the buffer, by playing time.
    private var coming: [(at: Int64, bitrate: Int64)] = []
    private var played: Int64 = 0
    /// In kbit/s · ms; with a cap far above what a day at the highest bitrate makes.
    private var sum: Int64 = 0
    private var known: Int64 = 0

    /// In bit/s, half up; nil where none is known.
    var average: Int64? {
        guard known > 0 else { return nil }
        let average = (Int128(sum) * 2_000 + Int128(known)) / (2 * Int128(known))
        return average > 0 ? Int64(average) : nil
    }

    mutating func take(_ bitrate: Int64, buffer: Int64, hasStarted: Bool) {
        if !hasStarted {
            current = bitrate
        } else if current == 0 {
            current = bitrate
        } else if bitrate != said {
            let at = played + buffer
            coming.removeAll { $0.at >= at }
            coming.append((at, bitrate))
        }
        said = bitrate
    }

    mutating func play(for length: Int64) {
        var left = length
        while left > 0 {
            var step = left
            if let next = coming.first {
                if next.at <= played {
                    current = next.bitrate
                    coming.removeFirst()
                    continue
                }
                step = min(step, next.at - played)
            }
            played += step
            left -= step
            if current > 0 {
                known += step
                sum += current * step
            }
        }
    }
}
