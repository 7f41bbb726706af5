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
    /// What is not in the sums of sessions beside what is.
    private struct Cell {
        var sums = SessionSums()
        var startFailures: Int64 = 0
        var quickExits: Int64 = 0
        var late: Int64 = 0
        var ratedMs: Int64 = 0
        var withoutBytes: Int64 = 0
        var withoutPlayId: Int64 = 0
        var withoutSession: Int64 = 0
        var withoutRegion: Int64 = 0
        var regionFromEvent: Int64 = 0
        var regionFromContext: Int64 = 0
        var regionFromHeader: Int64 = 0
        var clockSkewed: Int64 = 0
        var startupUnmeasured: Int64 = 0
        var logStartupCompared: Int64 = 0
        var logStartupDisagree: Int64 = 0
        var playerStallsCompared: Int64 = 0
        var playerStallsDisagree: Int64 = 0
        var retries: Int64 = 0
        var gaveUp: Int64 = 0
        var endedBySilence: Int64 = 0
        var ratedBytes: Int128 = 0
        var estimatedBytes: Int128 = 0
        var estimatedBytesOfSessions: Int128 = 0
        var firstEndedAt = Int64.max
        var lastEndedAt = Int64.min
        var lastReceivedAt = Int64.min

        @inline(__always)
        mutating func add(_ play: CountedPlay, regionCount: PlayCount, hasSession: Bool) {
            sums += play.sums
            switch regionCount {
            case .regionFromEvent: regionFromEvent += 1
            case .regionFromContext: regionFromContext += 1
            case .regionFromHeader: regionFromHeader += 1
            default: withoutRegion += 1
            }
            if play.isStarted {
                ratedMs += play.ratedMs
                ratedBytes &+= Int128(play.ratedBytes)
                if !play.hasKnownBytes { withoutBytes += 1 }
                if play.startupMs < 0 { startupUnmeasured += 1 }
            } else if play.isFailed {
                startFailures += 1
            } else if play.isQuickExit {
                quickExits += 1
            }
            if let differs = play.logStartupDiffers {
                logStartupCompared += 1
                if differs { logStartupDisagree += 1 }
            }
            if let differ = play.playerStallsDiffer {
                playerStallsCompared += 1
                if differ { playerStallsDisagree += 1 }
            }
            if play.isRetry {
                retries += 1
                if play.isFailed { gaveUp += 1 }
            }
            if play.isClockSkewed { clockSkewed += 1 }
            if play.isPlayIdMade { withoutPlayId += 1 }
            if play.isEndedBySilence { endedBySilence += 1 }
            if !hasSession { withoutSession += 1 }
            if play.estimatedBytes > 0 {
                estimatedBytes &+= Int128(play.estimatedBytes)
                if hasSession { estimatedBytesOfSessions &+= Int128(play.estimatedBytes) }
            }
            firstEndedAt = min(firstEndedAt, play.endedAt)
            lastEndedAt = max(lastEndedAt, play.endedAt)
            lastReceivedAt = max(lastReceivedAt, play.endedAt + play.lagMs)
        }

        func count(_ count: PlayCount) -> Int64 {
            switch count {
            case .plays: sums.plays
            case .started: sums.started
            case .failed: sums.failed
            case .startFailures: startFailures
            case .measured: sums.measured
            case .withinTarget: sums.withinTarget
            case .playsWithStall: sums.playsWithStall
            case .stalls: sums.stalls
            case .watchedMs: sums.watchedMs
            case .stalledMs: sums.stalledMs
            case .exitsBeforeStart: sums.exitsBeforeStart
            case .quickExits: quickExits
            case .late: late
            case .ratedMs: ratedMs
            case .withoutBytes: withoutBytes
            case .withoutPlayId: withoutPlayId
            case .withoutSession: withoutSession
            case .withoutRegion: withoutRegion
            case .regionFromEvent: regionFromEvent
            case .regionFromContext: regionFromContext
            case .regionFromHeader: regionFromHeader
            case .clockSkewed: clockSkewed
            case .startupUnmeasured: startupUnmeasured
            case .logStartupCompared: logStartupCompared
            case .logStartupDisagree: logStartupDisagree
            case .playerStallsCompared: playerStallsCompared
            case .playerStallsDisagree: playerStallsDisagree
            case .retries: retries
            case .gaveUp: gaveUp
            case .endedBySilence: endedBySilence
            }
        }
    }

    private var cells: [Cell]

    init(cells: Int = 0) {
        self.cells = Array(repeating: Cell(), count: cells)
    }

    mutating func makeRoom(for cell: Int) {
        if cell >= cells.count { cells += Array(repeating: Cell(), count: max(cell + 1 - cells.count, cells.count)) }
    }

    @inline(__always)
    mutating func add(_ play: CountedPlay, regionCount: PlayCount, hasSession: Bool, to cell: Int) {
        cells[cell].add(play, regionCount: regionCount, hasSession: hasSession)
    }

    /// Counts a play as late that is added, too.
    mutating func countLate(in cell: Int) { cells[cell].late += 1 }

    /// What the plays of sessions are estimated to have taken.
    func estimatedBytesOfSessions(in cell: Int) -> Int128 { cells[cell].estimatedBytesOfSessions }

    func plays(in cell: Int) -> Int64 { cells[cell].sums.plays }

    func totals(of cell: Int) -> Totals {
        let cell = cells[cell]
        var totals = Totals()
        for count in PlayCount.allCases { totals[count] = cell.count(count) }
        totals.ratedBytes = cell.ratedBytes
        totals.bytes = cell.sums.bytes
        totals.estimatedBytes = cell.estimatedBytes
        totals.firstEndedAt = cell.firstEndedAt
        totals.lastEndedAt = cell.lastEndedAt
        totals.lastReceivedAt = cell.lastReceivedAt
        return totals
    }
}
