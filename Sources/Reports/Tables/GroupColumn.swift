/// A column of a table about groups of plays, and where its cells come from.
struct GroupColumn {
    let column: ReportColumn
    let cell: @Sendable (GroupFigures, ReportRequest) -> ReportCell

    init(_ name: String, _ kind: ColumnKind, _ cell: @escaping @Sendable (GroupFigures, ReportRequest) -> ReportCell) {
        column = ReportColumn(name, kind)
        self.cell = cell
    }

    /// A count of plays, or ms.
    static func total(
        _ name: String, _ count: PlayCount, _ kind: ColumnKind = .count
    ) -> GroupColumn {
        GroupColumn(name, kind) { figures, _ in .init(figures.totals[count]) }
    }

    /// A percentile in ms with its ends.
    static func percentile(
        _ name: String, _ figure: any KeyPath<GroupFigures, Figure<Int64>> & Sendable
    ) -> [GroupColumn] {
        [
            GroupColumn("\(name)_ms", .milliseconds) { figures, _ in .init(figures[keyPath: figure].value) },
            GroupColumn("\(name)_low_ms", .milliseconds) { figures, _ in .init(figures[keyPath: figure].interval.low) },
            GroupColumn("\(name)_high_ms", .milliseconds) { figures, _ in
                .init(figures[keyPath: figure].interval.high)
            },
        ]
    }

    /// One of the percentiles that the request names.
    static func percentile(_ name: String, percent: Int64) -> [GroupColumn] {
        func column(_ suffix: String, _ value: @escaping @Sendable (Figure<Int64>) -> Int64?) -> GroupColumn {
            GroupColumn("\(name)\(suffix)_ms", .milliseconds) { figures, _ in
                .init(figures.startupPercentiles[percent].flatMap(value))
            }
        }
        return [column("") { $0.value }, column("_low") { $0.interval.low }, column("_high") { $0.interval.high }]
    }

    static func figure(
        _ name: String, _ kind: ColumnKind, _ figure: any KeyPath<GroupFigures, Figure<Double>> & Sendable
    ) -> GroupColumn {
        GroupColumn(name, kind) { figures, _ in .init(figures[keyPath: figure].value) }
    }

    /// The two ends of a figure: `NAME_low_UNIT`, `NAME_high_UNIT`.
    static func ends(
        _ name: String, _ unit: String, _ kind: ColumnKind,
        _ figure: any KeyPath<GroupFigures, Figure<Double>> & Sendable
    ) -> [GroupColumn] {
        [
            GroupColumn("\(name)_low_\(unit)", kind) { figures, _ in .init(figures[keyPath: figure].interval.low) },
            GroupColumn("\(name)_high_\(unit)", kind) { figures, _ in .init(figures[keyPath: figure].interval.high) },
        ]
    }

    static var exits: GroupColumn { figure("exits_before_start_ratio", .ratio, \.exitsBeforeStart) }
}

extension ReportMetric {
    /// The columns between the names and the version, of the tables with a row a group.
    ///
    /// - Parameter percents: the percentiles of startup beside p50 and p95.
    func groupColumns(percents: [Int64]) -> [GroupColumn] {
        switch self {
        case .summary: Self.summaryColumns
        case .startup: Self.startupColumns + percents.flatMap { GroupColumn.percentile("startup_p\($0)", percent: $0) }
        case .rebuffering: Self.rebufferingColumns
        case .sessions: Self.sessionColumns
        case .quality: Self.qualityColumns
        case .failures, .delivery, .histogram, .volume: []
        }
    }

    private static let summaryColumns: [GroupColumn] =
        [.total("plays", .plays), .total("started", .started), .total("measured", .measured)]
        + GroupColumn.percentile("startup_p50", \.startupP50) + GroupColumn.percentile("startup_p95", \.startupP95)
        + [
            .figure("startup_within_target_ratio", .ratio, \.startupWithinTarget),
            .total("watched_ms", .watchedMs, .milliseconds),
            .figure("rebuffer_ratio", .ratio, \.rebuffering),
        ] + GroupColumn.ends("rebuffer", "ratio", .ratio, \.rebuffering)
        + [.figure("stalls_per_hour", .perHour, \.stallsPerHour), .figure("failure_ratio", .ratio, \.failed)]
        + GroupColumn.ends("failure", "ratio", .ratio, \.failed)
        + [
            .exits,
            GroupColumn("sessions", .count) { figures, _ in .init(figures.data.sessions) },
            GroupColumn("data_per_session_mean_bytes", .bytes) { figures, _ in .init(figures.dataPerSessionMean) },
            GroupColumn("data_per_session_p50_bytes", .bytes) { figures, _ in .init(figures.data.p50) },
            GroupColumn("data_per_session_p95_bytes", .bytes) { figures, _ in .init(figures.data.p95) },
            GroupColumn("memory_p50_bytes", .bytes) { figures, _ in .init(figures.memory.p50) },
            GroupColumn("memory_p95_bytes", .bytes) { figures, _ in .init(figures.memory.p95) },
            .total("late", .late),
        ]

    private static let startupColumns: [GroupColumn] =
        [.total("plays", .plays), .total("measured", .measured)]
        + GroupColumn.percentile("startup_p50", \.startupP50) + GroupColumn.percentile("startup_p95", \.startupP95)
        + [
            GroupColumn("target_ms", .milliseconds) { _, request in .init(request.targetMs) },
            .figure("startup_within_target_ratio", .ratio, \.startupWithinTarget),
        ] + GroupColumn.ends("startup_within_target", "ratio", .ratio, \.startupWithinTarget)
        + [.exits] + GroupColumn.ends("exits_before_start", "ratio", .ratio, \.exitsBeforeStart)
        + [.total("quick_exits", .quickExits)]

    private static let rebufferingColumns: [GroupColumn] =
        [
            .total("started", .started), .total("watched_ms", .watchedMs, .milliseconds),
            .total("stalled_ms", .stalledMs, .milliseconds), .total("stalls", .stalls),
            .figure("rebuffer_ratio", .ratio, \.rebuffering),
        ] + GroupColumn.ends("rebuffer", "ratio", .ratio, \.rebuffering)
        + [.figure("stalls_per_hour", .perHour, \.stallsPerHour)]
        + GroupColumn.ends("stalls", "per_hour", .perHour, \.stallsPerHour)
        + [
            .total("plays_with_stall", .playsWithStall),
            .figure("plays_with_stall_ratio", .ratio, \.playsWithStall),
        ] + GroupColumn.ends("plays_with_stall", "ratio", .ratio, \.playsWithStall)

    private static let sessionColumns: [GroupColumn] = [
        GroupColumn("sessions", .count) { figures, _ in .init(figures.data.sessions) },
        GroupColumn("bytes", .bytes) { figures, _ in .init(figures.data.bytes) },
        GroupColumn("estimated_bytes", .bytes) { figures, _ in .init(figures.data.estimatedBytes) },
        GroupColumn("estimated_ratio", .ratio) { figures, _ in
            .init(figures.estimatedRatio)
        },
        GroupColumn("data_per_session_mean_bytes", .bytes) { figures, _ in .init(figures.dataPerSessionMean) },
        GroupColumn("data_per_session_mean_low_bytes", .bytes) { figures, _ in
            .init(wholeBytes: figures.dataPerSessionInterval.low)
        },
        GroupColumn("data_per_session_mean_high_bytes", .bytes) { figures, _ in
            .init(wholeBytes: figures.dataPerSessionInterval.high)
        },
        GroupColumn("data_per_session_p50_bytes", .bytes) { figures, _ in .init(figures.data.p50) },
        GroupColumn("data_per_session_p95_bytes", .bytes) { figures, _ in .init(figures.data.p95) },
        GroupColumn("average_bitrate_bps", .bitsPerSecond) { figures, _ in .init(figures.averageBitrate) },
        GroupColumn("memory_sessions", .count) { figures, _ in .init(figures.memory.sessions) },
        GroupColumn("memory_p50_bytes", .bytes) { figures, _ in .init(figures.memory.p50) },
        GroupColumn("memory_p95_bytes", .bytes) { figures, _ in .init(figures.memory.p95) },
    ]

    private static let qualityColumns: [GroupColumn] = [
        .total("plays", .plays), .total("without_play_id", .withoutPlayId),
        .total("without_session", .withoutSession), .total("without_region", .withoutRegion),
        .total("region_from_event", .regionFromEvent), .total("region_from_context", .regionFromContext),
        .total("region_from_header", .regionFromHeader), .total("clock_skewed", .clockSkewed),
        .total("late", .late), .total("startup_unmeasured", .startupUnmeasured),
        .total("log_startup_compared", .logStartupCompared), .total("log_startup_disagree", .logStartupDisagree),
        .total("player_stalls_compared", .playerStallsCompared),
        .total("player_stalls_disagree", .playerStallsDisagree), .total("retries", .retries),
        .total("gave_up", .gaveUp),
    ]
}
