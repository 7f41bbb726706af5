internal import Platform

extension CalendarDay {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private var month: String { Self.months[civil.month - 1] }

    /// `27 November`.
    var words: String { "\(civil.day) \(month)" }

    /// `27 November 2026`.
    var fullWords: String { "\(words) \(civil.year)" }

    /// `27 Nov`.
    var shortWords: String { "\(civil.day) \(month.prefix(3))" }

    /// `23 to 29 November 2026`, with no more said of the first day than differs from the last.
    static func words(from first: CalendarDay, to last: CalendarDay) -> String {
        guard first != last else { return first.fullWords }
        let (one, other) = (first.civil, last.civil)
        if one.year != other.year { return "\(first.fullWords) to \(last.fullWords)" }
        return (one.month == other.month ? "\(one.day)" : first.words) + " to " + last.fullWords
    }
}

/// A period's name as people write it.
enum PeriodWords {
    /// `29 November 2026, 18:00 to 18:15 UTC` of `2026-11-29T18:00Z/2026-11-29T18:15Z`; what is no period's name stays.
    static func words(_ name: String) -> String {
        let ends = name.split(separator: "/").map(String.init)
        let days = ends.compactMap { CalendarDay($0) }
        if let first = days.first, let last = days.last, days.count == ends.count, ends.count <= 2 {
            return CalendarDay.words(from: first, to: last)
        }
        guard ends.count == 2, let from = Time(ends[0]), let to = Time(ends[1]) else { return name }
        if from.day == to.day, from.zone == to.zone { return "\(from.day.fullWords), \(from.clock) to \(to.text)" }
        let isOneZone = from.zone == to.zone
        return
            "\(from.day.fullWords), \(from.clock)\(isOneZone ? "" : " " + from.zone), to \(to.day.fullWords), \(to.text)"
    }

    /// `29 November 2026, 23:51 UTC`.
    ///
    /// - Parameter unit: what is less than so many ms is left out.
    static func words(_ instant: Int64, in zone: ReportZone, unit: Int64 = 60_000) -> String {
        let whole = floorQuotient(instant, unit) * unit
        guard let time = Time(Moment(milliseconds: whole).text(in: zone)) else { return zone.time(instant) }
        return "\(time.day.fullWords), \(time.text)"
    }

    /// The parts of a time as ``Moment`` writes it.
    private struct Time {
        var day: CalendarDay
        var clock: String
        /// `UTC`, `+01:00`.
        var zone: String

        var text: String { "\(clock) \(zone)" }

        init?(_ text: String) {
            guard Moment(text) != nil, let day = CalendarDay(String(text.prefix(10))) else { return nil }
            self.day = day
            let isUTC = text.hasSuffix("Z")
            clock = String(text.dropFirst(11).dropLast(isUTC ? 1 : 6))
            zone = isUTC ? "UTC" : String(text.suffix(6))
        }
    }
}
