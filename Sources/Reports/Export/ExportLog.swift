internal import Queries

/// What a store says of its log and of the days that have plays, for an export.
struct ExportLog {
    /// An hour of play time that has plays.
    struct Hour {
        /// UTC hours since 1970.
        var number: Int64
        var plays: Int64
        /// The number in the log of its last play to come.
        var lastArrival: Int64

        var start: Int64 { number * millisecondsPerHour }
    }

    private let store: any ReportStore
    private let zone: ReportZone
    /// In order.
    private let hours: [Hour]
    let mark: LogMark

    init(_ store: any ReportStore, zone: ReportZone) throws {
        self.store = store
        self.zone = zone
        var hours: [Hour] = []
        try store.rows(QueryFile.playHours.sql(scope: ""), []) { row in
            hours.append(Hour(number: row.integer(0), plays: row.integer(1), lastArrival: row.integer(2)))
        }
        self.hours = hours
        var mark = LogMark()
        try store.rows(QueryFile.exportMarks.sql(scope: ""), []) { row in
            (mark.lastAccount, mark.accounts, mark.firstReceipt) = (row.integer(0), row.integer(1), row.integer(2))
        }
        if let last = hours.max(by: { $0.lastArrival < $1.lastArrival }) {
            (mark.lastPlay, mark.hour) = (last.lastArrival, last.number)
        }
        mark.play = try Self.play(mark, in: store)
        mark.account = try Self.account(mark, in: store)
        self.mark = mark
    }

    /// Whether the log is the one of a mark, grown: then what came since is what has higher numbers.
    func goesOn(from old: LogMark) throws -> Bool {
        guard store.numbersGrow, old.lastPlay <= mark.lastPlay, old.lastAccount <= mark.lastAccount else {
            return false
        }
        return try Self.play(old, in: store) == old.play && Self.account(old, in: store) == old.account
    }

    /// Whether accounts went since a mark, or were dated anew.
    func lostAccounts(since old: LogMark) -> Bool {
        mark.accounts - old.accounts != mark.lastAccount - old.lastAccount
            || old.accounts > 0 && mark.firstReceipt != old.firstReceipt
    }

    private static func play(_ mark: LogMark, in store: any ReportStore) throws -> String? {
        guard let hour = mark.hour, store.numbersGrow else { return nil }
        var play: String?
        try store.rows(QueryFile.playInLog.sql(scope: ""), [.integer(hour), .integer(mark.lastPlay)]) { row in
            play = "\(row.text(0)) \(row.integer(1))"
        }
        return play
    }

    private static func account(_ mark: LogMark, in store: any ReportStore) throws -> String? {
        guard mark.lastAccount > 0, store.numbersGrow else { return nil }
        var account: String?
        try store.rows(QueryFile.accountInLog.sql(scope: ""), [.integer(mark.lastAccount)]) { row in
            account = "\(row.text(0)) \(row.integer(1)) \(row.integer(2))"
        }
        return account
    }

    // MARK: Days

    /// The day of the newest play that is not after a day.
    func newestDay(upTo day: CalendarDay) throws -> CalendarDay? {
        let end = zone.start(of: day.advanced(by: 1))
        for hour in hours.reversed() where hour.start < end {
            var newest: Int64?
            try store.rows(QueryFile.newestPlay.sql(scope: ""), [.integer(hour.number), .integer(end)]) { row in
                newest = row.integer(0)
            }
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

    private func days(_ hour: Hour) -> Set<CalendarDay> {
        [zone.day(of: hour.start), zone.day(of: hour.start + millisecondsPerHour - 1)]
    }
}
