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

/// The reports of a group's senders in one period.
package struct DeliveryFigures: Sendable, Hashable {
    package var names: GroupNames
    package var sums: SenderSums

    /// The columns of ``SenderSums/counts``.
    static let countNames = ["senders", "made", "arrived", "dropped", "rejected", "lost", "surplus"]

    /// At most 1.
    package var arrivedRatio: Double? {
        sums.made > 0 ? Double(sums.arrived - sums.surplus) / Double(sums.made) : nil
    }

    /// Plays that were made and did not arrive, for whatever reason.
    package var missing: Int128 { sums.dropped + sums.rejected + sums.lost }
}

extension ReportMaker {
    /// The senders' own reports in the days of a report about plays.
    func delivery(_ report: PlayReport) throws -> DeliveryReport {
        DeliveryReport(
            request: report.request,
            periods: try deliveryPeriods(report.request, nameOfAll: report.periods.first?.name),
            asOf: report.asOf, downloads: report.downloads)
    }

    /// - Parameter nameOfAll: what the one period is called when there is one for all plays; nil without a play: then the days
    ///   of receipt name it.
    /// - Throws: what the store says.
    func deliveryPeriods(_ request: ReportRequest, nameOfAll: String?) throws -> [DeliveryReport.Period] {
        let periods = try receiptPeriods(request, nameOfAll: nameOfAll)
        guard !periods.isEmpty else { return [] }
        let question = DeliveryQuestion(PlayScope(request), periods: periods.map(\.range))
        return zip(periods, try store.deliveries(question)).compactMap { period, groups in
            guard !groups.isEmpty else { return nil }
            var all = SenderSums(.unknown)
            for group in groups { all += group }
            let figures = groups.map { DeliveryFigures(names: $0.group.names(request), sums: $0) }
            return DeliveryReport.Period(
                name: period.name,
                groups: request.dimensions.isEmpty ? [] : GroupOrder(request: request).shown(figures),
                all: DeliveryFigures(names: request.namesOfAll, sums: all))
        }
    }

    /// The periods of receipt: days that are asked for one by one are those that lie in the range.
    private func receiptPeriods(_ request: ReportRequest, nameOfAll: String?) throws
        -> [(name: String, range: Range<Int64>?)]
    {
        let zone = request.zone
        switch request.days {
        case .all:
            if !request.isByDay, let nameOfAll { return [(nameOfAll, nil)] }
            guard let receipts = try store.marks().receipts else { return [] }
            let (first, last) = (zone.day(of: receipts.lowerBound), zone.day(of: receipts.upperBound))
            return request.isByDay ? days(zone, from: first, to: last) : [(zone.rangeName(from: first, to: last), nil)]
        case .day(let day): return days(zone, from: day, to: day)
        case .window(let window) where request.isByDay:
            let last = zone.day(of: window.upperBound - 1)
            return days(zone, from: zone.day(of: window.lowerBound), to: last).map { day in
                (day.0, day.1?.clamped(to: window))
            }
        case .window(let window): return [(zone.windowName(window), window)]
        case .range(let first, let last) where request.isByDay: return days(zone, from: first, to: last)
        case .range(let first, let last):
            return first <= last ? [(zone.rangeName(from: first, to: last), zone.range(from: first, to: last))] : []
        }
    }

    private func days(_ zone: ReportZone, from first: CalendarDay, to last: CalendarDay) -> [(String, Range<Int64>?)] {
        guard first <= last else { return [] }
        return (first.number...last.number).compactMap { number in
            let day = CalendarDay(number: number)
            let range = zone.range(from: day, to: day)
            return range.isEmpty ? nil : (day.description, range)
        }
    }
}

extension SenderSums {
    /// In the order of the columns.
    var counts: [Int128] { [Int128(senders), made, arrived, dropped, rejected, lost, surplus] }
}

extension SenderSums.Group {
    fileprivate func names(_ request: ReportRequest) -> GroupNames {
        switch self {
        case .one(let key): request.names(key)
        case .several: GroupNames(request.dimensions.map { _ in "(several)" })
        case .unknown: GroupNames(request.dimensions.map { _ in "(unknown)" })
        }
    }
}

extension DeliveryReport {
    func table() -> ReportTable {
        var table = ReportTable(
            name: ReportMetric.delivery.rawValue,
            columns: request.leadingColumns + DeliveryFigures.countNames.map { ReportColumn($0, .count) } + [
                ReportColumn("arrived_ratio", .ratio), ReportColumn("definitions", .version),
            ],
            rows: [], asOf: asOf, downloads: downloads, request: request)
        for period in periods {
            for figures in period.groups + [period.all] {
                let names = [.text(period.name)] + figures.names.map(ReportCell.text)
                let numbers = figures.sums.counts
                table.rows.append(
                    names + numbers.map { .init($0) } + [.init(figures.arrivedRatio), .init(definitionsVersion)])
            }
        }
        return table
    }
}
