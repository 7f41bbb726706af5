internal import Platform

/// An instant as people write it, with its distance from UTC: `2026-11-29T18:00Z`, `2026-11-29T19:00:30+01:00`.
package struct Moment: Sendable, Hashable {
    /// ms since 1970.
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Reads `YYYY-MM-DDTHH:MM`, then `:SS` and `.fff` if wanted, then `Z`, `+HH:MM` or `-HH:MM`; nil for anything else.
    ///
    /// A blank in the place of the `+` is taken for it: a URL's query turns one into the other.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard rest.count > 16, let day = CalendarDay(String(decoding: rest.prefix(10), as: UTF8.self)) else {
            return nil
        }
        rest = rest.dropFirst(10)
        guard Self.take("T", from: &rest), let hour = Self.number(&rest, 0...23), Self.take(":", from: &rest),
            let minute = Self.number(&rest, 0...59)
        else { return nil }
        var milliseconds: Int64 = 0
        if Self.take(":", from: &rest) {
            guard let second = Self.number(&rest, 0...59) else { return nil }
            milliseconds = second * 1_000
            if Self.take(".", from: &rest) {
                guard let fraction = Self.number(&rest, 0...999, digits: 3) else { return nil }
                milliseconds += fraction
            }
        }
        guard let offset = Self.offset(&rest), rest.isEmpty else { return nil }
        self.milliseconds =
            Int64(day.number) * millisecondsPerDay + hour * millisecondsPerHour + minute * 60_000 + milliseconds
            - offset
    }

    /// ms east of UTC.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        if take("Z", from: &rest) { return 0 }
        let isEast = take("+", from: &rest) || take(" ", from: &rest)
        guard isEast || take("-", from: &rest), let hours = number(&rest, 0...23), take(":", from: &rest),
            let minutes = number(&rest, 0...59)
        else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes) * 60_000
    }

    private static func take(_ character: Character, from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    private static func number(
        _ rest: inout ArraySlice<UInt8>, _ range: ClosedRange<Int64>, digits: Int = 2
    ) -> Int64? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return nil
        }
        rest = rest.dropFirst(digits)
        return Int64(String(decoding: text, as: UTF8.self)).flatMap { range.contains($0) ? $0 : nil }
    }

    /// The end of the minute that is under way, so that whatever has just ended lies before it.
    package var endOfMinute: Moment { Moment(milliseconds: (floorQuotient(milliseconds, 60_000) + 1) * 60_000) }

    /// As ``init(_:)`` reads it, in a zone: `2026-11-29T18:00Z`; seconds and ms only where they are not 0.
    package func text(in zone: ReportZone) -> String {
        let offset = zone.offset(at: milliseconds)
        let local = milliseconds + offset
        let day = floorQuotient(local, millisecondsPerDay)
        let ofDay = Int(local - day * millisecondsPerDay)
        var text = "\(CalendarDay(number: Int(day)))T\((ofDay / 3_600_000).padded(to: 2)):"
        text += (ofDay / 60_000 % 60).padded(to: 2)
        if ofDay % 60_000 != 0 { text += ":\((ofDay / 1_000 % 60).padded(to: 2))" }
        if ofDay % 1_000 != 0 { text += ".\((ofDay % 1_000).padded(to: 3))" }
        guard offset != 0 else { return text + "Z" }
        let minutes = Int(abs(offset) / 60_000)
        return text + "\(offset < 0 ? "-" : "+")\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
    }
}

/// A length of time as people write it: `15m`, `6h`, `7d`.
package struct TimeSpan: Sendable, Hashable {
    /// From a minute to a hundred years of 365 days.
    package let milliseconds: Int64

    /// Reads whole minutes, hours or days of 24 hours.
    ///
    /// - Throws: what would be right.
    package init(_ text: String) throws(ReportRequestError) {
        let units: [Character: Int64] = ["m": 60_000, "h": millisecondsPerHour, "d": millisecondsPerDay]
        let digits = text.utf8.dropLast()
        guard let unit = text.last.flatMap({ units[$0] }), !digits.isEmpty,
            digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let number = Int64(text.dropLast()), number > 0, number <= 36_500 * millisecondsPerDay / unit
        else {
            throw ReportRequestError("\"\(text)\" should be so many minutes, hours or days: 15m, 6h, 7d")
        }
        milliseconds = number * unit
    }
}
