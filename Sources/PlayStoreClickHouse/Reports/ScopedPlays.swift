internal import ClickHouse
internal import PlayStore
internal import Reports

/// The plays that a question is about, as a subquery of ClickHouse's.
///
/// Its text is put together from a closed list of expressions and whole numbers; every word of a user is a literal.
struct ScopedPlays {
    let scope: PlayScope
    /// The table, with FINAL.
    let source: String
    /// Times of plays, ms since 1970; nil: every play.
    var range: Range<Int64>?
    /// Times of receipt, ms since 1970; nil: any.
    var received: Range<Int64>?
    /// A range that covers every play, so that the zone's changes in it are known.
    let span: Range<Int64>
    /// Dimensions beside those of the scope, whose values are strata.
    var strata: [PlayDimension] = []

    /// The groups that are named, where the others are one; nil: all.
    var named: [GroupKey]?

    /// `g1`, `g2` …: the values of a play's group.
    var groupNames: [String] { scope.dimensions.indices.map { "g\($0 + 1)" } }
    var stratumNames: [String] { strata.indices.map { "h\($0 + 1)" } }

    /// Several texts as one; of two that differ, the keys differ.
    static func key(of texts: [String]) -> String {
        // Old servers want at least two arguments.
        "concat('', ''\(texts.map { ", \($0), '\\0'" }.joined()))"
    }

    /// The same of values that are known.
    static func key(of values: GroupKey) -> String { values.values.map { $0.description + "\0" }.joined() }

    /// What a row's key stands for; -1 for one that is none of these.
    ///
    /// - Parameters:
    ///   - key: an expression.
    ///   - type: of the values: `toInt64`, `toFloat64`.
    static func lookup(_ key: String, _ values: [(GroupKey, String)], _ type: String) -> String {
        let keys = values.map { SQLText.literal(Self.key(of: $0.0)) }.joined(separator: ", ")
        let results = values.map { "\(type)(\($0.1))" }.joined(separator: ", ")
        return "transform(\(key), [\(keys)], [\(results)], \(type)(-1))"
    }

    /// A play's session, or the play itself where it has none; no session holds a NUL.
    private static let cluster = "coalesce(session_id, concat('\\0', toString(play_id)))"
    static let started = "(startup_ms IS NOT NULL OR watched_ms > 0)"
    static let failed = "error_code IS NOT NULL"
    static let exit = "(startup_ms IS NULL AND watched_ms = 0 AND error_code IS NULL)"
    static let quickExit = "(\(exit) AND coalesce(waited_ms, 1000) < 1000)"

    /// The subquery with these columns beside `s`, the cluster, and the values of groups and strata.
    ///
    /// - Parameter condition: one more that plays must meet.
    func query(_ columns: [String], isGrouped: Bool = true, where condition: String? = nil) -> String {
        query(
            columns, isGrouped: isGrouped,
            conditions: conditions(leavingOutDownloads: true) + [condition].compactMap { $0 })
    }

    /// The numbers of all plays with their groups, and whether they are left out or chosen.
    var arrivals: String {
        arrivals(of: source, groupValues, isLeftOut: isLeftOut, isChosen: isChosen, timeConditions)
    }

    /// The same of plays that were removed with their days, of which it is known who served them, and no more.
    ///
    /// - Parameter table: where that is noted, with FINAL.
    func arrivals(ofPruned table: String) -> String {
        let known: [PlayDimension] = [.cdnRegion, .cdn, .network, .source]
        guard (scope.dimensions + scope.filters.map(\.dimension)).allSatisfy(known.contains) else {
            return arrivals(of: table, groupNames.map { _ in "''" }, isLeftOut: "1", isChosen: "0", receipts)
        }
        return arrivals(of: table, groupValues, isLeftOut: isLeftOut, isChosen: isChosen, receipts)
    }

    private func arrivals(
        of table: String, _ groups: [String], isLeftOut: String, isChosen: String, _ conditions: [String]
    ) -> String {
        let named = zip(groupNames, groups).map { "\($1) AS \($0)" }
        let columns = named + ["arrival", "toUInt8(\(isLeftOut)) AS left_out", "toUInt8(\(isChosen)) AS chosen"]
        return """
            SELECT \(columns.joined(separator: ", "))
            FROM \(table)\(conditions.isEmpty ? "" : "\nWHERE \(conditions.joined(separator: " AND "))")
            """
    }

    private func query(_ columns: [String], isGrouped: Bool, conditions: [String]) -> String {
        var selected = ["\(Self.cluster) AS s"]
        if isGrouped { selected += zip(groupNames, groupValues).map { "\($1) AS \($0)" } }
        selected += zip(stratumNames, strata).map { "\(expression($1)) AS \($0)" }
        return """
            SELECT \((selected + columns).joined(separator: ", "))
            FROM \(source)\(conditions.isEmpty ? "" : "\nWHERE \(conditions.joined(separator: " AND "))")
            """
    }

    private var groupValues: [String] {
        let values = scope.dimensions.map(expression)
        guard let named else { return values }
        let keys = named.map { SQLText.literal($0.values.map { $0.description + "\0" }.joined()) }
        let isNamed = "\(Self.key(of: values)) IN (\(keys.joined(separator: ", ")))"
        return zip(values, GroupKey.other(values.count).values).map { "if(\(isNamed), \($0), '\($1)')" }
    }

    private var timeConditions: [String] {
        guard let range else { return receipts }
        let hours = hours(of: range)
        return receipts
            + [
                "day >= \(PlayHour.day(ofHour: hours.lowerBound)) AND day <= \(PlayHour.day(ofHour: hours.upperBound))",
                "hour >= \(hours.lowerBound) AND hour <= \(hours.upperBound)",
                "ended_at >= \(range.lowerBound) AND ended_at < \(range.upperBound)",
            ]
    }

    private var receipts: [String] {
        received.map { ["received_at >= \($0.lowerBound) AND received_at < \($0.upperBound)"] } ?? []
    }

    /// What plays must be.
    func conditions(leavingOutDownloads: Bool) -> [String] {
        var conditions = timeConditions
        conditions += scope.filters.map(condition)
        if scope.leavesOutDownloads {
            conditions.append("coalesce(source, '') \(leavingOutDownloads ? "<>" : "=") 'download'")
        }
        return conditions
    }

    /// Whether no CDN served a play, where the scope leaves such plays out.
    private var isLeftOut: String { scope.leavesOutDownloads ? "coalesce(source, '') = 'download'" : "0" }

    /// Whether the filters choose a play.
    private var isChosen: String {
        scope.filters.isEmpty ? "1" : "(\(scope.filters.map(condition).joined(separator: " AND ")))"
    }

    func expression(_ dimension: PlayDimension) -> String {
        switch dimension {
        case .hour: "toString(\(hour))"
        case .tag(let name):
            // No value of a tag is empty, so an empty text says that the tag is absent.
            "coalesce(nullIf(visitParamExtractString(coalesce(tags, ''), '\(name)'), ''), '\(dimension.absent)')"
        default: "coalesce(\(dimension.column), '\(dimension.absent)')"
        }
    }

    /// ``LocalHour/code`` of a play.
    private var hour: String {
        choice(
            scope.zone.stretches(in: span).map { stretch in
                let local = "(ended_at + \(stretch.offset))"
                return ("\(local) - \(local) % 3600000 + \(stretch.offset / 1_000 + LocalHour.bias)", stretch.end)
            })
    }

    /// Received more than an hour after its local day had ended.
    var late: String { "received_at - (\(choice(scope.zone.dayEnds(in: range ?? span)))) > 3600000" }

    /// One expression for each stretch of time, the last one open.
    private func choice(_ stretches: [(expression: String, end: Int64)]) -> String {
        guard let last = stretches.last, stretches.count > 1 else { return stretches.first?.expression ?? "0" }
        let cases = stretches.dropLast().map { "WHEN ended_at < \($0.end) THEN \($0.expression)" }
        return "CASE \(cases.joined(separator: " ")) ELSE \(last.expression) END"
    }

    private func condition(_ filter: PlayFilter) -> String {
        let isAny: String
        if filter.isAboutTime {
            let inside = filter.times(in: scope.zone).map {
                "(ended_at >= \($0.lowerBound) AND ended_at < \($0.upperBound))"
            }
            isAny = inside.isEmpty ? "1 = 0" : "(\(inside.joined(separator: " OR ")))"
        } else {
            let value = expression(filter.dimension)
            isAny =
                "(\(filter.alternatives.map { "\(value) = \(SQLText.literal($0))" }.joined(separator: " OR ")))"
        }
        return filter.isNegated ? "NOT \(isAny)" : isAny
    }
}

extension ReportZone {
    /// How the end of a play's local day follows from `ended_at`, stretch by stretch: days of 24 hours by one rule,
    /// a day on which clocks change by its own end.
    ///
    /// - Complexity: a few looks at the zone a day.
    fileprivate func dayEnds(in range: Range<Int64>) -> [(expression: String, end: Int64)] {
        let millisecondsPerDay: Int64 = 86_400_000
        var stretches: [(expression: String, end: Int64)] = []
        var day = day(of: range.lowerBound)
        var start = start(of: day)
        while start < range.upperBound {
            let end = self.start(of: day.advanced(by: 1))
            let offset = Int64(day.number) * millisecondsPerDay - start
            let isPlain = end - start == millisecondsPerDay && self.offset(at: start) == offset
            let expression =
                isPlain
                ? "ended_at + \(millisecondsPerDay) - (ended_at + \(offset)) % \(millisecondsPerDay)" : "\(end)"
            if stretches.last?.expression == expression {
                stretches[stretches.count - 1].end = end
            } else if end > start {
                stretches.append((expression, end))
            }
            (day, start) = (day.advanced(by: 1), end)
        }
        return stretches
    }
}
