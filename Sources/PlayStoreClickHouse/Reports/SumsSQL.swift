internal import ClickHouse
internal import PlayStore
internal import Reports

/// The queries that answer a question of sums for one period: groups come back, never sessions or plays.
struct SumsSQL {
    let plays: ScopedPlays
    /// False for all plays as one group.
    let isGrouped: Bool
    /// Leaves out the sessions with plays in several groups.
    var leavesOutShared = false

    private var groups: [String] { isGrouped ? plays.groupNames : [] }
    private var by: String { groups.isEmpty ? "" : "\nGROUP BY \(groups.joined(separator: ", "))" }
    private func selected(_ columns: [String]) -> String { (groups + columns).joined(separator: ", ") }

    // MARK: Plays

    /// Each play's part in a count.
    private func condition(_ count: PlayCount) -> String {
        let (started, failed) = (ScopedPlays.started, ScopedPlays.failed)
        let log = "(startup_ms IS NOT NULL AND access_log_startup_ms IS NOT NULL)"
        let stalls = "(\(started) AND (player_stalls IS NOT NULL OR player_stalled_ms IS NOT NULL))"
        return switch count {
        case .plays: "1"
        case .started: started
        case .failed: failed
        case .startFailures: "(\(failed) AND NOT \(started))"
        case .measured: "startup_ms IS NOT NULL"
        case .withinTarget: "coalesce(startup_ms, \(Int32.max)) <= \(plays.scope.targetMs)"
        case .playsWithStall: "(\(started) AND stalls > 0)"
        case .stalls: "if(\(started), stalls, 0)"
        case .watchedMs: "watched_ms"
        case .stalledMs: "stalled_ms"
        case .exitsBeforeStart: "(\(ScopedPlays.exit) AND NOT \(ScopedPlays.quickExit))"
        case .quickExits: ScopedPlays.quickExit
        case .late: "(\(plays.late))"
        case .ratedMs: "if(avg_bitrate IS NULL, 0, watched_ms - stalled_ms)"
        case .withoutBytes: "(\(started) AND bytes IS NULL)"
        case .withoutPlayId: "play_id_made"
        case .withoutSession: "session_id IS NULL"
        case .withoutRegion: "region_from IS NULL"
        case .regionFromEvent: "coalesce(region_from, '') = 'event'"
        case .regionFromContext: "coalesce(region_from, '') = 'context'"
        case .regionFromHeader: "coalesce(region_from, '') = 'header'"
        case .clockSkewed: "clock_skewed"
        case .startupUnmeasured: "(startup_ms IS NULL AND watched_ms > 0)"
        case .logStartupCompared: log
        case .logStartupDisagree: "(\(log) AND abs(coalesce(startup_ms, 0) - coalesce(access_log_startup_ms, 0)) > 250)"
        case .playerStallsCompared: stalls
        case .playerStallsDisagree:
            "(\(stalls) AND (coalesce(player_stalls, stalls) <> stalls "
                + "OR abs(coalesce(player_stalled_ms, stalled_ms) - stalled_ms) > 250))"
        case .endedBySilence: "coalesce(ended_by, '') = 'silence'"
        case .retries: "coalesce(attempt, 0) >= 2"
        case .gaveUp: "(coalesce(attempt, 0) >= 2 AND \(failed))"
        }
    }

    var totals: String {
        let counts = PlayCount.allCases.map { "toInt64(\(condition($0))) AS c\($0.rawValue)" }
        let rated =
            "if(avg_bitrate IS NULL, toInt64(0), "
            + "intDiv(toInt64(coalesce(avg_bitrate, 0)) * (watched_ms - stalled_ms) + 4000, 8000)) AS rated"
        let known = "coalesce(bytes, toInt64(0)) AS known"
        let estimated = "if(bytes_estimated = 1, coalesce(bytes, toInt64(0)), toInt64(0)) AS estimated"
        let ofSessions = "if(session_id IS NOT NULL, estimated, toInt64(0)) AS of_sessions"
        var sums = SumColumns()
        for count in PlayCount.allCases { sums.add("sum(c\(count.rawValue))") }
        for column in ["rated", "known", "estimated", "of_sessions"] { sums.addSum(column) }
        for extreme in ["min(ended_at)", "max(ended_at)", "max(received_at)"] { sums.add(extreme) }
        let inner = plays.query(
            counts + [rated, known, estimated, ofSessions, "ended_at", "received_at"], isGrouped: isGrouped)
        return "SELECT \(selected(sums.expressions))\nFROM (\n\(inner)\n)\(by)"
    }

    static func readTotals(_ row: inout RowReader) -> (totals: Totals, estimatedBytes: Int128) {
        var totals = Totals()
        for count in PlayCount.allCases { totals[count] = row.integer() }
        (totals.ratedBytes, totals.bytes, totals.estimatedBytes) = (row.sum(), row.sum(), row.sum())
        let estimated = row.sum()
        (totals.firstEndedAt, totals.lastEndedAt, totals.lastReceivedAt) = (row.integer(), row.integer(), row.integer())
        return (totals, estimated)
    }

    /// Rows: a group and a startup time, with the number of plays.
    var startups: String {
        let inner = plays.query(["startup_ms AS ms"], isGrouped: isGrouped, where: "startup_ms IS NOT NULL")
        let keys = (groups + ["ms"]).joined(separator: ", ")
        return "SELECT \(selected(["ms", "count()"]))\nFROM (\n\(inner)\n)\nGROUP BY \(keys)\nORDER BY \(keys)"
    }

    // MARK: Sessions

    /// Rows: a session in a group, with everything that it contributes.
    ///
    /// - Parameter atMost: a play's percentiles of startup, one expression each.
    func sessions(atMost: [String] = []) -> String {
        var parts: [(name: String, expression: String)] = [
            ("n", "toInt64(1)"), ("st", "toInt64(\(condition(.started)))"), ("fa", "toInt64(\(condition(.failed)))"),
            ("me", "toInt64(\(condition(.measured)))"), ("wi", "toInt64(\(condition(.withinTarget)))"),
            ("ps", "toInt64(\(condition(.playsWithStall)))"), ("ex", "toInt64(\(condition(.exitsBeforeStart)))"),
            ("sc", "toInt64(\(condition(.stalls)))"), ("wa", "toInt64(watched_ms)"), ("sd", "toInt64(stalled_ms)"),
            ("kn", "toInt64(\(ScopedPlays.started) AND bytes IS NOT NULL)"), ("by", "toInt64(coalesce(bytes, 0))"),
        ]
        for (index, threshold) in atMost.enumerated() {
            parts.append(("p\(index)", "toInt64(startup_ms IS NOT NULL AND coalesce(startup_ms, 0) <= \(threshold))"))
        }
        let inner = plays.query(
            parts.map { "\($0.expression) AS play_\($0.name)" }
                + ["toUInt8(session_id IS NOT NULL) AS in_session", "memory_bytes", "ended_at", "arrival"],
            isGrouped: isGrouped)
        let sums = parts.map { "sum(play_\($0.name)) AS \($0.name)" }
        let keys = groups + plays.stratumNames + ["s"]
        let others = [
            "max(in_session) AS ss",
            "argMaxIf(memory_bytes, tuple(ended_at, arrival), memory_bytes IS NOT NULL) AS mb",
        ]
        return """
            SELECT \((keys + sums + others).joined(separator: ", "))
            FROM (
            \(inner)
            )
            GROUP BY \(keys.joined(separator: ", "))
            """
    }

    /// Whether a session has plays that a measure is about, its base and its events.
    static func pair(_ measure: Measure) -> (condition: String, x: String, y: String) {
        switch measure {
        case .withinTarget: ("me > 0", "me", "wi")
        case .rebuffering: ("st > 0", "wa", "sd")
        case .stalls: ("st > 0", "wa", "sc")
        case .playsWithStall: ("st > 0", "st", "ps")
        case .failed: ("n > 0", "n", "fa")
        case .exitsBeforeStart: ("n > 0", "n", "ex")
        case .data: ("ss = 1 AND (kn > 0 OR st = 0)", "1", "least(by, \(RatioSums.byteCap))")
        }
    }

    func sums(atMost: [String]) -> String {
        var columns = SumColumns()
        for measure in Measure.allCases {
            let (condition, x, y) = Self.pair(measure)
            columns.addRatio(x, y, where: condition)
        }
        for index in atMost.indices { columns.addRatio("me", "p\(index)", where: "me > 0") }
        let known = Self.pair(.data).condition
        columns.addSum("if(\(known), by, 0)")
        for percent in [50, 95] { columns.add(Self.ranked("by", known, percent)) }
        columns.add("countIf(ss = 1 AND mb IS NOT NULL)")
        for percent in [50, 95] {
            columns.add(Self.ranked("toInt64(coalesce(mb, 0))", "ss = 1 AND mb IS NOT NULL", percent))
        }
        let without = leavesOutShared ? "\nWHERE s GLOBAL NOT IN (\(sharedSessions))" : ""
        return "SELECT \(selected(columns.expressions))\nFROM (\n\(sessions(atMost: atMost))\n)\(without)\(by)"
    }

    /// The sessions with plays in several groups.
    private var sharedSessions: String {
        let grouped = SumsSQL(plays: plays, isGrouped: true)
        return "SELECT s FROM (\n\(grouped.sessions())\n) GROUP BY s HAVING count() > 1"
    }

    var sharedCount: String { "SELECT count() FROM (\(sharedSessions))" }

    /// The value at a percentile's rank, by nearest rank; NULL without a session.
    private static func ranked(_ value: String, _ condition: String, _ percent: Int) -> String {
        let rank = "greatest(1, intDiv(countIf(\(condition)) * \(percent) + 99, 100))"
        return
            "if(countIf(\(condition)) > 0, toNullable(arraySort(groupArrayIf(\(value), \(condition)))[\(rank)]), NULL)"
    }

    static func readSums(_ row: inout RowReader, percents: Int, into sums: inout GroupSums) {
        for measure in Measure.allCases { sums.ratios[measure] = row.ratio() }
        sums.startupShares = (0..<percents).map { _ in row.ratio() }
        sums.data.sessions = sums.ratios[.data].sessions
        sums.data.bytes = row.sum()
        (sums.data.p50, sums.data.p95) = (row.integerOrNil().map { Int128($0) }, row.integerOrNil().map { Int128($0) })
        sums.memory.sessions = row.integer()
        (sums.memory.p50, sums.memory.p95) = (row.integerOrNil(), row.integerOrNil())
    }

    /// Rows: a group, an error code and a phase, with the sums of the sessions in which plays failed so.
    var failures: String {
        let kind = "concat(if(\(ScopedPlays.started), '0', '1'), coalesce(error_code, ''))"
        let inner = plays.query(
            ["toUInt8(\(ScopedPlays.failed)) AS failed", "\(kind) AS play_kind"], isGrouped: isGrouped)
        let keys = (groups + ["s"]).joined(separator: ", ")
        var columns = SumColumns()
        columns.addSum("f")
        columns.addProduct("n", "f")
        columns.addProduct("f", "f")
        return """
            SELECT \(selected(["kind"] + columns.expressions))
            FROM (
            SELECT \(keys), kind, n, count() AS f
            FROM (
            SELECT \(keys), count() AS n, groupArrayIf(play_kind, failed = 1) AS kinds
            FROM (
            \(inner)
            )
            GROUP BY \(keys)
            )
            ARRAY JOIN kinds AS kind
            GROUP BY \(keys), kind, n
            )
            GROUP BY \((groups + ["kind"]).joined(separator: ", "))
            """
    }

    static func readFailure(_ row: inout RowReader) -> FailureSums {
        let kind = row.text().bytes
        var failure = FailureSums(
            code: ByteText(Array(kind.dropFirst())), isAtStart: kind.first == UInt8(ascii: "1"))
        failure.plays = Int64(row.sum())
        (failure.products, failure.eventSquares) = (row.product(), row.product())
        return failure
    }

    // MARK: Sessions on both sides

    /// The cross sums of each group with all others, over the sessions that are in several groups.
    var crossWithRest: String {
        let names = Measure.compared.flatMap { measure in ["x\(measure.rawValue)", "y\(measure.rawValue)"] }
        let pairs = Measure.compared.flatMap { measure -> [String] in
            let (condition, x, y) = Self.pair(measure)
            return [
                "if(\(condition), \(x), 0) AS x\(measure.rawValue)",
                "if(\(condition), \(y), 0) AS y\(measure.rawValue)",
            ]
        }
        let key = ScopedPlays.key(of: groups)
        var columns = SumColumns()
        for measure in Measure.compared {
            let (x, y) = ("x\(measure.rawValue)", "y\(measure.rawValue)")
            for (one, other) in [(x, x), (x, y), (y, x), (y, y)] {
                columns.addProduct(one, "all_\(other) - \(other)")
            }
        }
        let arrays = names.map { "groupArray(\($0)) AS list_\($0), sum(\($0)) AS all_\($0)" }
        return """
            SELECT key, \(columns.expressions.joined(separator: ", "))
            FROM (
            SELECT s, groupArray(key) AS keys, \(arrays.joined(separator: ", "))
            FROM (
            SELECT s, \(key) AS key, \(pairs.joined(separator: ", "))
            FROM (
            \(sessions())
            )
            )
            GROUP BY s
            HAVING count() > 1
            )
            ARRAY JOIN keys AS key, \(names.map { "list_\($0) AS \($0)" }.joined(separator: ", "))
            GROUP BY key
            """
    }

    static func readCross(_ row: inout RowReader) -> ByMeasure<CrossSums> {
        var cross = ByMeasure { _ in CrossSums() }
        for measure in Measure.compared {
            cross[measure].bases = row.product()
            cross[measure].baseByEvents = row.product()
            cross[measure].eventsByBase = row.product()
            cross[measure].events = row.product()
        }
        return cross
    }

    /// The cross sums of each group with itself in another period.
    func cross(with other: SumsSQL) -> String {
        let names = Measure.compared.flatMap { ["x\($0.rawValue)", "y\($0.rawValue)"] }
        func side(_ sql: SumsSQL, isOwn: Bool) -> String {
            let columns = Measure.compared.flatMap { measure -> [String] in
                let (condition, x, y) = Self.pair(measure)
                return [("x", x), ("y", y)].flatMap { name, value -> [String] in
                    let (value, nothing) = ("toInt64(if(\(condition), \(value), 0))", "toInt64(0)")
                    return [
                        "\(isOwn ? value : nothing) AS a_\(name)\(measure.rawValue)",
                        "\(isOwn ? nothing : value) AS b_\(name)\(measure.rawValue)",
                    ]
                }
            }
            return "SELECT \((groups + ["s"] + columns).joined(separator: ", "))\nFROM (\n\(sql.sessions())\n)"
        }
        var columns = SumColumns()
        for measure in Measure.compared {
            let (x, y) = ("x\(measure.rawValue)", "y\(measure.rawValue)")
            for (one, two) in [(x, x), (x, y), (y, x), (y, y)] { columns.addProduct("own_\(one)", "other_\(two)") }
        }
        let sums = names.flatMap { ["sum(a_\($0)) AS own_\($0)", "sum(b_\($0)) AS other_\($0)"] }
        let keys = (groups + ["s"]).joined(separator: ", ")
        return """
            SELECT \(selected(columns.expressions))
            FROM (
            SELECT \(keys), \(sums.joined(separator: ", "))
            FROM (
            \(side(self, isOwn: true))
            UNION ALL
            \(side(other, isOwn: false))
            )
            GROUP BY \(keys)
            HAVING count() > 1
            )\(by)
            """
    }
}
