/// What the HTML page shows: a report of the whole range, its course over days, and each group against the others.
package struct ReportPage: Sendable {
    /// All metrics over the range as one period.
    package var whole: ReportDocument
    /// The same groups day by day.
    var course: PlayReport
    /// In what groups are worse than the others; nil when there is nothing to compare.
    var troubles: GroupTroubles?
    /// The groups against the time before; nil when there is none.
    var previous: PreviousAnswer?
    /// What changed on the last days against the same weekdays before.
    package var changed: [ChangedSlice] = []
    /// There were too many plays or groups to look for what changed.
    var isChangeUnknown = false
    /// What its form offers to filter by.
    package var values: FilterValues = []
    /// Dimensions with so many values that the page shows all plays together in their place.
    var leftOut: [PlayDimension] = []

    package var asOf: Int64? { whole.plays.asOf }
}

extension ReportMaker {
    /// Everything for the HTML page, from one moment of the store; without groups where there would be too many, and without
    /// the rarest error codes.
    ///
    /// - Parameters:
    ///   - request: by which groups and over which days; whether by day does not matter.
    ///   - classes: what kind of trouble error codes are.
    ///   - isForSentences: what no sentence says is left out: what changed against the same weekdays before, error codes
    ///     without groups by them, delivery and receipts.
    /// - Throws: ``ReportLimitError`` when the page would be too large all the same; what the store says of a query.
    package func page(
        _ request: ReportRequest, _ classes: ErrorClasses = .standard, isForSentences: Bool = false
    ) throws -> ReportPage {
        do {
            return try wholePage(request, classes, looksForChanges: !isForSentences, isForSentences)
        } catch let error as ReportLimitError where error != .time && !request.dimensions.isEmpty {
            var ungrouped = request
            ungrouped.dimensions = []
            // Whoever invents that many names would make the search for what changed as long.
            var page = try wholePage(ungrouped, classes, looksForChanges: false, isForSentences)
            page.isChangeUnknown = !isForSentences
            page.leftOut = request.dimensions
            return page
        }
    }

    private func wholePage(
        _ request: ReportRequest, _ classes: ErrorClasses, looksForChanges: Bool, _ isForSentences: Bool
    ) throws -> ReportPage {
        try store.snapshot {
            try checkFilters(request.filters)
            var (whole, byDay) = (limited(request), limited(request))
            (whole.isByDay, byDay.isByDay) = (false, true)
            // Range and days in one reading.
            let periods = try ReportPeriod.periods(of: whole, in: store).filter { $0.range?.isEmpty != true }
            let days = try ReportPeriod.periods(of: byDay, in: store)
            var question = SumsQuestion(
                PlayScope(whole), periods: (periods + days).map(\.range),
                otherSide: request.dimensions.isEmpty ? nil : .rest)
            question.add(percents: request.percents)
            let sums = periods.isEmpty ? [] : try store.sums(question)
            let (wholeSums, daySums) = (Array(sums.prefix(periods.count)), Array(sums.dropFirst(periods.count)))
            let plays = try report(whole, question, periods, wholeSums)
            let needsCodes = !isForSentences && whole.withoutErrorCode != whole
            var document = ReportDocument(
                request: whole, metrics: ReportMetric.allCases, plays: plays,
                failures: needsCodes ? try self.plays(whole.withoutErrorCode) : plays)
            if !isForSentences {
                document.delivery = try delivery(plays)
                document.receipts = try receipts(plays)
            }
            document.sampled = try sampled(plays)
            var page = ReportPage(whole: document, course: try report(byDay, question, days, daySums))
            page.previous = try previous(whole, classes)
            if looksForChanges { try addChanged(request, classes, to: &page) }
            let groups = plays.periods.first?.groups.count ?? 0
            guard !request.dimensions.isEmpty, groups >= 2 else { return page }
            let mix = ComparisonRequest(.rest, adjust: request.isOfOneNetwork ? [] : [.network])
            var wholeQuestion = SumsQuestion(PlayScope(whole), periods: periods.map(\.range), otherSide: .rest)
            wholeQuestion.add(percents: request.percents)
            let comparison = try self.comparison(whole, mix, periods, wholeQuestion, wholeSums)
            page.whole.comparison = comparison
            var offline: Set<GroupNames> = []
            if comparison.periods.first?.comparisons.contains(where: { $0.metric == .failed && $0.isWorse }) == true {
                offline = try excused(whole, ComparisonRequest(.rest), classes)
            }
            guard page.course.periods.count > 1 else {
                page.troubles = GroupTroubles(whole: comparison, offline: offline)
                return page
            }
            let byDays = try self.comparison(byDay, ComparisonRequest(.rest), days, question, daySums)
            var troubles = GroupTroubles(whole: comparison, days: byDays, course: page.course, offline: offline)
            for index in troubles.badDays.indices.prefix(Self.mostLookedInto) {
                troubles.badDays[index].hours = try worstHours(of: troubles.badDays[index], byDay)
            }
            page.troubles = troubles
            return page
        }
    }

    /// So many bad days are looked into hour by hour, at most.
    private static let mostLookedInto = 5

    private func worstHours(of day: BadDay, _ page: ReportRequest) throws -> WorstHours? {
        guard let clearest = day.clearest, let measure = clearest.metric.measure, let reference = clearest.reference,
            let (scope, range) = day.plays(page)
        else { return nil }
        let isComplement = clearest.metric.isBetterHigh
        let rate = isComplement ? 1 - reference : reference / clearest.metric.scale
        return try WorstHours.find(store, scope, range, measure, isComplement: isComplement, reference: rate)
    }

    /// With more plays than this a page that has to be there in time does not look for what changed.
    private static let mostLookedThrough: Int64 = 2_000_000

    private func addChanged(_ request: ReportRequest, _ classes: ErrorClasses, to page: inout ReportPage) throws {
        let days = page.course.periods.compactMap(\.range).suffix(7)
        guard let first = days.first, let last = days.last else { return }
        if limits.end != nil {
            let start = first.lowerBound - Int64(7 * WhatChanged.weeks) * millisecondsPerDay
            let plays = try store.hours(in: hours(of: start..<last.upperBound)).reduce(0) { $0 + $1.plays }
            guard plays <= Self.mostLookedThrough else {
                page.isChangeUnknown = true
                return
            }
        }
        page.changed = try findChanged(request, classes)
    }
}

extension ReportRequest {
    /// Networks are what groups are made of, or one of them is all that is looked at.
    fileprivate var isOfOneNetwork: Bool {
        dimensions.contains(.network) || filters.contains { $0.dimension == .network && !$0.isNegated }
    }
}

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
