internal import Platform

/// Times as RFC 3339 writes them.
package enum Timestamp {
    static let millisecondsPerDay: Int64 = 86_400_000

    /// Reads a text as the contract reads `endedAt`: a day that no calendar has, an hour 24 and a second 60 are no times.
    ///
    /// - Returns: ms since 1970; nil for anything else.
    package static func milliseconds(_ text: String) -> Int64? {
        milliseconds(Array(text.utf8).span.bytes)
    }

    /// Reads `2026-11-30T00:53:19.5+01:00`; `t` and `z` may be small, as the RFC allows.
    ///
    /// Formatters on phones write a blank for the `T`, a comma before the fraction, `+0100` or `+01`: these are read, too.
    ///
    /// - Returns: ms since 1970, what is finer is cut; nil for anything else, a day that no calendar has, an hour 24 and
    ///   a second 60.
    static func milliseconds(_ text: RawSpan) -> Int64? {
        guard text.byteCount >= 20,
            let year = number(text, 0, 4), text.byte(4) == UInt8(ascii: "-"),
            let month = number(text, 5, 2), text.byte(7) == UInt8(ascii: "-"),
            let day = number(text, 8, 2), isBetweenDayAndTime(text.byte(10)),
            let hour = number(text, 11, 2), text.byte(13) == UInt8(ascii: ":"),
            let minute = number(text, 14, 2), text.byte(16) == UInt8(ascii: ":"),
            let second = number(text, 17, 2),
            (1...12).contains(month), day >= 1, day <= CivilDate.days(inMonth: Int(month), of: Int(year)),
            hour < 24, minute < 60, second < 60
        else { return nil }
        var position = 19
        guard let fraction = fraction(text, &position), let offset = offset(text, position) else { return nil }
        let seconds = (hour * 60 + minute - offset) * 60 + second
        let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
        return Int64(date.daysSince1970) * millisecondsPerDay + seconds * 1_000 + fraction
    }

    private static func isBetweenDayAndTime(_ byte: UInt8) -> Bool {
        byte | 0x20 == UInt8(ascii: "t") || byte == UInt8(ascii: " ")
    }

    private static func number(_ text: RawSpan, _ position: Int, _ count: Int) -> Int64? {
        guard position + count <= text.byteCount else { return nil }
        var value: Int64 = 0
        for at in position..<position + count {
            let digit = text.byte(at) &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }

    /// The ms of a fraction of a second, 0 without one.
    private static func fraction(_ text: RawSpan, _ position: inout Int) -> Int64? {
        guard text.byte(position) == UInt8(ascii: ".") || text.byte(position) == UInt8(ascii: ",") else { return 0 }
        position += 1
        let start = position
        var value: Int64 = 0
        var unit: Int64 = 100
        while position < text.byteCount, text.byte(position) &- UInt8(ascii: "0") <= 9 {
            value += Int64(text.byte(position) - UInt8(ascii: "0")) * unit
            unit /= 10
            position += 1
        }
        return position > start ? value : nil
    }

    /// The minutes by which the text's clock is ahead of UTC.
    private static func offset(_ text: RawSpan, _ position: Int) -> Int64? {
        guard position < text.byteCount else { return nil }
        let sign = text.byte(position)
        if sign | 0x20 == UInt8(ascii: "z") { return position + 1 == text.byteCount ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = number(text, position + 1, 2), hours < 24,
            let minutes = minutes(text, position + 3), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    /// The minutes of an offset behind its hours, 0 without any; nil for anything else.
    private static func minutes(_ text: RawSpan, _ position: Int) -> Int64? {
        switch text.byteCount - position {
        case 0: 0
        case 2: number(text, position, 2)
        case 3 where text.byte(position) == UInt8(ascii: ":"): number(text, position + 1, 2)
        default: nil
        }
    }
}
