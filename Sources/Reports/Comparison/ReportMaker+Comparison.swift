extension ReportMaker {
    /// Sets the groups of a request against the time before, or against each other.
    ///
    /// - Throws: ``ReportRequestError`` when there is nothing to compare; what the store says.
    func compare(_ request: ReportRequest, _ comparison: ComparisonRequest) throws -> ComparisonReport {
        guard !request.dimensions.isEmpty else {
            throw ReportRequestError("--compare needs groups: --by with a dimension other than day")
        }
        var request = limited(request)
        // No group of a comparison is made of others.
        request.mostGroups = min(request.mostGroups, request.mostNamed)
        request.mostNamed = .max
        let periods = try ReportPeriod.periods(of: request, in: store).filter { $0.range?.isEmpty != true }
        var report = try unjudged(request, comparison, periods)
        report.judge()
        return report
    }

    /// The comparisons of some periods of the request, in order of time, without their verdicts.
    func unjudged(
        _ request: ReportRequest, _ comparison: ComparisonRequest, _ periods: [ReportPeriod]
    ) throws -> ComparisonReport {
        var question = SumsQuestion(PlayScope(request), periods: periods.map(\.range))
        switch comparison.reference {
        case .rest: question.otherSide = .rest
        case .previous: try question.addPrevious(request)
        }
        let sums = periods.isEmpty ? [] : try store.sums(question)
        return try unjudged(request, comparison, periods, question, sums)
    }

    /// - Parameter sums: of a question whose first periods are these, and which has the other sides.
    func comparison(
        _ request: ReportRequest, _ comparison: ComparisonRequest, _ periods: [ReportPeriod], _ question: SumsQuestion,
        _ sums: [PeriodSums]
    ) throws -> ComparisonReport {
        var report = try unjudged(request, comparison, periods, question, sums)
        report.judge()
        return report
    }

    private func unjudged(
        _ request: ReportRequest, _ comparison: ComparisonRequest, _ periods: [ReportPeriod], _ question: SumsQuestion,
        _ sums: [PeriodSums]
    ) throws -> ComparisonReport {
        var report = ComparisonReport(request: request, comparison: comparison, periods: [], asOf: nil, downloads: 0)
        let compared = periods.indices.map { index in Self.pairs(periods[index], index, request, question, sums) }
        var adjuster: Adjuster?
        if !comparison.adjust.isEmpty {
            adjuster = try Adjuster(store, question, comparison.adjust, compared.map(\.pairs))
        }
        for (index, (name, pairs)) in compared.enumerated() where !pairs.isEmpty {
            report.downloads += sums[index].downloads
            report.asOf = max(report.asOf ?? .min, sums[index].all.totals.lastReceivedAt)
            let comparisons = pairs.flatMap { pair in
                pair.comparisons().map { comparison in
                    var comparison = comparison
                    if comparison.reference != nil {
                        comparison.adjusted = adjuster?.adjusted(index, pair, comparison.metric)
                    }
                    return comparison
                }
            }
            report.periods.append(.init(name: name, comparisons: comparisons, groups: sums[index].groups.count))
        }
        return report
    }

    /// The groups of a period with their other sides, in the order of the tables.
    private static func pairs(
        _ period: ReportPeriod, _ index: Int, _ request: ReportRequest, _ question: SumsQuestion, _ sums: [PeriodSums]
    ) -> (name: String, pairs: [ComparedPair]) {
        guard sums[index].all.totals[.plays] > 0 else { return ("", []) }
        let order = period.figures(sums[index], question, request)
        var groups: [GroupNames: GroupSums] = [:]
        for group in sums[index].groups { groups[request.names(group.key)] = group }
        let pairs = order.groups.compactMap { figures in
            groups[figures.names].map { own in
                ComparedPair(names: figures.names, own, other(own, index, question, sums))
            }
        }
        return (order.name, pairs)
    }

    private static func other(
        _ own: GroupSums, _ period: Int, _ question: SumsQuestion, _ sums: [PeriodSums]
    ) -> GroupSums? {
        switch question.otherSide {
        case .rest: return sums[period].all.without(own)
        case .periods(let others):
            return others[period].flatMap { index in sums[index].groups.first { $0.key == own.key } }
        case nil: return nil
        }
    }
}

extension SumsQuestion {
    /// Adds to each period the one that it is set against.
    ///
    /// - Throws: ``ReportRequestError`` for a period without a beginning.
    mutating func addPrevious(_ request: ReportRequest) throws {
        var others: [Int?] = []
        for range in periods {
            guard let range else {
                throw ReportRequestError("--compare previous needs days: --day, or --from and --to")
            }
            let before = request.before(range)
            if let known = periods.firstIndex(of: before) {
                others.append(known)
            } else {
                others.append(periods.count)
                periods.append(before)
            }
        }
        others += Array(repeating: nil, count: periods.count - others.count)
        otherSide = .periods(others)
    }
}

extension ReportRequest {
    /// The time that a period is set against: the same weekday before, or as long a time just before.
    fileprivate func before(_ range: Range<Int64>) -> Range<Int64> {
        let first = zone.day(of: range.lowerBound)
        if case .window = days {
            guard isByDay else {
                return range.lowerBound - (range.upperBound - range.lowerBound)..<range.lowerBound
            }
            // The same times of the day.
            let back = zone.start(of: first) - zone.start(of: first.advanced(by: -7))
            return range.lowerBound - back..<range.upperBound - back
        }
        let days = zone.day(of: range.upperBound - 1).number - first.number + 1
        let back = isByDay ? 7 : days
        return zone.range(from: first.advanced(by: -back), to: first.advanced(by: days - 1 - back))
    }
}

extension GroupSums {
    /// All plays but a group's, from the sums of both and of the sessions that are on both sides.
    fileprivate func without(_ group: GroupSums) -> GroupSums {
        var rest = GroupSums(key: nil)
        rest.startups = StartupHistogram(startups, without: group.startups)
        for measure in Measure.allCases {
            let (all, own) = (ratios[measure], group.ratios[measure])
            let cross = group.cross?[measure] ?? CrossSums()
            // (own + rest)² = own² + 2·own·rest + rest².
            rest.ratios[measure] = RatioSums(
                sessions: 0, base: all.base - own.base, events: all.events - own.events,
                baseSquares: all.baseSquares - own.baseSquares - 2 * cross.bases,
                products: all.products - own.products - cross.baseByEvents - cross.eventsByBase,
                eventSquares: all.eventSquares - own.eventSquares - 2 * cross.events)
        }
        return rest
    }
}
