/// The plays that a query is about and the groups that they fall into, as one subquery over `plays`.
///
/// Its text is put together from a closed list of expressions and whole numbers; every word of a user is a bound value.
struct PlayScope {
    var dialect: SQLDialect
    var zone: ReportZone
    /// Times of plays, ms since 1970. Nil: every play; then ``span`` says where they lie.
    var range: Range<Int64>?
    /// Times of receipt, ms since 1970; nil: all.
    var receipts: Range<Int64>?
    /// A range that covers every play of the scope, so that the zone's changes in it are known.
    var span: Range<Int64>
    var dimensions: [PlayDimension]
    var filters: [PlayFilter]
    var leavesOutDownloads: Bool
    var targetMs: Int64
    /// More groups than this end the count.
    var mostGroups: Int
    var thresholds: StartupThresholds?
    /// Where the period begins when the scope holds the time before it too, ms since 1970.
    var boundary: Int64?

    init(_ request: ReportRequest, dialect: SQLDialect, range: Range<Int64>?, span: Range<Int64>) {
        self.dialect = dialect
        self.zone = request.zone
        self.range = range
        self.span = span
        self.dimensions = request.dimensions
        self.filters = request.filters
        self.leavesOutDownloads = request.leavesOutDownloads
        self.targetMs = request.targetMs
        self.mostGroups = request.mostGroups
    }

    /// - Throws: ``ReportLimitError/groups(most:)`` when there are more groups than there may be.
    func check(groups: Int) throws(ReportLimitError) {
        if groups > mostGroups { throw .groups(most: mostGroups) }
    }

    /// The subquery with the columns asked for, and its bound values in their order.
    ///
    /// A query that asks for ``ScopeColumn/isChosen`` sees the plays that the filters don't choose, too; one that asks for
    /// ``ScopeColumn/isLeftOut`` sees the plays that no CDN served.
    func query(_ columns: [ScopeColumn]) -> (sql: String, parameters: [SQLValue]) {
        var parameters: [SQLValue] = []
        let lines = columns.map { column in
            switch column {
            case .isAtMostP50, .isAtMostP95: parameters += thresholds?.parameters ?? []
            case .isChosen: parameters += filterValues
            default: break
            }
            return column.expression(in: self).map { "\($0) AS \(column.rawValue)" } ?? column.rawValue
        }
        var conditions = timeConditions
        if leavesOutDownloads, !columns.contains(.isLeftOut) { conditions.append("coalesce(source, '') <> 'download'") }
        if !columns.contains(.isChosen) {
            conditions += filterConditions
            parameters += filterValues
        }
        if let thresholds, let (condition, values) = thresholds.groupCondition {
            conditions.append(condition)
            parameters += values
        }
        var sql = "SELECT\n    " + lines.joined(separator: ",\n    ") + "\nFROM plays"
        if !conditions.isEmpty { sql += "\nWHERE " + conditions.joined(separator: "\n    AND ") }
        return (sql, parameters)
    }

    /// The UTC hours since 1970 that hold its range, nil for all of them.
    var hours: ClosedRange<Int64>? {
        range.map { Reports.hours(of: $0) }
    }

    private var timeConditions: [String] {
        var conditions: [String] = []
        if let range, let hours {
            conditions.append("hour >= \(hours.lowerBound) AND hour <= \(hours.upperBound)")
            conditions.append("ended_at >= \(range.lowerBound) AND ended_at < \(range.upperBound)")
        }
        if let receipts {
            conditions.append("received_at >= \(receipts.lowerBound) AND received_at < \(receipts.upperBound)")
        }
        return conditions
    }

    // MARK: Groups

    /// The text or the number that the plays of a group share in one of the three group columns.
    func groupExpression(_ index: Int) -> String {
        index < dimensions.count ? expression(dimensions[index]) : "''"
    }

    private func expression(_ dimension: PlayDimension) -> String {
        switch dimension {
        case .hour: hourExpression
        case .tag(let name): "coalesce(\(dialect.tag(name)), '\(dimension.absent)')"
        default: "coalesce(\(dimension.column), '\(dimension.absent)')"
        }
    }

    /// ``LocalHour/code`` of a play.
    private var hourExpression: String {
        choice(zone.stretches(in: span).map { (LocalHour.code(offset: $0.offset), $0.end) })
    }

    /// When the local day of a play ends, ms since 1970.
    var dayEndExpression: String {
        choice(zone.dayEnds(in: range ?? span))
    }

    /// One expression for each stretch of time, the last one open.
    private func choice(_ stretches: [(expression: String, end: Int64)]) -> String {
        guard let last = stretches.last, stretches.count > 1 else { return stretches.first?.expression ?? "0" }
        let cases = stretches.dropLast().map { "WHEN ended_at < \($0.end) THEN \($0.expression)" }
        return "CASE \(cases.joined(separator: " ")) ELSE \(last.expression) END"
    }

    // MARK: Filters

    var filterConditions: [String] { filters.map { condition($0).0 } }

    var filterValues: [SQLValue] { filters.flatMap { condition($0).1 } }

    private func condition(_ filter: PlayFilter) -> (String, [SQLValue]) {
        guard filter.isAboutTime else {
            return ("\(expression(filter.dimension)) \(filter.isNegated ? "<>" : "=") ?", [.text(filter.value)])
        }
        guard let times = filter.times(in: zone) else { return (filter.isNegated ? "1 = 1" : "1 = 0", []) }
        return filter.isNegated
            ? ("(ended_at < \(times.lowerBound) OR ended_at >= \(times.upperBound))", [])
            : ("(ended_at >= \(times.lowerBound) AND ended_at < \(times.upperBound))", [])
    }
}

extension PlayFilter {
    var isAboutTime: Bool { dimension == .day || dimension == .hour }

    /// The times of plays that a day or an hour stands for, ms since 1970; nil when no play can be in it.
    func times(in zone: ReportZone) -> Range<Int64>? {
        if dimension == .day { return CalendarDay(value).map { zone.range(from: $0, to: $0) } }
        guard let hour = LocalHour(label: value) else { return nil }
        // The part of a wall clock's hour in which the zone has the hour's offset.
        var start = hour.start
        for stretch in zone.stretches(in: start..<start + millisecondsPerHour) {
            let end = min(stretch.end, hour.start + millisecondsPerHour)
            if stretch.offset == hour.offset, start < end { return start..<end }
            start = max(start, end)
        }
        return nil
    }
}

extension ReportZone {
    /// How the end of a play's local day follows from `ended_at`, stretch by stretch: days of 24 hours by one rule,
    /// a day on which clocks change by its own end.
    ///
    /// - Complexity: a few looks at the zone a day.
    func dayEnds(in range: Range<Int64>) -> [(expression: String, end: Int64)] {
        var stretches: [(expression: String, end: Int64)] = []
        var day = day(of: range.lowerBound)
        var start = start(of: day)
        while start < range.upperBound {
            let end = self.start(of: day.advanced(by: 1))
            let offset = Int64(day.number) * millisecondsPerDay - start
            let isPlain = end - start == millisecondsPerDay && self.offset(at: start) == offset
            let expression =
                isPlain
                ? "ended_at + \(millisecondsPerDay) - \(local(offset)) % \(millisecondsPerDay)" : "\(end)"
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

/// The UTC hours since 1970 that hold a range of ms.
func hours(of range: Range<Int64>) -> ClosedRange<Int64> {
    let first = floorQuotient(range.lowerBound, millisecondsPerHour)
    return first...max(first, floorQuotient(range.upperBound - 1, millisecondsPerHour))
}

/// `ended_at` on a wall clock that differs from UTC by `offset` ms.
func local(_ offset: Int64) -> String {
    offset == 0 ? "ended_at" : "(ended_at + \(offset))"
}
