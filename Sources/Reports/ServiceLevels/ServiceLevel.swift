internal import Suggestions

/// A promise about a column of `summary.csv`: `startup_p95_ms < 1000 by cdnRegion where network=wifi`.
package struct ServiceLevel: Sendable, Hashable {
    package var column: String
    /// The figure is to be below the limit, otherwise above it.
    package var isBelow: Bool
    package var limit: Double
    /// Each group keeps the promise for itself; none: all plays together.
    package var dimensions: [PlayDimension]
    package var filters: [PlayFilter]
    /// The line as it was written.
    package var text: String
    /// Where it stands in its file, from 1.
    package var line: Int

    /// Reads a file of service levels, one a line; a word that begins with `#` begins a comment.
    ///
    /// - Throws: the first line that is none, and what would be right.
    package static func parse(_ text: String) throws(ReportRequestError) -> [ServiceLevel] {
        var levels: [ServiceLevel] = []
        // A line that ends in CR LF is one Character, so lines are told by scalars.
        // Some editors begin a file with a byte order mark.
        let scalars = text.unicodeScalars.drop { $0 == "\u{FEFF}" }
        for (index, line) in scalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = String(String.UnicodeScalarView(line)).split(whereSeparator: \.isWhitespace)
                .prefix { $0.unicodeScalars.first != "#" }
            guard !words.isEmpty else { continue }
            do {
                levels.append(try ServiceLevel(words.map(String.init), line: index + 1))
            } catch {
                throw ReportRequestError("line \(index + 1): \(error)")
            }
        }
        return levels
    }

    private init(_ words: [String], line: Int) throws(ReportRequestError) {
        guard words.count >= 3, words[1] == "<" || words[1] == ">", let limit = Double(words[2]), limit.isFinite else {
            throw ReportRequestError(
                "'\(words.joined(separator: " "))' is no service level: COLUMN < NUMBER or COLUMN > NUMBER, "
                    + "then 'by DIM,…' and 'where DIM=VALUE and …' if wanted")
        }
        guard GroupFigures.levelColumns[words[0]] != nil else {
            let known = GroupFigures.levelColumns.keys.sorted()
            let nearest = Spelling.nearest(to: words[0], among: known)
            throw ReportRequestError(
                "no column '\(words[0])': " + (nearest.map { "did you mean '\($0)'?" } ?? "the numbers of summary.csv"))
        }
        column = words[0]
        isBelow = words[1] == "<"
        self.limit = limit
        text = words.joined(separator: " ")
        self.line = line
        dimensions = []
        filters = []
        var rest = words[3...]
        if rest.first == "by" {
            guard rest.count >= 2 else { throw ReportRequestError("no dimension after 'by'") }
            let clause = rest.dropFirst().prefix { $0 != "where" }
            dimensions = try PlayDimension.list(clause.joined())
            guard !dimensions.contains(.day) else {
                throw ReportRequestError("a service level goes by groups of plays, not by day: choose days with --day")
            }
            rest = rest.dropFirst(1 + clause.count)
        }
        if rest.first == "where" {
            for condition in rest.dropFirst().split(separator: "and", omittingEmptySubsequences: false) {
                try Self.checkOrder(condition)
                filters.append(try PlayFilter(condition.joined(separator: " ")))
            }
            rest = []
        }
        if let word = rest.first {
            throw ReportRequestError("'\(word)' after the number: 'by DIM,…' or 'where DIM=VALUE' stands there")
        }
    }
}

extension ServiceLevel {
    /// A value may hold spaces, and so would swallow the groups that stand after it.
    private static func checkOrder(_ condition: ArraySlice<String>) throws(ReportRequestError) {
        guard let place = condition.firstIndex(of: "by"), place > condition.startIndex else { return }
        let clause = condition[place...].dropFirst()
        guard !clause.isEmpty, (try? PlayDimension.list(clause.joined())) != nil else { return }
        throw ReportRequestError("'by \(clause.joined(separator: " "))' stands before 'where'")
    }
}

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
        "plays": { exact($0.totals.plays) },
        "started": { exact($0.totals.started) },
        "measured": { exact($0.totals.measured) },
        "startup_p50_ms": { bounds($0.startupP50) },
        "startup_p50_low_ms": { exact($0.startupP50.interval.low) },
        "startup_p50_high_ms": { exact($0.startupP50.interval.high) },
        "startup_p95_ms": { bounds($0.startupP95) },
        "startup_p95_low_ms": { exact($0.startupP95.interval.low) },
        "startup_p95_high_ms": { exact($0.startupP95.interval.high) },
        "startup_within_target_ratio": { bounds($0.startupWithinTarget) },
        "watched_ms": { exact($0.totals.watchedMs) },
        "rebuffer_ratio": { bounds($0.rebuffering) },
        "rebuffer_low_ratio": { bounds($0.rebuffering.interval.low) },
        "rebuffer_high_ratio": { bounds($0.rebuffering.interval.high) },
        "stalls_per_hour": { bounds($0.stallsPerHour) },
        "failure_ratio": { bounds($0.failed) },
        "failure_low_ratio": { bounds($0.failed.interval.low) },
        "failure_high_ratio": { bounds($0.failed.interval.high) },
        "exits_before_start_ratio": { bounds($0.exitsBeforeStart) },
        "sessions": { exact($0.sessions) },
        "data_per_session_mean_bytes": {
            (
                $0.dataPerSessionMean.map { Double($0) }, $0.dataPerSessionInterval.low,
                $0.dataPerSessionInterval.high
            )
        },
        "data_per_session_p50_bytes": { exact($0.dataPerSessionP50) },
        "data_per_session_p95_bytes": { exact($0.dataPerSessionP95) },
        "memory_p50_bytes": { exact($0.memoryP50) },
        "memory_p95_bytes": { exact($0.memoryP95) },
        "late": { exact($0.totals.late) },
    ]
}
