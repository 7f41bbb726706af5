/// Which days of an export are computed anew and which are kept as they were.
struct ExportPlan: Equatable {
    /// The days of the export that have plays, in order.
    var days: [CalendarDay] = []
    /// Those of them whose plays are counted anew.
    var recomputed: [CalendarDay] = []
    /// The day of receipt from which on the senders' accounts are added up anew; nil when none came.
    var deliveryFrom: CalendarDay?

    /// Of no day.
    init() {}

    /// - Parameters:
    ///   - window: the first and the last day of the export.
    ///   - daysWithPlays: in the window, in order.
    ///   - touched: days that got or lost plays since the export before.
    ///   - firstNewReceipt: the earliest day of receipt of an account that came since.
    ///   - known: the days that the export before had computed; nil when it can't be gone on with.
    init(
        window: ClosedRange<CalendarDay>, daysWithPlays: [CalendarDay], touched: Set<CalendarDay>,
        firstNewReceipt: CalendarDay?, known: Set<CalendarDay>?
    ) {
        days = daysWithPlays
        guard let known else {
            recomputed = daysWithPlays
            deliveryFrom = window.lowerBound
            return
        }
        recomputed = daysWithPlays.filter { touched.contains($0) || !known.contains($0) }
        // An account changes its own day and, being the end of one difference and the beginning of the next, later ones;
        // a day that came into the window has never been added up.
        let firstNew = daysWithPlays.first { !known.contains($0) }
        deliveryFrom = [firstNewReceipt, firstNew].compactMap { $0 }.min().map { max($0, window.lowerBound) }
        if let from = deliveryFrom, from > window.upperBound { deliveryFrom = nil }
    }
}
