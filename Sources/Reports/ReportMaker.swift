internal import Suggestions

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
    /// - Parameters:
    ///   - comparison: what groups are set against, if at all.
    ///   - tellsSamples: whether it is found out which plays come from sampled sessions.
    /// - Throws: ``ReportRequestError`` when the request has nothing to compare, ``ReportLimitError`` when the report would be
    ///   too large; what the store says.
    package func document(
        _ metrics: [ReportMetric], _ request: ReportRequest, comparing comparison: ComparisonRequest? = nil,
        tellsSamples: Bool = true
    ) throws -> ReportDocument {
        try store.snapshot {
            var document = try read(metrics, request, comparing: comparison)
            if tellsSamples { document.sampled = try sampled(document.plays) }
            return document
        }
    }

    func read(
        _ metrics: [ReportMetric], _ request: ReportRequest, comparing comparison: ComparisonRequest?
    ) throws -> ReportDocument {
        let request = limited(request)
        try checkFilters(request.filters)
        let report = try plays(request)
        let withoutCode = request.withoutErrorCode
        let isNeeded = metrics.contains(.failures) && withoutCode != request
        var document = ReportDocument(
            request: request, metrics: metrics, plays: report, failures: isNeeded ? try plays(withoutCode) : report)
        if metrics.contains(.delivery) { document.delivery = try delivery(report) }
        if metrics.contains(.volume) { document.volume = try volume(request) }
        if metrics.contains(.quality) { document.receipts = try receipts(report) }
        document.comparison = try comparison.map { try compare(request, $0) }
        return document
    }

    /// One table for machines.
    ///
    /// - Parameter tellsSamples: whether it is found out which plays come from sampled sessions.
    /// - Throws: what the store says.
    package func table(
        _ metric: ReportMetric, _ request: ReportRequest, tellsSamples: Bool = true
    ) throws -> ReportTable {
        let document = try document([metric], request, tellsSamples: tellsSamples)
        if metric == .failures, document.failures.failuresLeftOut > 0 {
            throw ReportLimitError.codes(most: limits.failures)
        }
        guard document.rows(metric) <= limits.rows else { throw ReportLimitError.rows(most: limits.rows) }
        try limits.check()
        return document.table(metric)
    }

    /// Which plays of a report come from sampled sessions.
    func sampled(_ report: PlayReport) throws -> SampledPlays {
        guard !report.periods.isEmpty else { return SampledPlays() }
        let (scope, range) = (PlayScope(report.request), report.request.range)
        do {
            return SampledPlays(try store.plays(byTag: SampledPlays.tag, scope, in: range))
        } catch ReportLimitError.groups {
            var many = SampledPlays()
            many.isTooMany = true
            return many
        }
    }

    /// The table of a comparison for machines.
    ///
    /// - Throws: ``ReportRequestError`` when there is nothing to compare; what the store says.
    package func table(_ comparison: ComparisonRequest, _ request: ReportRequest) throws -> ReportTable {
        let report = try store.snapshot {
            try checkFilters(request.filters)
            return try compare(limited(request), comparison)
        }
        guard report.periods.reduce(0, { $0 + $1.comparisons.count }) <= limits.rows else {
            throw ReportLimitError.rows(most: limits.rows)
        }
        try limits.check()
        return report.table()
    }

    func limited(_ request: ReportRequest) -> ReportRequest {
        var request = request
        request.mostGroups = limits.groups
        request.mostNamed = limits.named
        return request
    }

    /// The figures about plays.
    func plays(_ request: ReportRequest) throws -> PlayReport {
        let request = limited(request)
        let periods = try ReportPeriod.periods(of: request, in: store).filter { $0.range?.isEmpty != true }
        var question = SumsQuestion(PlayScope(request), periods: periods.map(\.range))
        question.add(percents: request.percents)
        return try report(request, question, periods, periods.isEmpty ? [] : try store.sums(question))
    }

    /// The report of some periods whose sums are known.
    ///
    /// - Throws: ``ReportLimitError``.
    func report(
        _ request: ReportRequest, _ question: SumsQuestion, _ periods: [ReportPeriod], _ sums: [PeriodSums]
    ) throws -> PlayReport {
        var report = PlayReport(request: request, periods: [], asOf: nil, downloads: 0)
        for (period, sums) in zip(periods, sums) {
            report.downloads += sums.downloads
            guard sums.all.totals[.plays] > 0 else { continue }
            var kept = sums
            report.failuresLeftOut += kept.keepFailures(limits.failures)
            report.periods.append(period.figures(kept, question, request))
            report.asOf = max(report.asOf ?? .min, sums.all.totals.lastReceivedAt)
            guard report.groupRows <= limits.rows else { throw ReportLimitError.rows(most: limits.rows) }
            try limits.check()
        }
        return report
    }

    /// Repeats and rejected events in the hours of receipt that the report's days cover.
    func receipts(_ report: PlayReport) throws -> ReceiptCounts {
        try store.receipts(in: report.request.range.map(hours(of:)))
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
    package var range: Range<Int64>? {
        switch days {
        case .all: nil
        case .day(let day): zone.range(from: day, to: day)
        case .range(let first, let last): zone.range(from: first, to: last)
        case .window(let window): window
        }
    }
}

extension ReportMaker {
    /// - Throws: ``ReportRequestError`` for a filter with a value that no play has ever had; what the store says.
    func checkFilters(_ filters: [PlayFilter]) throws {
        for filter in filters {
            if let message = try unknownValue(of: filter) { throw ReportRequestError(message) }
        }
    }

    /// So many values are looked at to find those that a word may have meant.
    private static let mostCandidates = 5_000

    /// Says which value of a filter no play has ever had, and which are near; nil when there is none, and in a store
    /// without plays.
    func unknownValue(of filter: PlayFilter) throws -> String? {
        let dimension = filter.dimension
        guard !filter.isAboutTime else { return nil }
        let wanted = filter.alternatives.filter { $0 != dimension.absent }.map { ByteText($0) }
        let found = Set(try store.values(of: dimension, among: wanted, most: wanted.count))
        // A text with commas is one value or several.
        let isList = filter.alternatives.count > 1 && filter.alternatives.first == filter.value
        if isList, found.contains(ByteText(filter.value)) { return nil }
        guard let unknown = wanted.dropFirst(isList ? 1 : 0).first(where: { !found.contains($0) }) else { return nil }
        let values = try store.values(of: dimension, among: nil, most: Self.mostCandidates).map(\.description)
        if values.isEmpty, try store.hours(in: nil).isEmpty { return nil }
        return "no play has ever had the \(dimension.name) '\(unknown)'".visible
            + Self.suggestion(unknown.description, among: values).visible
    }

    private static func suggestion(_ word: String, among values: [String]) -> String {
        guard !values.isEmpty else { return ", nor any other" }
        var (near, rest): ([String], _) = ([], values)
        while near.count < 3, let next = Spelling.nearest(to: word, among: rest) {
            near.append("'\(next)'")
            rest.removeAll { $0 == next }
        }
        if !near.isEmpty { return ": did you mean \(near.joined(separator: " or "))?" }
        let known = values.sorted().prefix(5).map { "'\($0)'" }
        return ": there is \(known.joined(separator: ", "))" + (values.count > 5 ? ", …" : "")
    }
}
