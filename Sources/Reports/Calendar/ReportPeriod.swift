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
            name: name, range: range,
            groups: groups.sorted { one, other in
                if one.totals.plays != other.totals.plays { return one.totals.plays > other.totals.plays }
                return one.names.key.values.lexicographicallyPrecedes(other.names.key.values)
            },
            all: GroupFigures(tally.all, names: request.namesOfAll))
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
    func names(_ key: GroupKey?) -> GroupNames {
        GroupNames(
            zip(dimensions, key?.values ?? []).map { dimension, value in
                guard dimension == .hour, let code = Int64(value.description) else { return value.description }
                return LocalHour(code: code).label
            })
    }

    /// What all plays of a period are called.
    var namesOfAll: GroupNames { GroupNames(dimensions.map { _ in "(all)" }) }
}
