internal import Platform

/// A day of the proleptic Gregorian calendar, without a zone.
package struct CalendarDay: Sendable, Hashable, Comparable {
    /// Days since 1970-01-01.
    package let number: Int

    package init(number: Int) {
        self.number = number
    }

    /// Reads `YYYY-MM-DD`; nil for anything else, and for days that no calendar has.
    package init?(_ text: String) {
        guard let date = CivilDate(text) else { return nil }
        number = date.daysSince1970
    }

    package static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.number < other.number }

    package func advanced(by days: Int) -> CalendarDay { CalendarDay(number: number + days) }

    /// Year, month and day.
    var civil: CivilDate { CivilDate(daysSince1970: number) }
}

extension CalendarDay: CustomStringConvertible {
    /// `2026-11-29`.
    package var description: String { civil.description }
}
