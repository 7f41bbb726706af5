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

    /// The same for whoever looks again and again.
    ///
    /// - Parameter earlier: kept from one look to the next. The days before a window then end with the hour in which it begins:
    ///   what the window has itself is in no group that is missed.
    package func check(
        _ levels: [ServiceLevel], _ request: ReportRequest, now: Int64? = nil, earlier: inout EarlierGroups
    ) throws -> [ServiceLevelResult] {
        try store.snapshot {
            var check = ServiceLevelCheck(maker: self, earlier: earlier)
            let results = try levels.flatMap { try check.results($0, request, now: now) }
            earlier = check.earlier ?? earlier
            return results
        }
    }
}

/// The groups of the days before some windows. They cost more to count than the windows, and hardly change within an hour.
package struct EarlierGroups: Sendable {
    private var known: [ReportRequest: [GroupNames: Int64]] = [:]
    private var used: Set<ReportRequest> = []

    package init() {}

    fileprivate mutating func groups(_ request: ReportRequest) -> [GroupNames: Int64]? {
        guard let groups = known[request] else { return nil }
        used.insert(request)
        return groups
    }

    fileprivate mutating func keep(_ groups: [GroupNames: Int64], of request: ReportRequest) {
        known[request] = groups
        used.insert(request)
    }

    /// Forgets what nobody has asked for since this was last called: the days before windows of earlier hours.
    package mutating func forgetUnused() {
        known = known.filter { used.contains($0.key) }
        used = []
    }
}

/// Judges levels one after the other; levels about the same plays share a report.
private struct ServiceLevelCheck {
    let maker: ReportMaker
    /// What is kept for the next look; nil where there is none.
    private(set) var earlier: EarlierGroups?
    private var reports: [ReportRequest: PlayReport] = [:]
    private var before: [ReportRequest: [GroupNames: Int64]] = [:]

    init(maker: ReportMaker, earlier: EarlierGroups? = nil) {
        self.maker = maker
        self.earlier = earlier
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
        if report.periods.isEmpty {
            var result = ServiceLevelResult(withoutPlays: level, request, nil)
            if earlier != nil, level.dimensions.isEmpty, let range = request.range {
                result.playsBefore = try groups(request, before: range).values.reduce(0, +)
            }
            results.append(result)
        }
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
        var periods = report.periods.map { (name: $0.name, range: $0.range, present: Set($0.groups.map(\.names))) }
        // Of whoever looks again and again each group is told, also when none has plays.
        if periods.isEmpty, earlier != nil { periods = [(request.days.name(in: request.zone), request.range, [])] }
        for period in periods {
            guard let range = period.range else { continue }
            let present = period.present
            // Where groups stand together in one row, it may be any of those that are missing.
            guard !present.contains(request.namesOfOther) else { continue }
            let before = try groups(request, before: range)
            let missing = before.filter { !present.contains($0.key) }.sorted { one, other in
                one.value != other.value
                    ? one.value > other.value
                    : one.key.key.values.lexicographicallyPrecedes(other.key.key.values)
            }
            for (names, plays) in missing {
                var result = ServiceLevelResult(withoutPlays: level, request, nil)
                (result.period, result.range, result.names) = (period.name, range, names)
                result.playsBefore = plays
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
        var end = range.lowerBound
        if earlier != nil {
            end = floorQuotient(end + millisecondsPerHour - 1, millisecondsPerHour) * millisecondsPerHour
        }
        request.days = .window(end - days..<end)
        request.isByDay = false
        if let known = earlier?.groups(request) ?? before[request] { return known }
        let limited = maker.limited(request)
        var groups: [GroupNames: Int64] = [:]
        for (key, plays) in try maker.store.counts(PlayScope(limited), in: request.range) {
            groups[limited.names(key)] = plays
        }
        before[request] = groups
        earlier?.keep(groups, of: request)
        return groups
    }
}
