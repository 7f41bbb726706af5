/// What somebody said of the report that he wants, word by word as a command line or a query has it; nil is not said.
package struct ReportWords: Sendable, Hashable {
    package var day: String?
    package var from: String?
    package var to: String?
    /// So much time until now: `15m`.
    package var last: String?
    package var timeZone: String?
    package var by: String?
    package var filters: [String] = []
    package var targetMs: String?
    package var percentiles: String?
    /// A column by which groups are ordered.
    package var sort: String?
    /// How many groups are shown.
    package var limit: String?

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
        var request = ReportRequest(
            days: try days(zone: zone, now: now), by: try PlayDimension.list(by ?? "cdnRegion"), filters: filters,
            zone: zone, targetMs: target)
        request.percents = try percents()
        request.isUntilNow = last != nil
        if let sort { request.sort = try GroupOrder.column(sort) }
        if let limit {
            guard let most = Int(limit), most > 0 else {
                throw ReportRequestError("the limit \"\(limit)\" should be a whole number, from 1")
            }
            request.limit = most
        }
        return request
    }

    /// What is named beside p50 and p95, which are there in any case.
    private func percents() throws(ReportRequestError) -> [Int64] {
        var percents: Set<Int64> = []
        for text in percentiles?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            guard let percent = Int64(text), (1...99).contains(percent) else {
                throw ReportRequestError(
                    "the percentile \"\(text)\" should be a whole number, 1 to 99, such as 75,90,99")
            }
            percents.insert(percent)
        }
        percents.subtract([50, 95])
        guard percents.count <= ReportRequest.mostPercents else {
            throw ReportRequestError(
                "\(percents.count) percentiles: a report has \(ReportRequest.mostPercents) beside p50 and p95 at the most"
            )
        }
        return percents.sorted()
    }

    private func days(zone: ReportZone, now: Int64) throws(ReportRequestError) -> ReportRequest.Days {
        if let last {
            guard day == nil, from == nil, to == nil else {
                throw ReportRequestError("a time until now (last) goes with neither a day nor a range (from, to)")
            }
            let end = Moment(milliseconds: now).endOfMinute.milliseconds
            return .window(end - (try TimeSpan(last).milliseconds)..<end)
        }
        switch (day, from, to) {
        case (nil, nil, nil): return .all
        case (let day?, nil, nil): return .day(try calendarDay(day, zone, now))
        case (nil, let from?, let to): return try range(from, to, zone, now)
        case (nil, nil, _?): throw ReportRequestError("a range that ends needs the day or time that it begins at: from")
        default: throw ReportRequestError("a day and a range (from, to) don't go together")
        }
    }

    /// Days, both included, or times, the end excluded; without an end until today, or until now.
    private func range(
        _ from: String, _ to: String?, _ zone: ReportZone, _ now: Int64
    ) throws(ReportRequestError) -> ReportRequest.Days {
        let begin = Moment(from)
        let end = to.flatMap { Moment($0) }
        if begin == nil, end == nil {
            let (first, last) = (try calendarDay(from, zone, now), try calendarDay(to ?? "today", zone, now))
            guard first <= last else {
                throw ReportRequestError("the range begins on \(first), after its end on \(last)")
            }
            return .range(first, last)
        }
        let start: Int64
        var stop = Moment(milliseconds: now).endOfMinute.milliseconds
        if let begin { start = begin.milliseconds } else { start = zone.start(of: try calendarDay(from, zone, now)) }
        if let end {
            stop = end.milliseconds
        } else if let to {
            stop = zone.start(of: try calendarDay(to, zone, now).advanced(by: 1))
        }
        guard start < stop else {
            let (start, stop) = (Moment(milliseconds: start), Moment(milliseconds: stop))
            throw ReportRequestError(
                "the range begins at \(start.text(in: zone)), not before its end at \(stop.text(in: zone))")
        }
        return .window(start..<stop)
    }

    private func calendarDay(
        _ text: String, _ zone: ReportZone, _ now: Int64
    ) throws(ReportRequestError) -> CalendarDay {
        if text == "yesterday" { return zone.day(of: now).advanced(by: -1) }
        if text == "today" { return zone.day(of: now) }
        guard let day = CalendarDay(text) else {
            throw ReportRequestError(
                "\"\(text)\" should be a day such as 2026-11-29, yesterday or today"
                    + (text.contains("T") ? ", or a time such as 2026-11-29T18:00Z" : ""))
        }
        return day
    }
}
