internal import Platform

/// A full hour on a zone's wall clock, told apart from its namesake when clocks go back by its offset.
package struct LocalHour: Sendable, Hashable {
    /// The wall clock's time as ms since 1970 in UTC would be; a multiple of an hour.
    package let wallClock: Int64
    /// The distance from UTC in ms.
    package let offset: Int64

    package init(wallClock: Int64, offset: Int64) {
        self.wallClock = wallClock
        self.offset = offset
    }

    /// The hour of an instant.
    package init(of instant: Int64, offset: Int64) {
        let local = instant + offset
        self.init(wallClock: floorQuotient(local, millisecondsPerHour) * millisecondsPerHour, offset: offset)
    }

    /// When the hour begins, ms since 1970, as long as the offset held from then on.
    package var start: Int64 { wallClock - offset }

    // MARK: One integer for both, as queries group by it

    /// Moves every offset above 0; less than an hour with the offset added, so that the two can be parted again.
    package static let bias: Int64 = 100_000

    /// The wall clock's ms plus the biased offset in seconds.
    package var code: Int64 { wallClock + offset / 1_000 + Self.bias }

    package init(code: Int64) {
        let wallClock = floorQuotient(code, millisecondsPerHour) * millisecondsPerHour
        self.init(wallClock: wallClock, offset: (code - wallClock - Self.bias) * 1_000)
    }

    // MARK: Text

    /// `2026-10-25T02:00+02:00`.
    package var label: String {
        let day = floorQuotient(wallClock, millisecondsPerDay)
        let hour = Int((wallClock - day * millisecondsPerDay) / millisecondsPerHour)
        let minutes = Int(abs(offset) / 60_000)
        let sign = offset < 0 ? "-" : "+"
        return "\(CalendarDay(number: Int(day)))T\(hour.padded(to: 2)):00"
            + "\(sign)\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
    }

    /// Reads a label; nil for anything else.
    package init?(label: String) {
        let characters = Array(label)
        guard characters.count == 22, let day = CalendarDay(String(characters[0..<10])),
            let hour = Int(String(characters[11..<13])),
            let hours = Int(String(characters[17..<19])), let minutes = Int(String(characters[20..<22]))
        else { return nil }
        let offset = Int64(hours * 60 + minutes) * 60_000
        self.init(
            wallClock: Int64(day.number) * millisecondsPerDay + Int64(hour) * millisecondsPerHour,
            offset: characters[16] == "-" ? -offset : offset)
        guard self.label == label else { return nil }
    }
}
