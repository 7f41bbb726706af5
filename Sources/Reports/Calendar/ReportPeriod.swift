internal import Queries

/// A stretch of time that a report gives one set of rows.
struct ReportPeriod {
    /// The day, or the range as it was asked for; nil for all plays, named by the first and last day that has one.
    var name: String?
    /// Times of plays, ms since 1970; nil for all plays.
    var range: Range<Int64>?
    /// A range that covers every play of the period.
    var span: Range<Int64>

    func figures(_ tally: PeriodTally, _ request: ReportRequest) -> PlayReport.Period {
        let name =
            self.name
            ?? request.zone.rangeName(
                from: request.zone.day(of: tally.all.totals.firstEndedAt),
                to: request.zone.day(of: tally.all.totals.lastEndedAt))
        let groups = tally.groups.map { group in
            GroupFigures(group, names: request.names(group.key))
        }
        return PlayReport.Period(
            name: name,
            groups: groups.sorted { one, other in
                if one.totals.plays != other.totals.plays { return one.totals.plays > other.totals.plays }
                return one.names.map(ByteText.init).lexicographicallyPrecedes(other.names.map(ByteText.init))
            },
            all: GroupFigures(tally.all, names: request.dimensions.map { _ in "(all)" }))
    }
}

extension ReportZone {
    func rangeName(from first: CalendarDay, to last: CalendarDay) -> String { "\(first)/\(last)" }

    /// From the first day's beginning to the last day's end, ms since 1970.
    func range(from first: CalendarDay, to last: CalendarDay) -> Range<Int64> {
        let start = start(of: first)
        return start..<max(start, self.start(of: last.advanced(by: 1)))
    }
}

extension ReportRequest {
    /// What a group is called in each dimension.
    func names(_ key: GroupKey?) -> [String] {
        zip(dimensions, key?.values ?? []).map { dimension, value in
            guard dimension == .hour, let code = Int64(value.description) else { return value.description }
            return LocalHour(code: code).label
        }
    }
}

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
            guard let first = try hour(.firstHour, from: .min), let last = try hour(.lastHour, from: .min) else {
                return []
            }
            let span = first * millisecondsPerHour..<(last + 1) * millisecondsPerHour
            if request.isByDay { return try days(from: span.lowerBound, to: span.upperBound) }
            return [ReportPeriod(name: nil, range: nil, span: span)]
        }
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
