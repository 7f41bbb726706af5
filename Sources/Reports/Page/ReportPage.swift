/// What the HTML page shows: a report of the whole range, its course over days, and each group against the others.
package struct ReportPage: Sendable {
    /// All metrics over the range as one period.
    package var whole: ReportDocument
    /// The same groups day by day.
    var course: PlayReport
    /// In what groups are worse than the others; nil when there is nothing to compare.
    var troubles: GroupTroubles?
    /// Dimensions with so many values that the page shows all plays together in their place.
    var leftOut: [PlayDimension] = []

    package var asOf: Int64? { whole.plays.asOf }
}

extension ReportMaker {
    /// Everything for the HTML page, from one moment of the store; without groups where there would be too many, and without
    /// the rarest error codes.
    ///
    /// - Parameter request: by which groups and over which days; whether by day does not matter.
    /// - Throws: ``ReportLimitError`` when the page would be too large all the same; what the store says of a query.
    package func page(_ request: ReportRequest) throws -> ReportPage {
        do {
            return try wholePage(request)
        } catch let error as ReportLimitError where error != .time && !request.dimensions.isEmpty {
            var ungrouped = request
            ungrouped.dimensions = []
            var page = try wholePage(ungrouped)
            page.leftOut = request.dimensions
            return page
        }
    }

    private func wholePage(_ request: ReportRequest) throws -> ReportPage {
        try store.snapshot {
            try checkFilters(request.filters)
            var (whole, byDay) = (limited(request), limited(request))
            (whole.isByDay, byDay.isByDay) = (false, true)
            // Range and days in one reading.
            let periods = try ReportPeriod.periods(of: whole, in: store).filter { $0.range?.isEmpty != true }
            let days = try ReportPeriod.periods(of: byDay, in: store)
            let question = SumsQuestion(
                PlayScope(whole), periods: (periods + days).map(\.range),
                otherSide: request.dimensions.isEmpty ? nil : .rest)
            let sums = periods.isEmpty ? [] : try store.sums(question)
            let (wholeSums, daySums) = (Array(sums.prefix(periods.count)), Array(sums.dropFirst(periods.count)))
            let plays = try report(whole, question, periods, wholeSums)
            var document = ReportDocument(
                request: whole, metrics: ReportMetric.allCases, plays: plays,
                failures: whole.withoutErrorCode == whole ? plays : try self.plays(whole.withoutErrorCode))
            document.delivery = try delivery(plays)
            document.receipts = try receipts(plays)
            document.sampled = try sampled(plays)
            var page = ReportPage(whole: document, course: try report(byDay, question, days, daySums))
            let groups = plays.periods.first?.groups.count ?? 0
            guard !request.dimensions.isEmpty, groups >= 2 else { return page }
            let comparison = try self.comparison(whole, ComparisonRequest(.rest), periods, question, wholeSums)
            page.whole.comparison = comparison
            guard page.course.periods.count > 1 else {
                page.troubles = GroupTroubles(whole: comparison)
                return page
            }
            let byDays = try self.comparison(byDay, ComparisonRequest(.rest), days, question, daySums)
            var troubles = GroupTroubles(whole: comparison, days: byDays, course: page.course)
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
        guard let clearest = day.clearest, let request = day.request(page) else { return nil }
        return WorstHours((try plays(request).periods.first?.groups ?? []).filter { $0.totals[.plays] > 0 }, clearest)
    }
}
