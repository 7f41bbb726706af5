/// A day on which a group was worse than all others together, in what it is not worse in on the other days.
struct BadDay: Sendable {
    var names: GroupNames
    /// `2026-11-29`.
    var day: String
    /// What was worse.
    var comparisons: [Comparison]
    /// When most of it happened; nil when that is not known, or was all day long.
    var hours: WorstHours?

    /// What stands out most.
    var clearest: Comparison? { comparisons.min { $0.p ?? 1 < $1.p ?? 1 } }

    /// The group's plays, and the day's times.
    func plays(_ page: ReportRequest) -> (scope: PlayScope, range: Range<Int64>)? {
        guard let day = CalendarDay(day) else { return nil }
        var scope = PlayScope(page)
        scope.filters += zip(page.dimensions, names).map { PlayFilter($0, $1) }
        var range = page.zone.range(from: day, to: day)
        if case .window(let window) = page.days { range = range.clamped(to: window) }
        return (scope, range)
    }
}
