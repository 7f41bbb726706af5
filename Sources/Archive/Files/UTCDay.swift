internal import Platform

/// A day of UTC, as the folders of the log name it.
package struct UTCDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Days since 1970-01-01, from year 0 to 9999.
    package let number: Int64

    private static let first: Int64 = -719_528
    private static let last: Int64 = 2_932_896

    /// - Parameter number: days since 1970-01-01; what lies outside the years 0–9999 becomes their first or last day.
    package init(number: Int64) {
        self.number = min(max(number, Self.first), Self.last)
    }

    /// The day that holds an instant, given in ms since 1970.
    package init(holding milliseconds: Int64) {
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        self.init(number: rest < 0 ? days - 1 : days)
    }

    /// - Parameter text: `YYYY-MM-DD`, a day that exists.
    package init?(_ text: some StringProtocol) {
        guard let date = CivilDate(text) else { return nil }
        self.init(number: Int64(date.daysSince1970))
    }

    package static func < (one: UTCDay, other: UTCDay) -> Bool { one.number < other.number }

    /// `YYYY-MM-DD`.
    package var description: String { CivilDate(daysSince1970: Int(number)).description }
}
