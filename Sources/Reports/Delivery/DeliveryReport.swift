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
    package var arrived: Int64 = 0
    // Senders say what they like, up to 2⁵³ each, and there may be any number of them.
    package var made: Int128 = 0
    package var dropped: Int128 = 0
    package var rejected: Int128 = 0
    package var lost: Int128 = 0
    /// Plays that arrived beyond those that their sender says it made.
    package var surplus: Int128 = 0

    package var arrivedRatio: Double? { made > 0 ? Double(Int128(arrived) - surplus) / Double(made) : nil }

    /// Plays that were made and did not arrive, for whatever reason.
    package var missing: Int128 { dropped + rejected + lost }

    /// The columns of numbers that add up, in their order.
    var counts: [(name: String, count: Int128)] {
        [
            ("senders", Int128(senders)), ("made", made), ("arrived", Int128(arrived)), ("dropped", dropped),
            ("rejected", rejected), ("lost", lost), ("surplus", surplus),
        ]
    }

    mutating func add(_ other: DeliveryFigures) {
        senders += other.senders
        made += other.made
        arrived += other.arrived
        dropped += other.dropped
        rejected += other.rejected
        lost += other.lost
        surplus += other.surplus
    }
}

extension DeliveryReport {
    func table() -> ReportTable {
        let counts = DeliveryFigures(names: request.namesOfAll).counts.map(\.name)
        var table = ReportTable(
            name: ReportMetric.delivery.rawValue,
            columns: request.leadingColumns + counts.map { ReportColumn($0, .count) } + [
                ReportColumn("arrived_ratio", .ratio), ReportColumn("definitions", .version),
            ],
            rows: [], asOf: asOf, downloads: downloads)
        for period in periods {
            for figures in period.groups + [period.all] {
                let names = [.text(period.name)] + figures.names.map(ReportCell.text)
                table.rows.append(
                    names + figures.counts.map { .init($0.count) } + [
                        .init(figures.arrivedRatio), .init(definitionsVersion),
                    ])
            }
        }
        return table
    }
}
