/// A stretch of time that a report gives one set of rows.
struct ReportPeriod {
    /// The day, or the range as it was asked for; nil for all plays, named by the first and last day that has one.
    var name: String?
    /// Times of plays, ms since 1970; nil for all plays.
    var range: Range<Int64>?

    /// The periods of a request that may have plays, in order of time.
    ///
    /// - Throws: what the store says.
    static func periods(of request: ReportRequest, in store: any ReportStore) throws -> [ReportPeriod] {
        switch request.days {
        case .range(let first, let last):
            guard first <= last else { return [] }
            let range = request.zone.range(from: first, to: last)
            return request.isByDay
                ? try days(of: request.zone, in: range, store)
                : [ReportPeriod(name: request.zone.rangeName(from: first, to: last), range: range)]
        case .day(let day):
            return [ReportPeriod(name: day.description, range: request.zone.range(from: day, to: day))]
        case .window(let range):
            return request.isByDay
                ? try days(of: request.zone, in: range, store)
                : [ReportPeriod(name: request.zone.windowName(range), range: range)]
        case .all:
            return request.isByDay ? try days(of: request.zone, in: nil, store) : [ReportPeriod(name: nil, range: nil)]
        }
    }

    /// The days that have plays; those in which `range` begins and ends may be parts of days.
    private static func days(of zone: ReportZone, in range: Range<Int64>?, _ store: any ReportStore) throws
        -> [ReportPeriod]
    {
        var periods: [ReportPeriod] = []
        for hour in try store.hours(in: range.map(hours(of:))) {
            // A day may begin within an hour.
            var instant = hour.start
            let end = instant + millisecondsPerHour
            while instant < end {
                if let last = periods.last?.range, last.upperBound > instant {
                    instant = last.upperBound
                    continue
                }
                if let range, instant >= range.upperBound { break }
                let day = zone.day(of: instant)
                let bounds = zone.range(from: day, to: day)
                if range.map({ bounds.overlaps($0) }) != false {
                    let part = range.map { bounds.clamped(to: $0) } ?? bounds
                    periods.append(ReportPeriod(name: day.description, range: part))
                }
                instant = max(bounds.upperBound, instant + 1)
            }
        }
        return periods
    }

    /// - Parameter totals: of the plays in it, one at least.
    func name(_ totals: Totals, in zone: ReportZone) -> String {
        name ?? zone.rangeName(from: zone.day(of: totals.firstEndedAt), to: zone.day(of: totals.lastEndedAt))
    }

    /// Some days as periods, without those that a zone has passed over.
    static func days(_ days: [CalendarDay], _ zone: ReportZone) -> [ReportPeriod] {
        days.map { ReportPeriod(name: $0.description, range: zone.range(from: $0, to: $0)) }
            .filter { $0.range?.isEmpty != true }
    }

    func figures(_ sums: PeriodSums, _ question: SumsQuestion, _ request: ReportRequest) -> PlayReport.Period {
        let name = name(sums.all.totals, in: request.zone)
        let groups = sums.groups.map { group in
            GroupFigures(group, percents: question.percents, names: request.names(group.key))
        }
        let shown = GroupOrder(request: request).shown(groups)
        return PlayReport.Period(
            name: name, range: range, groups: shown.groups,
            all: GroupFigures(sums.all, percents: question.percents, names: request.namesOfAll),
            groupsLeftOut: shown.leftOut)
    }
}

extension ReportZone {
    func rangeName(from first: CalendarDay, to last: CalendarDay) -> String { "\(first)/\(last)" }

    /// `2026-11-29T18:00Z/2026-11-29T18:15Z`.
    func windowName(_ window: Range<Int64>) -> String {
        [window.lowerBound, window.upperBound].map { Moment(milliseconds: $0).text(in: self) }.joined(separator: "/")
    }

    /// From the first day's beginning to the last day's end, ms since 1970.
    func range(from first: CalendarDay, to last: CalendarDay) -> Range<Int64> {
        let start = start(of: first)
        return start..<max(start, self.start(of: last.advanced(by: 1)))
    }
}

/// The UTC hours since 1970 that hold a range of ms.
package func hours(of range: Range<Int64>) -> ClosedRange<Int64> {
    let first = floorQuotient(range.lowerBound, millisecondsPerHour)
    return first...max(first, floorQuotient(range.upperBound - 1, millisecondsPerHour))
}

extension ReportRequest {
    /// What a group is called in each dimension.
    func names(_ key: GroupKey?) -> GroupNames {
        GroupNames(
            zip(dimensions, key?.values ?? []).map { dimension, value in
                guard dimension == .hour, let code = Int64(value.description) else { return value.description }
                return LocalHour(code: code).label
            })
    }

    /// What all plays of a period are called.
    var namesOfAll: GroupNames { GroupNames(dimensions.map { _ in "(all)" }) }

    /// What the groups are called that are too many to be named.
    var namesOfOther: GroupNames { GroupNames(GroupKey.other(dimensions.count).values.map(\.description)) }
}
