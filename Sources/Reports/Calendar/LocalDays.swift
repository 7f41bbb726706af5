/// The local days of instants that mostly lie on the same day as the one before.
package struct LocalDays {
    private let zone: ReportZone
    private var last: (day: CalendarDay, range: Range<Int64>)?

    package init(zone: ReportZone) {
        self.zone = zone
    }

    /// When the instant's day begins and ends, ms since 1970.
    package mutating func range(of instant: Int64) -> Range<Int64> {
        if let last, last.range.contains(instant) { return last.range }
        let day = zone.day(of: instant)
        let range = zone.range(from: day, to: day)
        last = (day, range)
        return range
    }
}
