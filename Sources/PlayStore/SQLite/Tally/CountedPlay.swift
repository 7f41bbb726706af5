internal import Reports

/// What one play contributes to each sum.
struct CountedPlay {
    let sums: SessionSums
    let startupMs: Int32
    let isStarted: Bool
    let isFailed: Bool
    /// ms since 1970.
    let endedAt: Int64
    let lagMs: Int64
    /// -1 for unknown.
    let memoryBytes: Int64
    /// What of its bytes is estimated.
    let estimatedBytes: Int64
    let hasKnownBytes: Bool
    /// Playing time with a known bitrate, and what that makes in bytes.
    let ratedMs: Int64
    let ratedBytes: Int64
    let isQuickExit: Bool
    let isRetry: Bool
    let isClockSkewed: Bool
    let isPlayIdMade: Bool
    let isEndedBySilence: Bool
    /// Nil where there is nothing to compare; otherwise whether the two differ.
    let logStartupDiffers: Bool?
    let playerStallsDiffer: Bool?

    @inline(__always)
    init(_ plays: borrowing PlayColumns, _ index: Int, targetMs: Int64) {
        let startup = plays.startupMs[index]
        let watched = Int64(plays.watchedMs[index])
        let stalled = Int64(plays.stalledMs[index])
        let stalls = Int64(plays.stalls[index])
        let isStarted = startup >= 0 || watched > 0
        let isFailed = plays.error[index] != 0
        let isExit = !isStarted && !isFailed
        let waited = plays.waitedMs[index]
        let isQuickExit = isExit && waited >= 0 && waited < 1_000
        let bitrate = Int64(plays.avgBitrate[index])
        let ratedBytes = bitrate < 0 || !isStarted ? 0 : (bitrate * (watched - stalled) + 4_000) / 8_000
        let sent = plays.bytes[index]
        let bytes = sent >= 0 ? sent : !isStarted ? 0 : bitrate < 0 ? -1 : ratedBytes
        var sums = SessionSums()
        sums.plays = 1
        sums.failed = isFailed ? 1 : 0
        sums.exitsBeforeStart = isExit && !isQuickExit ? 1 : 0
        if isStarted {
            sums.started = 1
            sums.stalls = stalls
            sums.playsWithStall = stalls > 0 ? 1 : 0
            sums.watchedMs = watched
            sums.stalledMs = stalled
            sums.weighed = bytes >= 0 ? 1 : 0
        }
        if startup >= 0 {
            sums.measured = 1
            sums.withinTarget = Int64(startup) <= targetMs ? 1 : 0
        }
        sums.bytes = Int128(max(0, bytes))
        self.sums = sums
        startupMs = startup
        self.isStarted = isStarted
        self.isFailed = isFailed
        self.isQuickExit = isQuickExit
        endedAt = PlayPlacer.endedAt(index, plays)
        lagMs = plays.lagMs[index]
        memoryBytes = plays.memoryBytes[index]
        hasKnownBytes = bytes >= 0
        estimatedBytes = sent < 0 && isStarted ? max(0, bytes) : 0
        ratedMs = bitrate >= 0 && isStarted ? watched - stalled : 0
        self.ratedBytes = ratedBytes
        isRetry = plays.attempt[index] >= 2
        isClockSkewed = plays.flags[index] & PlayColumns.clockSkewed != 0
        isEndedBySilence = plays.flags[index] & PlayColumns.ending == PlayColumns.endedBySilence
        isPlayIdMade = plays.flags[index] & PlayColumns.playIdMade != 0
        let log = plays.accessLogStartupMs[index]
        logStartupDiffers = startup >= 0 && log >= 0 ? abs(startup - log) > 250 : nil
        let (theirs, theirTime) = (Int64(plays.playerStalls[index]), Int64(plays.playerStalledMs[index]))
        playerStallsDiffer =
            isStarted && (theirs >= 0 || theirTime >= 0)
            ? theirs >= 0 && theirs != stalls || theirTime >= 0 && abs(theirTime - stalled) > 250 : nil
    }
}

/// Counts of plays for each cell of group and slice.
struct CellTotals {
    private static let width = PlayCount.allCases.count

    private var counts: [Int64] = []
    private var bytes: [Bytes] = []
    private var times: [Times] = []

    private struct Bytes {
        var rated: Int128 = 0
        var all: Int128 = 0
        var estimated: Int128 = 0
        var estimatedOfSessions: Int128 = 0
    }

    private struct Times {
        var firstEndedAt = Int64.max
        var lastEndedAt = Int64.min
        var lastReceivedAt = Int64.min
    }

    init(cells: Int = 0) {
        counts = Array(repeating: 0, count: cells * Self.width)
        bytes = Array(repeating: Bytes(), count: cells)
        times = Array(repeating: Times(), count: cells)
    }

    @inline(__always)
    mutating func count(_ count: PlayCount, _ number: Int64 = 1, in cell: Int) {
        counts[cell * Self.width + count.rawValue] += number
    }

    @inline(__always)
    mutating func add(_ play: CountedPlay, regionCount: Int, hasSession: Bool, to cell: Int) {
        count(.plays, in: cell)
        counts[cell * Self.width + regionCount] += 1
        if play.isStarted {
            count(.started, in: cell)
            count(.watchedMs, play.sums.watchedMs, in: cell)
            count(.ratedMs, play.ratedMs, in: cell)
            bytes[cell].rated &+= Int128(play.ratedBytes)
            if !play.hasKnownBytes { count(.withoutBytes, in: cell) }
            if play.sums.stalls > 0 {
                count(.playsWithStall, in: cell)
                count(.stalls, play.sums.stalls, in: cell)
                count(.stalledMs, play.sums.stalledMs, in: cell)
            }
        } else if play.isFailed {
            count(.startFailures, in: cell)
        } else {
            count(play.isQuickExit ? .quickExits : .exitsBeforeStart, in: cell)
        }
        if play.startupMs >= 0 {
            count(.measured, in: cell)
            count(.withinTarget, play.sums.withinTarget, in: cell)
            if let differs = play.logStartupDiffers {
                count(.logStartupCompared, in: cell)
                if differs { count(.logStartupDisagree, in: cell) }
            }
        } else if play.isStarted {
            count(.startupUnmeasured, in: cell)
        }
        if play.isFailed { count(.failed, in: cell) }
        if play.isRetry {
            count(.retries, in: cell)
            if play.isFailed { count(.gaveUp, in: cell) }
        }
        if play.isClockSkewed { count(.clockSkewed, in: cell) }
        if play.isPlayIdMade { count(.withoutPlayId, in: cell) }
        if play.isEndedBySilence { count(.endedBySilence, in: cell) }
        if let differ = play.playerStallsDiffer {
            count(.playerStallsCompared, in: cell)
            if differ { count(.playerStallsDisagree, in: cell) }
        }
        bytes[cell].all &+= play.sums.bytes
        if play.estimatedBytes > 0 {
            bytes[cell].estimated &+= Int128(play.estimatedBytes)
            if hasSession { bytes[cell].estimatedOfSessions &+= Int128(play.estimatedBytes) }
        }
        if !hasSession { count(.withoutSession, in: cell) }
        times[cell].firstEndedAt = min(times[cell].firstEndedAt, play.endedAt)
        times[cell].lastEndedAt = max(times[cell].lastEndedAt, play.endedAt)
        times[cell].lastReceivedAt = max(times[cell].lastReceivedAt, play.endedAt + play.lagMs)
    }

    /// What the plays of sessions are estimated to have taken.
    func estimatedBytesOfSessions(in cell: Int) -> Int128 { bytes[cell].estimatedOfSessions }

    func plays(in cell: Int) -> Int64 { counts[cell * Self.width + PlayCount.plays.rawValue] }

    func totals(of cell: Int) -> Totals {
        var totals = Totals()
        for count in PlayCount.allCases { totals[count] = counts[cell * Self.width + count.rawValue] }
        totals.ratedBytes = bytes[cell].rated
        totals.bytes = bytes[cell].all
        totals.estimatedBytes = bytes[cell].estimated
        totals.firstEndedAt = times[cell].firstEndedAt
        totals.lastEndedAt = times[cell].lastEndedAt
        totals.lastReceivedAt = times[cell].lastReceivedAt
        return totals
    }
}
