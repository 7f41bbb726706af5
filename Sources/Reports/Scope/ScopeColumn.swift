/// A column of the scope: what a query may ask of one play. The definitions of the metrics stand here, play by play.
enum ScopeColumn: String, CaseIterable {
    case group1 = "group_1"
    case group2 = "group_2"
    case group3 = "group_3"
    /// 0 before the boundary between two periods, else 1.
    case part
    /// `''` for a play without a session.
    case session = "session_key"
    case isStarted = "is_started"
    case isFailed = "is_failed"
    case isStartFailure = "is_start_failure"
    case isMeasured = "is_measured"
    case isWithinTarget = "is_within_target"
    case isStalled = "is_stalled"
    /// Stalls of plays that started.
    case countedStalls = "counted_stalls"
    /// Neither started nor failed, quick exits included.
    case isExit = "is_exit"
    case isQuickExit = "is_quick_exit"
    case isLate = "is_late"
    /// Started, and its bytes are known.
    case isWeighed = "is_weighed"
    case bytesHigh = "bytes_high"
    case bytesLow = "bytes_low"
    case estimateHigh = "estimate_high"
    case estimateLow = "estimate_low"
    /// Playing time of a started play with a bitrate, and the bytes that this bitrate makes in it.
    case ratedMs = "rated_ms"
    case ratedHigh = "rated_high"
    case ratedLow = "rated_low"
    case isRetry = "is_retry"
    case gaveUp = "gave_up"
    case isLogCompared = "is_log_compared"
    case isLogDisagreeing = "is_log_disagreeing"
    /// Started, and the player has an account of its stalls.
    case isStallCompared = "is_stall_compared"
    case isStallDisagreeing = "is_stall_disagreeing"
    /// At or below the percentiles found, of the play's group and of all plays.
    case isAtMostP50 = "is_at_most_p50"
    case isAtMostP95 = "is_at_most_p95"
    /// A play that no CDN served, when the report does not ask about sources.
    case isLeftOut = "is_left_out"
    /// The report's filters choose the play.
    case isChosen = "is_chosen"
    // Columns of the store as they are.
    case startup = "startup_ms"
    case stalledMs = "stalled_ms"
    case watchedMs = "watched_ms"
    case errorCode = "error_code"
    case memory = "memory_bytes"
    case endedAt = "ended_at"
    case receivedAt = "received_at"
    case arrival = "arrival"
    case regionFrom = "region_from"
    case isClockSkewed = "clock_skewed"
    case isPlayIdMade = "play_id_made"
}

extension ScopeColumn {
    private static let started = "(startup_ms IS NOT NULL OR watched_ms > 0)"
    private static let exit = "startup_ms IS NULL AND watched_ms = 0 AND error_code IS NULL"
    private static let compared = "startup_ms IS NOT NULL AND access_log_startup_ms IS NOT NULL"
    private static let stallsCompared =
        "\(started) AND (player_stalls IS NOT NULL OR player_stalled_ms IS NOT NULL)"

    private static func flag(_ condition: String) -> String {
        "CASE WHEN \(condition) THEN 1 ELSE 0 END"
    }

    /// The quotient of an integer from 0 to 2⁶², cut to the whole; the engines' `/` means different things.
    ///
    /// A quotient below 2⁵⁰ without a rest is off by less than the quarter that is added, so an engine that cuts and one
    /// that rounds to the nearest find the same.
    ///
    /// - Parameter reciprocal: of the divisor, with an exponent, since some engines take other fractions for decimals.
    private static func quotient(_ dividend: String, by divisor: Int64, _ reciprocal: String) -> String {
        "CAST(((\(dividend)) - (\(dividend)) % \(divisor)) * \(reciprocal) + 0.25 AS BIGINT)"
    }

    /// The column's expression over `plays`, without its name; nil for a column of the store as it is.
    func expression(in scope: PlayScope) -> String? {
        let low = { (bytes: String) in "(\(bytes)) % 4294967296" }
        let high = { (bytes: String) in Self.quotient(bytes, by: 4_294_967_296, "2.3283064365386962890625e-10") }
        let bytes = "coalesce(bytes, 0)"
        let estimate = "CASE WHEN bytes_estimated = 1 THEN coalesce(bytes, 0) ELSE 0 END"
        // A play that never started has no playing time.
        let rated = Self.quotient("coalesce(avg_bitrate, 0) * (watched_ms - stalled_ms) + 4000", by: 8_000, "1.25e-4")
        switch self {
        case .group1: return scope.groupExpression(0)
        case .group2: return scope.groupExpression(1)
        case .group3: return scope.groupExpression(2)
        case .part: return scope.boundary.map { "CASE WHEN ended_at < \($0) THEN 0 ELSE 1 END" } ?? "1"
        case .session: return "coalesce(session_id, '')"
        case .isStarted: return Self.flag("startup_ms IS NOT NULL OR watched_ms > 0")
        case .isFailed: return Self.flag("error_code IS NOT NULL")
        case .isStartFailure: return Self.flag("error_code IS NOT NULL AND startup_ms IS NULL AND watched_ms = 0")
        case .isMeasured: return Self.flag("startup_ms IS NOT NULL")
        case .isWithinTarget: return Self.flag("startup_ms <= \(scope.targetMs)")
        case .isStalled: return Self.flag("\(Self.started) AND stalls > 0")
        case .countedStalls: return "CASE WHEN \(Self.started) THEN stalls ELSE 0 END"
        case .isExit: return Self.flag(Self.exit)
        case .isQuickExit: return Self.flag("\(Self.exit) AND waited_ms < 1000")
        case .isLate: return Self.flag("received_at - (\(scope.dayEndExpression)) > \(millisecondsPerHour)")
        case .isWeighed: return Self.flag("\(Self.started) AND bytes IS NOT NULL")
        case .bytesHigh: return high(bytes)
        case .bytesLow: return low(bytes)
        case .estimateHigh: return high(estimate)
        case .estimateLow: return low(estimate)
        case .ratedMs: return "CASE WHEN avg_bitrate IS NULL THEN 0 ELSE watched_ms - stalled_ms END"
        case .ratedHigh: return high(rated)
        case .ratedLow: return low(rated)
        case .isRetry: return Self.flag("attempt >= 2")
        case .gaveUp: return Self.flag("attempt >= 2 AND error_code IS NOT NULL")
        case .isLogCompared: return Self.flag(Self.compared)
        case .isLogDisagreeing:
            return Self.flag("\(Self.compared) AND abs(startup_ms - access_log_startup_ms) > 250")
        case .isStallCompared: return Self.flag(Self.stallsCompared)
        case .isStallDisagreeing:
            return Self.flag(
                "\(Self.started) AND (coalesce(player_stalls, stalls) <> stalls"
                    + " OR abs(coalesce(player_stalled_ms, stalled_ms) - stalled_ms) > 250)")
        case .isAtMostP50: return scope.thresholds.map { Self.flag("startup_ms <= \($0.p50Expression)") } ?? "0"
        case .isAtMostP95: return scope.thresholds.map { Self.flag("startup_ms <= \($0.p95Expression)") } ?? "0"
        case .isLeftOut: return scope.leavesOutDownloads ? Self.flag("source = 'download'") : "0"
        case .isChosen:
            return scope.filters.isEmpty ? "1" : Self.flag(scope.filterConditions.joined(separator: " AND "))
        case .startup, .stalledMs, .watchedMs, .errorCode, .memory, .endedAt, .receivedAt, .arrival, .regionFrom,
            .isClockSkewed, .isPlayIdMade:
            return nil
        }
    }
}
