/// Groups against themselves in as long a time before, and since when those that are worse are so.
struct PreviousAnswer: Sendable {
    var report: ComparisonReport
    /// `the week before`, `the same length of time before`.
    var words: String
    /// The judged figures by which groups are worse.
    var worse: [Comparison] = []
    /// The day on which it began, where days were asked for and one can be told.
    var since: [GroupNames: CalendarDay] = [:]
}

extension ReportMaker {
    /// - Returns: nil for a time without a beginning, or without plays before it.
    func previous(_ request: ReportRequest, _ classes: ErrorClasses) throws -> PreviousAnswer? {
        guard let range = request.range, !request.dimensions.isEmpty else { return nil }
        var report = try compare(request, ComparisonRequest(.previous))
        let comparisons = report.periods.first?.comparisons ?? []
        guard comparisons.contains(where: { $0.reference != nil }) else { return nil }
        report.request = request
        let first = request.zone.day(of: range.lowerBound)
        let days = request.zone.day(of: range.upperBound - 1).number - first.number + 1
        var isWindow = false
        if case .window = request.days { isWindow = true }
        let ofDays = days == 7 ? "the week before" : days == 1 ? "the day before" : "the \(days) days before"
        let words = isWindow ? "the same length of time before" : ofDays
        var answer = PreviousAnswer(report: report, words: words)
        answer.worse = comparisons.filter { $0.isWorse && $0.metric.isJudged }
        if answer.worse.contains(where: { $0.metric == .failed }) {
            let excused = try excused(request, ComparisonRequest(.previous), classes)
            answer.worse.removeAll { $0.metric == .failed && excused.contains($0.names) }
        }
        // A time that begins and ends anywhere has no days to tell apart.
        guard !isWindow else { return answer }
        var seen: Set<GroupNames> = []
        for comparison in answer.worse.sorted(by: { $0.p ?? 1 < $1.p ?? 1 })
        where seen.insert(comparison.names).inserted && seen.count <= 3 {
            answer.since[comparison.names] = try since(comparison, request, first.advanced(by: -days), days * 2)
        }
        return answer
    }

    /// The groups that are not worse by failures when those of viewers who were offline are left out.
    func excused(
        _ request: ReportRequest, _ comparison: ComparisonRequest, _ classes: ErrorClasses
    ) throws -> Set<GroupNames> {
        let codes = Set(try plays(request).periods.flatMap { $0.all.failures }.map(\.code))
            .filter { classes.kind(of: $0) == .offline }
        guard !codes.isEmpty else { return [] }
        var without = request
        without.filters += codes.sorted().map { PlayFilter(.errorCode, $0, isNegated: true) }
        let report = try compare(without, comparison)
        return Set(
            report.periods.flatMap(\.comparisons)
                .filter { $0.metric == .failed && $0.verdict != .worse && $0.verdict != .perhapsWorse }
                .map(\.names))
    }

    /// The first of the last days of which a group's figure differs from what it was before, as a run of days that ends with
    /// the last; by the rule for hours.
    private func since(
        _ comparison: Comparison, _ request: ReportRequest, _ first: CalendarDay, _ count: Int
    ) throws -> CalendarDay? {
        guard let measure = comparison.metric.measure, let reference = comparison.reference, count > 2 else {
            return nil
        }
        let isComplement = comparison.metric == .startupWithinTarget
        let days = (0..<count).map { first.advanced(by: $0) }
        var scope = PlayScope(request)
        scope.filters += zip(request.dimensions, comparison.names).map { PlayFilter($0, $1) }
        scope.dimensions = []
        let periods = ReportPeriod.days(days, request.zone)
        let counts = try store.sums(SumsQuestion(scope, periods: periods.map(\.range))).map { period in
            let sums = period.all.ratios[measure]
            return (base: Double(sums.base), events: Double((isComplement ? sums.complement : sums).events))
        }
        let half = counts.suffix(count / 2)
        let base = half.reduce(0) { $0 + $1.base }
        guard base > 0 else { return nil }
        let before = isComplement ? 1 - reference : reference / comparison.metric.scale
        let middle = (before + half.reduce(0) { $0 + $1.events } / base) / 2
        var (sum, best) = (0.0, (sum: 0.0, index: counts.count))
        for index in counts.indices.reversed() where index > 0 {
            sum += counts[index].events - middle * counts[index].base
            if sum > best.sum { best = (sum, index) }
        }
        guard best.index < counts.count, let start = periods[best.index].range?.lowerBound,
            let from = periods.first?.range?.lowerBound, let end = periods.last?.range?.upperBound, from < start
        else { return nil }
        let parts = try RunParts.find(store, scope, [start..<end, from..<start], measure, isComplement: isComplement)
        guard parts.differs(runs: counts.count - 1) else { return nil }
        return periods[best.index].name.flatMap { CalendarDay($0) }
    }
}
