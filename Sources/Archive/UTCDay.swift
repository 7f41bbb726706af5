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
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2d, bytes[7] == 0x2d else { return nil }
        func digits(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            return value
        }
        guard let year = digits(0..<4), let month = digits(5..<7), let day = digits(8..<10) else { return nil }
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        self.init(number: Self.number(year, month, day))
        // The 30th of February comes back as a day of March.
        if description != text { return nil }
    }

    package static func < (one: UTCDay, other: UTCDay) -> Bool { one.number < other.number }

    /// `YYYY-MM-DD`.
    package var description: String {
        let (year, month, day) = date
        return Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
    }

    // The Gregorian calendar repeats every 400 years of 146,097 days; years here begin in March, so that the leap day is
    // the last of its year and months have 153 days in each five.

    private static func number(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year + 399 : year + 400
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return (shifted / 400 - 1) * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private var date: (year: Int64, month: Int64, day: Int64) {
        let shifted = number + 719_468 + 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = (monthFromMarch + 2) % 12 + 1
        let year = yearOfEra + (shifted / 146_097 - 1) * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
