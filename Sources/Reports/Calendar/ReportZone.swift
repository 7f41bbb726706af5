internal import Foundation
internal import Suggestions

/// The time zone whose days and hours a report uses.
package struct ReportZone: Sendable, Hashable {
    package static let utc = ReportZone(TimeZone(secondsFromGMT: 0)!, name: "UTC")

    private let zone: TimeZone
    /// The name that the zone was asked for by.
    package let name: String

    /// What the time zone library takes for some zone, and people for others: to it BST is Bangladesh's time.
    private static let abbreviations: Set<String> = [
        "ACT", "AET", "AGT", "ART", "AST", "BET", "BST", "CAT", "CNT", "CST", "CTT", "EAT", "ECT", "IET", "IST", "JST",
        "MIT", "NET", "NST", "PLT", "PNT", "PRT", "PST", "SST", "VST",
    ]

    private init(_ zone: TimeZone, name: String) {
        self.zone = zone
        self.name = name
    }

    /// - Parameter name: `UTC`, or a name of the time zone database such as `Europe/Stockholm`.
    /// - Throws: which name was not known, and what a known one looks like.
    package init(named name: String) throws(ReportRequestError) {
        if name == "UTC" {
            self = .utc
            return
        }
        guard !Self.abbreviations.contains(name) else {
            throw ReportRequestError("'\(name)' may be several time zones: a name such as Europe/Stockholm says which")
        }
        guard let zone = TimeZone(identifier: name) else {
            let nearest = Spelling.nearest(to: name, among: TimeZone.knownTimeZoneIdentifiers)
            throw ReportRequestError(
                "unknown time zone '\(name)': "
                    + (nearest.map { "did you mean '\($0)'?" } ?? "UTC, or a name such as Europe/Stockholm"))
        }
        self.init(zone, name: name)
    }

    /// The zone's distance from UTC at an instant, in ms.
    ///
    /// - Parameter instant: ms since 1970.
    package func offset(at instant: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant) / 1_000))) * 1_000
    }

    /// The local day of an instant in ms since 1970.
    package func day(of instant: Int64) -> CalendarDay {
        CalendarDay(number: Int(floorQuotient(instant + offset(at: instant), millisecondsPerDay)))
    }

    /// When a local day begins, in ms since 1970: at the first instant after every instant of the days before it.
    package func start(of day: CalendarDay) -> Int64 {
        let midnight = Int64(day.number) * millisecondsPerDay
        // No zone is further from UTC than a day.
        var before = midnight - millisecondsPerDay
        var inside = midnight + millisecondsPerDay
        let guess = midnight - offset(at: midnight)
        if self.day(of: guess) >= day, self.day(of: guess - 1) < day { return guess }
        while inside - before > 1 {
            let middle = before + (inside - before) / 2
            if self.day(of: middle) >= day { inside = middle } else { before = middle }
        }
        return inside
    }

    /// The stretches of `range` in which the offset is one and the same, in order; the first and the last go on outward.
    ///
    /// - Complexity: one look at the zone a day.
    package func stretches(in range: Range<Int64>) -> [Stretch] {
        var stretches = [Stretch(end: .max, offset: offset(at: range.lowerBound))]
        var instant = range.lowerBound
        while instant < range.upperBound {
            let next = min(instant + millisecondsPerDay, range.upperBound)
            let offset = offset(at: next)
            if offset != stretches[stretches.count - 1].offset {
                stretches[stretches.count - 1].end = change(after: instant, to: next)
                stretches.append(Stretch(end: .max, offset: offset))
            }
            instant = next
        }
        return stretches
    }

    /// A stretch of time with one offset.
    package struct Stretch: Sendable, Hashable {
        /// The first instant after it, ms since 1970.
        package var end: Int64
        /// The distance from UTC in ms.
        package var offset: Int64
    }

    /// The first instant in `(before, after]` at which the offset is that of `after`.
    private func change(after before: Int64, to after: Int64) -> Int64 {
        let target = offset(at: after)
        var (before, after) = (before, after)
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if offset(at: middle) == target { after = middle } else { before = middle }
        }
        return after
    }
}

let millisecondsPerHour: Int64 = 3_600_000
let millisecondsPerDay: Int64 = 86_400_000

/// The quotient rounded down, of negative numbers too.
func floorQuotient(_ dividend: Int64, _ divisor: Int64) -> Int64 {
    let quotient = dividend / divisor
    return dividend % divisor < 0 ? quotient - 1 : quotient
}
