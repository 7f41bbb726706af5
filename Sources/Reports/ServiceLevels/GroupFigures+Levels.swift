extension GroupFigures {
    /// A figure of `summary.csv` with the ends of its interval; a column that has none is its own interval.
    typealias Bounds = (value: Double?, low: Double?, high: Double?)

    private static func exact(_ value: (some BinaryInteger)?) -> Bounds {
        let value = value.map { Double($0) }
        return (value, value, value)
    }

    private static func bounds(_ figure: Figure<Double>) -> Bounds {
        (figure.value, figure.interval.low, figure.interval.high)
    }

    private static func bounds(_ figure: Figure<Int64>) -> Bounds {
        (figure.value.map(Double.init), figure.interval.low.map(Double.init), figure.interval.high.map(Double.init))
    }

    private static func bounds(_ value: Double?) -> Bounds { (value, value, value) }

    /// The columns of `summary.csv` that a service level may be about.
    static let levelColumns: [String: @Sendable (GroupFigures) -> Bounds] = [
        "plays": { exact($0.totals[.plays]) },
        "started": { exact($0.totals[.started]) },
        "measured": { exact($0.totals[.measured]) },
        "startup_p50_ms": { bounds($0.startupP50) },
        "startup_p50_low_ms": { exact($0.startupP50.interval.low) },
        "startup_p50_high_ms": { exact($0.startupP50.interval.high) },
        "startup_p95_ms": { bounds($0.startupP95) },
        "startup_p95_low_ms": { exact($0.startupP95.interval.low) },
        "startup_p95_high_ms": { exact($0.startupP95.interval.high) },
        "startup_within_target_ratio": { bounds($0.startupWithinTarget) },
        "watched_ms": { exact($0.totals[.watchedMs]) },
        "rebuffer_ratio": { bounds($0.rebuffering) },
        "rebuffer_low_ratio": { bounds($0.rebuffering.interval.low) },
        "rebuffer_high_ratio": { bounds($0.rebuffering.interval.high) },
        "stalls_per_hour": { bounds($0.stallsPerHour) },
        "failure_ratio": { bounds($0.failed) },
        "failure_low_ratio": { bounds($0.failed.interval.low) },
        "failure_high_ratio": { bounds($0.failed.interval.high) },
        "exits_before_start_ratio": { bounds($0.exitsBeforeStart) },
        "sessions": { exact($0.data.sessions) },
        "data_per_session_mean_bytes": {
            (
                $0.dataPerSessionMean.map { Double($0) }, $0.dataPerSessionInterval.low,
                $0.dataPerSessionInterval.high
            )
        },
        "data_per_session_p50_bytes": { exact($0.data.p50) },
        "data_per_session_p95_bytes": { exact($0.data.p95) },
        "memory_p50_bytes": { exact($0.memory.p50) },
        "memory_p95_bytes": { exact($0.memory.p95) },
        "late": { exact($0.totals[.late]) },
    ]
}
