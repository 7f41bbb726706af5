/// Finds the local days of instants that mostly lie on the same day as the one before.
final class DayFinder {
    private let zone: ReportZone
    private var last: (day: CalendarDay, range: Range<Int64>)?

    init(zone: ReportZone) {
        self.zone = zone
    }

    func day(of instant: Int64) -> CalendarDay { found(instant).day }

    /// When the instant's day begins and ends, ms since 1970.
    func range(of instant: Int64) -> Range<Int64> { found(instant).range }

    private func found(_ instant: Int64) -> (day: CalendarDay, range: Range<Int64>) {
        if let last, last.range.contains(instant) { return last }
        let day = zone.day(of: instant)
        let found = (day, zone.range(from: day, to: day))
        last = found
        return found
    }
}
