internal import Queries

/// Makes reports from what a store holds.
package struct ReportMaker {
    let store: any ReportStore

    package init(store: any ReportStore) {
        self.store = store
    }

    /// One table.
    ///
    /// - Throws: what the store says of a query.
    package func table(_ metric: ReportMetric, _ request: ReportRequest) throws -> ReportTable {
        try tables([metric], request)[0]
    }

    /// Several tables of one request, in the order asked for; plays are counted once.
    ///
    /// - Throws: what the store says of a query.
    package func tables(_ metrics: [ReportMetric], _ request: ReportRequest) throws -> [ReportTable] {
        var reports: [ReportRequest: PlayReport] = [:]
        func plays(_ request: ReportRequest) throws -> PlayReport {
            if let report = reports[request] { return report }
            let report = try self.plays(request)
            reports[request] = report
            return report
        }
        return try metrics.map { metric in
            switch metric {
            case .failures: try plays(request.withoutErrorCode).failuresTable()
            case .delivery: try delivery(plays(request)).table()
            default: try plays(request).groupTable(metric)
            }
        }
    }

    /// The figures about plays.
    ///
    /// - Throws: what the store says of a query.
    package func plays(_ request: ReportRequest) throws -> PlayReport {
        try store.snapshot { try counted(request) }
    }

    private func counted(_ request: ReportRequest) throws -> PlayReport {
        var report = PlayReport(request: request, periods: [], asOf: nil, downloads: 0)
        for period in try PeriodFinder(store: store, request: request).periods() {
            let scope = PlayScope(
                request, dialect: store.dialect, range: period.range, span: period.span)
            let tally = try QueriedTally(store: store, scope: scope).tally()
            report.downloads += try downloads(scope)
            guard tally.all.totals.plays > 0 else { continue }
            report.periods.append(period.figures(tally, request))
            report.asOf = max(report.asOf ?? .min, tally.all.totals.lastReceivedAt)
        }
        return report
    }

    private func downloads(_ scope: PlayScope) throws -> Int64 {
        guard scope.leavesOutDownloads else { return 0 }
        let (subquery, parameters) = scope.query(QueryFile.downloads.columns)
        var downloads: Int64 = 0
        try store.rows(QueryFile.downloads.sql(scope: subquery), parameters) { row in downloads = row.integer(0) }
        return downloads
    }
}

extension ReportMaker {
    /// Every group set against the same length of time before, or against all other groups.
    ///
    /// - Throws: ``ReportRequestError`` when the request has nothing to compare; what the store says of a query.
    package func comparison(_ reference: ComparisonReference, _ request: ReportRequest) throws -> ComparisonReport {
        try store.snapshot { try ComparisonMaker(store: store, request: request).report(reference) }
    }

    /// The senders' accounts in the periods of a report about plays.
    ///
    /// - Throws: what the store says of a query.
    package func delivery(_ report: PlayReport) throws -> DeliveryReport {
        let maker = DeliveryMaker(store: store, request: report.request, nameOfAll: report.periods.first?.name)
        return DeliveryReport(
            request: report.request, periods: try store.snapshot { try maker.periods() }, asOf: report.asOf,
            downloads: report.downloads)
    }
}

extension ReportRequest {
    /// The same plays, grouped without the error code.
    var withoutErrorCode: ReportRequest {
        var request = self
        request.dimensions.removeAll { $0 == .errorCode }
        return request
    }
}
