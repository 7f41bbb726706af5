/// What the HTML page shows: a report of the whole range, its course over days, and each group against the others.
package struct ReportPage: Sendable {
    /// All metrics over the range as one period.
    var whole: ReportDocument
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
            var whole = request
            whole.isByDay = false
            var byDay = request
            byDay.isByDay = true
            var document = try read(ReportMetric.allCases, whole, comparing: nil)
            let groups = document.plays.periods.first?.groups.count ?? 0
            if !whole.dimensions.isEmpty, (2...ComparisonMaker.mostGroups).contains(groups) {
                document.comparison = try ComparisonMaker(store: store, request: whole).report(.rest)
            }
            var page = ReportPage(whole: document, course: try plays(byDay))
            page.troubles = try document.comparison.map { try troubles($0, page.course, byDay) }
            return page
        }
    }

    /// So many bad days are looked into hour by hour, at most.
    private static let mostLookedInto = 5

    private func troubles(
        _ whole: ComparisonReport, _ course: PlayReport, _ byDay: ReportRequest
    ) throws -> GroupTroubles {
        guard course.periods.count > 1 else { return GroupTroubles(whole: whole) }
        let days = try ComparisonMaker(store: store, request: byDay).report(.rest)
        var troubles = GroupTroubles(whole: whole, days: days, course: course)
        for index in troubles.badDays.indices.prefix(Self.mostLookedInto) {
            troubles.badDays[index].hours = try worstHours(of: troubles.badDays[index], byDay)
        }
        return troubles
    }

    private func worstHours(of day: BadDay, _ page: ReportRequest) throws -> WorstHours? {
        guard let clearest = day.clearest, let request = day.request(page) else { return nil }
        return WorstHours(try plays(request).periods.first?.groups ?? [], clearest)
    }
}
