internal import Queries

extension QueryFile {
    /// The columns that the query reads from its scope.
    var columns: [ScopeColumn] {
        let group: [ScopeColumn] = [.group1, .group2, .group3]
        switch self {
        case .totals:
            return group + [
                .session, .isStarted, .isFailed, .isStartFailure, .isMeasured, .isWithinTarget, .isStalled,
                .countedStalls, .watchedMs, .stalledMs, .isExit, .isQuickExit, .isLate, .ratedMs, .ratedHigh, .ratedLow,
                .isPlayIdMade, .regionFrom, .isClockSkewed, .isLogCompared, .isLogDisagreeing, .isStallCompared,
                .isStallDisagreeing, .isRetry, .gaveUp,
                .endedAt, .receivedAt,
            ]
        case .startups: return group + [.session, .startup]
        case .sessions:
            return group + [
                .part, .session, .isStarted, .isFailed, .isMeasured, .isWithinTarget, .isStalled, .countedStalls,
                .watchedMs,
                .stalledMs, .isWeighed, .bytesHigh, .bytesLow, .estimateHigh, .estimateLow,
            ]
        case .lonePlays:
            return group + [
                .part, .session, .isStarted, .isFailed, .isMeasured, .isWithinTarget, .isStalled, .countedStalls,
                .watchedMs,
                .stalledMs,
            ]
        case .sessionStartups: return group + [.session, .isMeasured, .isAtMostP50, .isAtMostP95]
        case .sessionMemory: return group + [.session, .endedAt, .arrival, .memory]
        case .failures: return group + [.session, .errorCode, .isFailed, .isStartFailure]
        case .arrivals: return group + [.arrival, .isLeftOut, .isChosen]
        case .downloads: return [.isLeftOut]
        case .firstHour, .lastHour, .accounts, .rejections, .repeats, .exportMarks, .playHours, .playInLog,
            .accountInLog, .firstNewAccount, .newestPlay:
            return []
        }
    }
}

extension PlayTotals {
    /// Reads the columns of `totals.sql` that follow the groups.
    init(_ row: any SQLRow, from column: Int) {
        self.init()
        let sums: [WritableKeyPath<PlayTotals, Int64>] = [
            \.plays, \.started, \.failed, \.startFailures, \.measured, \.withinTarget, \.stalledPlays, \.stalls,
            \.watchedMs, \.stalledMs, \.exits, \.quickExits, \.late, \.ratedMs,
        ]
        for (index, sum) in sums.enumerated() { self[keyPath: sum] = row.integer(column + index) }
        ratedBytes = wide(high: row.integer(column + 14), low: row.integer(column + 15))
        let quality: [WritableKeyPath<PlayTotals, Int64>] = [
            \.withoutPlayId, \.withoutSession, \.withoutRegion, \.regionFromEvent, \.regionFromContext,
            \.regionFromHeader, \.clockSkewed, \.startupUnmeasured, \.logStartupCompared, \.logStartupDisagree,
            \.playerStallsCompared, \.playerStallsDisagree, \.retries, \.gaveUp, \.firstEndedAt, \.lastEndedAt,
            \.lastReceivedAt,
        ]
        for (index, sum) in quality.enumerated() { self[keyPath: sum] = row.integer(column + 16 + index) }
    }
}

extension ClusterSums {
    /// Reads the columns of `sessions.sql` that follow the groups.
    init(session row: any SQLRow, from column: Int) {
        self.init()
        plays = row.integer(column)
        started = row.integer(column + 1)
        failed = row.integer(column + 2)
        measured = row.integer(column + 3)
        withinTarget = row.integer(column + 4)
        stalledPlays = row.integer(column + 5)
        stalls = row.integer(column + 6)
        watchedMs = row.integer(column + 7)
        stalledMs = row.integer(column + 8)
        weighed = row.integer(column + 9)
        bytes = wide(high: row.integer(column + 10), low: row.integer(column + 11))
        estimatedBytes = wide(high: row.integer(column + 12), low: row.integer(column + 13))
    }

    /// Reads the columns of `lone_plays.sql` that follow the groups: one play.
    init(lone row: any SQLRow, from column: Int) {
        self.init()
        plays = 1
        started = row.integer(column)
        failed = row.integer(column + 1)
        measured = row.integer(column + 2)
        withinTarget = row.integer(column + 3)
        stalledPlays = row.integer(column + 4)
        stalls = row.integer(column + 5)
        watchedMs = row.integer(column + 6)
        stalledMs = row.integer(column + 7)
    }
}

/// A sum of bytes whose whole multiples of 2³² and the rest were added up apart.
func wide(high: Int64, low: Int64) -> Int128 {
    Int128(high) << 32 + Int128(low)
}
