/// A day of the proleptic Gregorian calendar, without a zone.
package struct CalendarDay: Sendable, Hashable, Comparable {
    /// Days since 1970-01-01.
    package let number: Int

    package init(number: Int) {
        self.number = number
    }

    /// Reads `YYYY-MM-DD`; nil for anything else, and for days that no calendar has.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        var parts: [Int] = []
        for range in [0..<4, 5..<7, 8..<10] {
            var value = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            parts.append(value)
        }
        guard (1...12).contains(parts[1]), (1...31).contains(parts[2]) else { return nil }
        number = Self.number(year: parts[0], month: parts[1], day: parts[2])
        // The 31st of a month of 30 days comes out as the 1st of the next.
        guard description == text else { return nil }
    }

    package static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.number < other.number }

    package func advanced(by days: Int) -> CalendarDay { CalendarDay(number: number + days) }

    /// Days since 1970 of a civil date: years begin in March, so that the leap day is the last of its year
    /// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func number(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Year, month and day.
    package var civil: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}

extension CalendarDay: CustomStringConvertible {
    /// `2026-11-29`.
    package var description: String {
        let (year, month, day) = civil
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }
}

/// A number's digits with zeros in front.
func padded(_ number: Int, to width: Int) -> String {
    let digits = String(abs(number))
    let zeros = String(repeating: "0", count: max(0, width - digits.count))
    return (number < 0 ? "-" : "") + zeros + digits
}
