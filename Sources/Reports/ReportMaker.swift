internal import Queries

/// Makes reports from what a store holds.
package struct ReportMaker {
    let store: any ReportStore
    let limits: ReportLimits

    package init(store: any ReportStore, limits: ReportLimits = ReportLimits()) {
        self.store = store
        self.limits = limits
    }

    /// Everything for some tables of one request, from one moment of the store.
    ///
    /// - Parameter comparison: what groups are set against, if at all.
    /// - Throws: ``ReportRequestError`` when the request has nothing to compare, ``ReportLimitError`` when the report would be
    ///   too large; what the store says of a query.
    package func document(
        _ metrics: [ReportMetric], _ request: ReportRequest, comparing comparison: ComparisonReference? = nil
    ) throws -> ReportDocument {
        try store.snapshot { try read(metrics, request, comparing: comparison) }
    }

    func read(
        _ metrics: [ReportMetric], _ request: ReportRequest, comparing comparison: ComparisonReference?
    ) throws -> ReportDocument {
        let request = limited(request)
        let delivery = DeliveryMaker(store: store, request: request)
        var side = metrics.contains(.delivery) ? try delivery.sideCount() : nil
        let report = try plays(request, alongside: &side)
        let withoutCode = request.withoutErrorCode
        let isNeeded = metrics.contains(.failures) && withoutCode != request
        var document = ReportDocument(
            request: request, metrics: metrics, plays: report, failures: isNeeded ? try plays(withoutCode) : report)
        if metrics.contains(.delivery) {
            document.delivery = DeliveryReport(
                request: request,
                periods: try delivery.periods(nameOfAll: report.periods.first?.name, counted: side?.ledger),
                asOf: report.asOf, downloads: report.downloads)
        }
        if metrics.contains(.quality) { document.receipts = try receipts(report) }
        document.comparison = try comparison.map { try ComparisonMaker(store: store, request: request).report($0) }
        return document
    }

    /// One table for machines.
    ///
    /// - Throws: what the store says of a query.
    package func table(_ metric: ReportMetric, _ request: ReportRequest) throws -> ReportTable {
        let document = try document([metric], request)
        let isAboutFailures = metric == .failures
        if isAboutFailures, document.failures.failuresLeftOut > 0 {
            throw ReportLimitError.codes(most: limits.failures)
        }
        let rows = isAboutFailures ? document.failures.failureRows : document.plays.groupRows
        guard rows <= limits.rows else { throw ReportLimitError.rows(most: limits.rows) }
        try limits.check()
        return document.table(metric)
    }

    private func limited(_ request: ReportRequest) -> ReportRequest {
        var request = request
        request.mostGroups = limits.groups
        return request
    }

    /// The figures about plays.
    func plays(_ request: ReportRequest) throws -> PlayReport {
        let request = limited(request)
        var side: DeliveryMaker.SideCount?
        return try plays(request, alongside: &side)
    }

    /// The figures about plays.
    ///
    /// - Parameter side: what is to see the plays too; nil afterwards where one scan was not enough for both.
    private func plays(_ request: ReportRequest, alongside side: inout DeliveryMaker.SideCount?) throws -> PlayReport {
        var report = PlayReport(request: request, periods: [], asOf: nil, downloads: 0)
        let periods = try PeriodFinder(store: store, request: request).periods()
        if periods.count != 1 { side = nil }
        for period in periods {
            let scope = PlayScope(request, dialect: store.dialect, range: period.range, span: period.span)
            var tally = try tally(scope, alongside: &side)
            report.downloads += tally.downloads
            guard tally.all.totals.plays > 0 else { continue }
            try limits.check()
            report.failuresLeftOut += tally.keepFailures(limits.failures)
            report.periods.append(period.figures(tally, request))
            report.asOf = max(report.asOf ?? .min, tally.all.totals.lastReceivedAt)
            guard report.groupRows <= limits.rows else { throw ReportLimitError.rows(most: limits.rows) }
            try limits.check()
        }
        return report
    }

    private func tally(_ scope: PlayScope, alongside side: inout DeliveryMaker.SideCount?) throws -> PeriodTally {
        guard let arrivals = side?.arrivals, let scanner = store.scanner else {
            return try store.counter(scope).tally()
        }
        let (tally, counts) = try StreamedTally(scope, scanner).tally(alongside: arrivals)
        for count in counts { side?.ledger.add(count) }
        return tally
    }

    /// The senders' accounts in the periods of a report about plays.
    func delivery(_ report: PlayReport) throws -> DeliveryReport {
        let periods = try DeliveryMaker(store: store, request: report.request).periods(
            nameOfAll: report.periods.first?.name)
        return DeliveryReport(
            request: report.request, periods: periods, asOf: report.asOf, downloads: report.downloads)
    }

    /// Repeats and rejected events in the hours of receipt that the report's days cover.
    private func receipts(_ report: PlayReport) throws -> ReceiptCounts {
        let range = report.request.range
        let first = range.map { floorQuotient($0.lowerBound, millisecondsPerHour) } ?? Int64.min
        let last = range.map { floorQuotient($0.upperBound - 1, millisecondsPerHour) } ?? .max
        let hours: [SQLValue] = [.integer(first), .integer(last)]
        var counts = ReceiptCounts()
        try store.rows(QueryFile.repeats.sql(scope: ""), hours) { row in
            counts.duplicates = row.integer(0)
            counts.conflicts = row.integer(1)
        }
        try store.rows(QueryFile.rejections.sql(scope: ""), hours) { row in
            counts.rejected.append(.init(code: row.text(0), events: row.integer(1)))
        }
        return counts
    }
}

extension ReportRequest {
    /// The same plays, grouped without the error code.
    var withoutErrorCode: ReportRequest {
        var request = self
        request.dimensions.removeAll { $0 == .errorCode }
        return request
    }

    /// The times that the days cover, ms since 1970; nil for all times.
    var range: Range<Int64>? {
        switch days {
        case .all: nil
        case .day(let day): zone.range(from: day, to: day)
        case .range(let first, let last): zone.range(from: first, to: last)
        }
    }
}
