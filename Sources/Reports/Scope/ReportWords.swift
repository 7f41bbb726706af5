/// What somebody said of the report that he wants, word by word as a command line or a query has it; nil is not said.
package struct ReportWords: Sendable, Hashable {
    package var day: String?
    package var from: String?
    package var to: String?
    package var timeZone: String?
    package var by: String?
    package var filters: [String] = []
    package var targetMs: String?

    /// More than anybody means: every filter is looked at for every play, and is a condition of ClickHouse's queries.
    package static let mostFilters = 100

    package init() {}

    /// The report that the words mean.
    ///
    /// - Parameter now: when `yesterday` is looked up, ms since 1970.
    /// - Throws: which word is wrong, and what would be right.
    package func request(now: Int64) throws(ReportRequestError) -> ReportRequest {
        let zone = try ReportZone(named: timeZone ?? "UTC")
        guard self.filters.count <= Self.mostFilters else {
            throw ReportRequestError("\(self.filters.count) filters: a report has \(Self.mostFilters) at the most")
        }
        var filters: [PlayFilter] = []
        for filter in self.filters { filters.append(try PlayFilter(filter)) }
        var target: Int64 = 1_000
        if let targetMs {
            guard let ms = Int64(targetMs), (0...3_600_000).contains(ms) else {
                throw ReportRequestError("the target \"\(targetMs)\" should be whole ms, 0 to 3600000")
            }
            target = ms
        }
        return ReportRequest(
            days: try days(zone: zone, now: now), by: try PlayDimension.list(by ?? "cdnRegion"), filters: filters,
            zone: zone, targetMs: target)
    }

    private func days(zone: ReportZone, now: Int64) throws(ReportRequestError) -> ReportRequest.Days {
        func calendarDay(_ text: String) throws(ReportRequestError) -> CalendarDay {
            if text == "yesterday" { return zone.day(of: now).advanced(by: -1) }
            if text == "today" { return zone.day(of: now) }
            guard let day = CalendarDay(text) else {
                throw ReportRequestError("\"\(text)\" should be a day such as 2026-11-29, yesterday or today")
            }
            return day
        }
        switch (day, from, to) {
        case (nil, nil, nil): return .all
        case (let day?, nil, nil): return .day(try calendarDay(day))
        case (nil, let from?, let to?):
            let (first, last) = (try calendarDay(from), try calendarDay(to))
            guard first <= last else {
                throw ReportRequestError("the range begins on \(first), after its end on \(last)")
            }
            return .range(first, last)
        case (nil, nil, _?): throw ReportRequestError("a range that ends needs the day that it begins on: from")
        case (nil, _?, nil): throw ReportRequestError("a range that begins needs the day that it ends on: to")
        default: throw ReportRequestError("a day and a range (from, to) don't go together")
        }
    }
}
