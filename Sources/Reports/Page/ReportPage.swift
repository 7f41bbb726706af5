/// What the HTML page shows: a report of the whole range, its course over days, and each group against the others.
package struct ReportPage: Sendable {
    /// All metrics over the range as one period.
    var whole: ReportDocument
    /// The same groups day by day.
    var course: PlayReport
    /// Each group against the others day by day; nil when there is nothing to compare, or one day alone.
    var courseComparison: ComparisonReport?

    package var asOf: Int64? { whole.plays.asOf }
}

extension ReportMaker {
    /// Everything for the HTML page, from one moment of the store.
    ///
    /// - Parameter request: by which groups and over which days; whether by day does not matter.
    /// - Throws: what the store says of a query.
    package func page(_ request: ReportRequest) throws -> ReportPage {
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
            if document.comparison != nil, page.course.periods.count > 1 {
                page.courseComparison = try ComparisonMaker(store: store, request: byDay).report(.rest)
            }
            return page
        }
    }
}
