/// What an export holds: the last days of a store, day by day and group by group.
package struct ExportRequest: Sendable, Hashable {
    /// Counted back from the day of the newest play that is not after today.
    package var days: Int
    package var dimensions: [PlayDimension]
    package var zone: ReportZone
    /// ms.
    package var targetMs: Int64

    /// - Parameter by: the groups; `day` is there in any case.
    package init(
        days: Int = 35, by dimensions: [PlayDimension] = [.cdnRegion], zone: ReportZone = .utc, targetMs: Int64 = 1_000
    ) {
        self.days = days
        self.dimensions = dimensions.filter { $0 != .day }
        self.zone = zone
        self.targetMs = targetMs
    }

    /// The same groups over some days, a period a day.
    func report(_ days: ReportRequest.Days) -> ReportRequest {
        ReportRequest(days: days, by: [.day] + dimensions, zone: zone, targetMs: targetMs)
    }
}
