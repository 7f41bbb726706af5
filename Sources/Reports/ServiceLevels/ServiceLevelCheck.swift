extension ReportMaker {
    /// Holds the plays of a request's days against service levels.
    ///
    /// - Parameters:
    ///   - request: days, zone, target and filters; each level brings its own groups, and filters of its own.
    ///   - now: where the window of a level ends that has one, ms since 1970; nil: the request's days are meant.
    /// - Returns: a result for each level, period and group, in the order of the levels, and one for each group that has
    ///   had plays in the seven days before a period and has none in it.
    /// - Throws: what the store says of a query.
    package func check(
        _ levels: [ServiceLevel], _ request: ReportRequest, now: Int64? = nil
    ) throws -> [ServiceLevelResult] {
        try store.snapshot {
            var check = ServiceLevelCheck(maker: self)
            return try levels.flatMap { try check.results($0, request, now: now) }
        }
    }
}

/// Judges levels one after the other; levels about the same plays share a report.
private struct ServiceLevelCheck {
    let maker: ReportMaker
    private var reports: [ReportRequest: PlayReport] = [:]
    private var before: [ReportRequest: [GroupNames: Int64]] = [:]

    init(maker: ReportMaker) {
        self.maker = maker
    }

    mutating func results(
        _ level: ServiceLevel, _ request: ReportRequest, now: Int64?
    ) throws -> [ServiceLevelResult] {
        var request = request
        request.dimensions = level.dimensions
        request.filters += level.filters
        if let now, let window = level.window {
            let end = Moment(milliseconds: now).endOfMinute.milliseconds
            request.days = .window(end - window.milliseconds..<end)
        }
        for filter in request.filters {
            if let unknown = try maker.unknownValue(of: filter) {
                return [ServiceLevelResult(withoutPlays: level, request, unknown)]
            }
        }
        let report = try reports[request] ?? maker.plays(request)
        reports[request] = report
        var results: [ServiceLevelResult] = []
        if report.periods.isEmpty { results.append(ServiceLevelResult(withoutPlays: level, request, nil)) }
        for period in report.periods {
            let groups = level.dimensions.isEmpty ? [period.all] : period.groups.filter { $0.totals[.plays] > 0 }
            results += groups.map { ServiceLevelResult(level, period.name, period.range, $0) }
        }
        return try results + vanished(level, request, report)
    }

    /// A group without a play in a period is missed when it has had one in so many days before.
    private static let missedForDays: Int64 = 7

    private mutating func vanished(
        _ level: ServiceLevel, _ request: ReportRequest, _ report: PlayReport
    ) throws -> [ServiceLevelResult] {
        guard !level.dimensions.isEmpty, !level.dimensions.contains(.hour) else { return [] }
        var results: [ServiceLevelResult] = []
        for period in report.periods {
            guard let range = period.range else { continue }
            let present = Set(period.groups.map(\.names))
            let before = try groups(request, before: range)
            let missing = before.filter { !present.contains($0.key) }.sorted { one, other in
                one.value != other.value
                    ? one.value > other.value
                    : one.key.key.values.lexicographicallyPrecedes(other.key.key.values)
            }
            for (names, plays) in missing {
                var result = ServiceLevelResult(withoutPlays: level, request, nil)
                (result.period, result.range, result.names) = (period.name, range, names)
                let count = HumanNumber.count(plays).value
                result.reason = "\(count) \(plays == 1 ? "play" : "plays") in the seven days before, none in this time"
                results.append(result)
            }
        }
        return results
    }

    private mutating func groups(
        _ request: ReportRequest, before range: Range<Int64>
    ) throws -> [GroupNames: Int64] {
        var request = request
        let days = Self.missedForDays * millisecondsPerDay
        request.days = .window(range.lowerBound - days..<range.lowerBound)
        request.isByDay = false
        if let known = before[request] { return known }
        let limited = maker.limited(request)
        var groups: [GroupNames: Int64] = [:]
        for (key, plays) in try maker.store.counts(PlayScope(limited), in: request.range) {
            groups[limited.names(key)] = plays
        }
        before[request] = groups
        return groups
    }
}
