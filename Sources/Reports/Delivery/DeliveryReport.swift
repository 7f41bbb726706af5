/// What arrived of the plays that senders say they made, by the day of receipt.
package struct DeliveryReport: Sendable {
    package var request: ReportRequest
    package var periods: [Period]
    package var asOf: Int64?
    package var downloads: Int64

    package struct Period: Sendable {
        package var name: String
        /// By arrived plays, most first, then by name as bytes.
        package var groups: [DeliveryFigures]
        package var all: DeliveryFigures
    }
}

/// The accounts of a group's senders in one period.
package struct DeliveryFigures: Sendable, Hashable {
    package var names: GroupNames
    package var senders: Int64 = 0
    package var made: Int64 = 0
    package var arrived: Int64 = 0
    package var dropped: Int64 = 0
    package var rejected: Int64 = 0
    package var lost: Int64 = 0

    package var arrivedRatio: Double? { made > 0 ? Double(arrived) / Double(made) : nil }

    /// Plays that were made and did not arrive, for whatever reason.
    package var missing: Int64 { dropped + rejected + lost }

    mutating func add(_ other: DeliveryFigures) {
        senders += other.senders
        made += other.made
        arrived += other.arrived
        dropped += other.dropped
        rejected += other.rejected
        lost += other.lost
    }
}

extension DeliveryReport {
    func table() -> ReportTable {
        let counts = ["senders", "made", "arrived", "dropped", "rejected", "lost"]
        var table = ReportTable(
            name: ReportMetric.delivery.rawValue,
            columns: request.leadingColumns + counts.map { ReportColumn($0, .count) } + [
                ReportColumn("arrived_ratio", .ratio), ReportColumn("definitions", .version),
            ],
            rows: [], asOf: asOf, downloads: downloads)
        for period in periods {
            for figures in period.groups + [period.all] {
                let names = [.text(period.name)] + figures.names.map(ReportCell.text)
                let numbers = [
                    figures.senders, figures.made, figures.arrived, figures.dropped, figures.rejected, figures.lost,
                ]
                table.rows.append(
                    names + numbers.map { .init($0) } + [.init(figures.arrivedRatio), .init(definitionsVersion)])
            }
        }
        return table
    }
}
