internal import Queries

/// Finds the periods of a request.
struct PeriodFinder {
    let store: any ReportStore
    let request: ReportRequest

    /// The periods that may have plays, in order of time.
    func periods() throws -> [ReportPeriod] {
        switch request.days {
        case .range(let first, let last):
            guard first <= last else { return [] }
            if request.isByDay {
                let bounds = request.zone.range(from: first, to: last)
                return try days(from: bounds.lowerBound, to: bounds.upperBound)
            }
            let range = request.zone.range(from: first, to: last)
            return [
                ReportPeriod(name: request.zone.rangeName(from: first, to: last), range: range, span: range)
            ]
        case .day(let day):
            let range = request.zone.range(from: day, to: day)
            return [ReportPeriod(name: day.description, range: range, span: range)]
        case .all:
            guard let span = try span() else { return [] }
            if request.isByDay { return try days(from: span.lowerBound, to: span.upperBound) }
            return [ReportPeriod(name: nil, range: nil, span: span)]
        }
    }

    /// From the first hour that has a play to the last, ms since 1970; nil without a play.
    func span() throws -> Range<Int64>? {
        guard let first = try hour(.firstHour, from: .min), let last = try hour(.lastHour, from: .min) else {
            return nil
        }
        return first * millisecondsPerHour..<(last + 1) * millisecondsPerHour
    }

    /// The days that have plays, found by going from hour to hour that has one.
    private func days(from start: Int64, to end: Int64) throws -> [ReportPeriod] {
        var periods: [ReportPeriod] = []
        var instant = start
        while instant < end,
            let hour = try hour(.firstHour, from: floorQuotient(instant, millisecondsPerHour))
        {
            instant = max(instant, hour * millisecondsPerHour)
            guard instant < end else { break }
            let day = request.zone.day(of: instant)
            let range = request.zone.range(from: day, to: day)
            periods.append(ReportPeriod(name: day.description, range: range, span: range))
            instant = range.upperBound
        }
        return periods
    }

    private func hour(_ file: QueryFile, from hour: Int64) throws -> Int64? {
        var found: Int64?
        try store.rows(file.sql(scope: ""), file == .firstHour ? [.integer(hour)] : []) { row in found = row.integer(0)
        }
        return found
    }
}
