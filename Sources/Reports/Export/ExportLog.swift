/// What a store says of its log and of the days that have plays, for an export.
struct ExportLog {
    private let store: any ReportStore
    private let zone: ReportZone
    /// In order.
    private let hours: [StoredHour]
    /// Whether numbers say what came last.
    private let grow: Bool
    let mark: LogMark

    init(_ store: any ReportStore, zone: ReportZone) throws {
        self.store = store
        self.zone = zone
        hours = try store.hours(in: nil)
        let marks = try store.marks()
        grow = marks.grow
        var mark = LogMark()
        (mark.lastAccount, mark.accounts, mark.firstReceipt) = (
            marks.lastReport, marks.reports, marks.firstReceipt ?? 0
        )
        if let last = hours.max(by: { $0.lastArrival < $1.lastArrival }) {
            (mark.lastPlay, mark.hour) = (last.lastArrival, last.number)
        }
        if grow { (mark.play, mark.account) = try Self.identities(mark, in: store) }
        self.mark = mark
    }

    /// Whether the log is the one of a mark, grown: then what came since is what has higher numbers.
    func goesOn(from old: LogMark) throws -> Bool {
        guard grow, old.lastPlay <= mark.lastPlay, old.lastAccount <= mark.lastAccount else {
            return false
        }
        return try Self.identities(old, in: store) == (old.play, old.account)
    }

    /// Whether accounts went since a mark, or were dated anew.
    func lostAccounts(since old: LogMark) -> Bool {
        mark.accounts - old.accounts != mark.lastAccount - old.lastAccount
            || old.accounts > 0 && mark.firstReceipt != old.firstReceipt
    }

    /// What stands at a mark's numbers.
    private static func identities(_ mark: LogMark, in store: any ReportStore) throws -> (String?, String?) {
        (
            try mark.hour.flatMap { try store.play(arrival: mark.lastPlay, hour: $0) },
            mark.lastAccount > 0 ? try store.report(number: mark.lastAccount) : nil
        )
    }

    // MARK: Days

    /// The day of the newest play that is not after a day.
    func newestDay(upTo day: CalendarDay) throws -> CalendarDay? {
        let end = zone.start(of: day.advanced(by: 1))
        for hour in hours.reversed() where hour.start < end {
            var scope = PlayScope(ReportRequest(by: [], zone: zone))
            scope.leavesOutDownloads = false
            let range = hour.start..<min(end, hour.start + millisecondsPerHour)
            let totals = try store.sums(.totals(scope, periods: [range]))[0].all.totals
            let newest = totals[.plays] > 0 ? totals.lastEndedAt : nil
            // An hour may lie in two days of a zone, and have plays of the later one alone.
            if let newest { return zone.day(of: newest) }
        }
        return nil
    }

    /// How many plays the hours of each day have; those of an hour that lies in two days count for both.
    var plays: [CalendarDay: Int64] {
        var plays: [CalendarDay: Int64] = [:]
        for hour in hours { for day in days(hour) { plays[day, default: 0] += hour.plays } }
        return plays
    }

    /// The days that got plays since the log was so long.
    func days(after lastPlay: Int64) -> Set<CalendarDay> {
        hours.filter { $0.lastArrival > lastPlay }.reduce(into: []) { $0.formUnion(days($1)) }
    }

    private func days(_ hour: StoredHour) -> Set<CalendarDay> {
        [zone.day(of: hour.start), zone.day(of: hour.start + millisecondsPerHour - 1)]
    }
}
