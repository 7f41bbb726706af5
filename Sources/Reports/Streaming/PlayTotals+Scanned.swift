extension PlayTotals {
    /// Adds one play; whether it is late is not known here.
    ///
    /// - Parameter targetMs: the startup that is still within the target.
    mutating func add(
        _ play: ScannedPlay, hasSession: Bool, regionFrom source: ScannedPlay.RegionSource?, _ targetMs: Int64
    ) {
        plays += 1
        let isStarted = play.isStarted
        if play.isFailed {
            failed += 1
            startFailures += isStarted ? 0 : 1
        }
        if isStarted {
            started += 1
            stalledPlays += play.stalls > 0 ? 1 : 0
            stalls += play.stalls
            startupUnmeasured += play.startupMs < 0 ? 1 : 0
            if play.playerStalls >= 0 || play.playerStalledMs >= 0 {
                playerStallsCompared += 1
                playerStallsDisagree += play.stallsDiffer ? 1 : 0
            }
        } else if !play.isFailed {
            exits += 1
            quickExits += (0..<1_000).contains(play.waitedMs) ? 1 : 0
        }
        if play.startupMs >= 0 {
            measured += 1
            withinTarget += play.startupMs <= targetMs ? 1 : 0
            if play.accessLogStartupMs >= 0 {
                logStartupCompared += 1
                logStartupDisagree += abs(play.startupMs - play.accessLogStartupMs) > 250 ? 1 : 0
            }
        }
        watchedMs += play.watchedMs
        stalledMs += play.stalledMs
        if play.avgBitrate >= 0 {
            ratedMs += play.watchedMs - play.stalledMs
            ratedBytes += Int128(play.ratedBytes)
        }
        withoutPlayId += play.isPlayIdMade ? 1 : 0
        withoutSession += hasSession ? 0 : 1
        switch source {
        case .event: regionFromEvent += 1
        case .context: regionFromContext += 1
        case .header: regionFromHeader += 1
        case nil: withoutRegion += 1
        }
        clockSkewed += play.clockSkewed ? 1 : 0
        if play.attempt >= 2 {
            retries += 1
            gaveUp += play.isFailed ? 1 : 0
        }
        firstEndedAt = min(firstEndedAt, play.endedAt)
        lastEndedAt = max(lastEndedAt, play.endedAt)
        lastReceivedAt = max(lastReceivedAt, play.receivedAt)
    }
}
