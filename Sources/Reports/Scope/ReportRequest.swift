/// What a report is asked to cover and how it is cut.
package struct ReportRequest: Sendable, Hashable {
    /// Which days of play time.
    package enum Days: Sendable, Hashable {
        /// Every play of the store.
        case all
        /// From one day to another, both included, in the report's zone.
        case range(CalendarDay, CalendarDay)
        /// One day, which is the period and its name.
        case day(CalendarDay)
        /// Times of plays, ms since 1970; not empty.
        case window(Range<Int64>)
    }

    package var days: Days
    /// The days are a time until now, as ``ReportWords/last`` asks for.
    package var isUntilNow = false
    /// A period a day; otherwise the whole range is one.
    package var isByDay: Bool
    /// Groups are the plays that share the values of these; `day` is never among them. At most three.
    package var dimensions: [PlayDimension]
    /// All must hold.
    package var filters: [PlayFilter]
    package var zone: ReportZone
    /// The startup that is still within the target, in ms.
    package var targetMs: Int64
    /// Percentiles of startup wanted beside p50 and p95, ascending; see ``mostPercents``.
    package var percents: [Int64] = []
    /// A column of a table with a row a group by which groups are ordered, the largest first; nil: by plays.
    package var sort: String?
    /// So many groups of a period are shown at the most, the first of them; nil: all.
    package var limit: Int?
    /// More groups in a period than this end the report.
    var mostGroups = Int.max
    /// Of more groups in a period than this, those with the fewest plays are one.
    var mostNamed = Int.max

    /// A store looks for eight percentiles at a time, p50 and p95 among them.
    package static let mostPercents = 6

    /// - Parameter by: the dimensions asked for; `day` among them makes the periods.
    package init(
        days: Days = .all, by: [PlayDimension] = [.cdnRegion], filters: [PlayFilter] = [], zone: ReportZone = .utc,
        targetMs: Int64 = 1_000
    ) {
        self.days = days
        self.isByDay = by.contains(.day)
        self.dimensions = by.filter { $0 != .day }
        self.filters = filters
        self.zone = zone
        self.targetMs = targetMs
    }

    /// Plays from the device's own storage had no CDN: they are left out unless the report asks about sources.
    package var leavesOutDownloads: Bool {
        !dimensions.contains(.source) && !filters.contains { $0.dimension == .source }
    }
}
