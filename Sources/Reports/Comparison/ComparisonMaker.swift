/// Sets groups against the time before, or against each other.
struct ComparisonMaker {
    let store: any ReportStore
    let request: ReportRequest

    /// More groups are not set against each other: every session is looked at once for each of them.
    static let mostGroups = 200

    func report(_ reference: ComparisonReference) throws -> ComparisonReport {
        var report = ComparisonReport(
            request: request, reference: reference, periods: [], asOf: nil, downloads: 0)
        for period in try PeriodFinder(store: store, request: request).periods() {
            let scope = PlayScope(request, dialect: store.dialect, range: period.range, span: period.span)
            let counter = store.counter(scope)
            let tally = try counter.tally()
            guard tally.all.totals.plays > 0 else { continue }
            report.asOf = max(report.asOf ?? .min, tally.all.totals.lastReceivedAt)
            let order = period.figures(tally, request)
            let pairs =
                switch reference {
                case .rest: try againstRest(tally, counter)
                case .previous: try againstPrevious(tally, period)
                }
            // As the other tables order groups.
            let places = Dictionary(
                uniqueKeysWithValues: (order.groups + [order.all]).enumerated().map {
                    ($1.names, $0)
                })
            let sorted = pairs.sorted { one, other in
                places[one.names] ?? 0
                    < places[other.names] ?? 0
            }
            report.periods.append(.init(name: order.name, comparisons: sorted.flatMap { $0.comparisons() }))
        }
        report.judge()
        return report
    }

    // MARK: Against the rest

    private func againstRest(_ tally: PeriodTally, _ counter: any PeriodCounter) throws -> [ComparedPair] {
        guard !request.dimensions.isEmpty else {
            throw ReportRequestError("--compare rest needs groups: --by with a dimension other than day")
        }
        guard tally.groups.count <= Self.mostGroups else {
            throw ReportRequestError(
                "\(tally.groups.count) groups: --compare rest sets at most \(Self.mostGroups) against each other")
        }
        var pairs = tally.groups.map { group in
            ComparedPair(names: request.names(group.key), group, tally.all.without(group))
        }
        let places = places(tally)
        try counter.readSessions { parts, count in
            var all = ClusterSums()
            for part in parts { all.add(part.sums) }
            for index in pairs.indices {
                let own = parts.first { places[$0.key] == index }?.sums
                let rest = own.map { all.without($0) } ?? all
                pairs[index].add(own, rest, count: count)
                if rest.plays > 0 { pairs[index].addToOther(rest, count: count) }
            }
        }
        return pairs
    }

    // MARK: Against the time before

    private func againstPrevious(_ tally: PeriodTally, _ period: ReportPeriod) throws -> [ComparedPair] {
        guard let range = period.range else {
            throw ReportRequestError("--compare previous needs days: --day, or --from and --to")
        }
        let first = request.zone.day(of: range.lowerBound)
        let days = request.zone.day(of: range.upperBound - 1).number - first.number + 1
        let before = request.zone.start(of: first.advanced(by: -days))..<range.lowerBound
        let earlier = try store.counter(PlayScope(request, dialect: store.dialect, range: before, span: before)).tally()
        let earlierPlaces = places(earlier)
        var pairs = tally.groups.map { group in
            let other = group.key.flatMap { earlierPlaces[$0] }.map { earlier.groups[$0] }
            return ComparedPair(names: request.names(group.key), group, other)
        }
        pairs.append(
            ComparedPair(
                names: request.namesOfAll, tally.all,
                earlier.all.totals.plays > 0 ? earlier.all : nil))
        let both = before.lowerBound..<range.upperBound
        var scope = PlayScope(request, dialect: store.dialect, range: both, span: both)
        scope.boundary = range.lowerBound
        let places = places(tally)
        try store.counter(scope).readSessions { parts, count in
            var all: [Int64: ClusterSums] = [:]
            var groups: [Int: [Int64: ClusterSums]] = [:]
            for part in parts {
                all[part.part, default: ClusterSums()].add(part.sums)
                if let place = places[part.key], !request.dimensions.isEmpty {
                    groups[place, default: [:]][part.part] = part.sums
                }
            }
            for (place, sums) in groups { pairs[place].add(sums[1], sums[0], count: count) }
            pairs[pairs.count - 1].add(all[1], all[0], count: count)
        }
        return pairs
    }

    private func places(_ tally: PeriodTally) -> [GroupKey: Int] {
        Dictionary(
            uniqueKeysWithValues: tally.groups.enumerated().compactMap { index, group in group.key.map { ($0, index) } }
        )
    }
}

extension GroupTally {
    /// The tally of all plays but a group's, without its sessions.
    fileprivate func without(_ group: GroupTally) -> GroupTally {
        GroupTally(
            key: nil, totals: totals.without(group.totals),
            startups: StartupHistogram(startups, without: group.startups))
    }
}

extension ClusterSums {
    fileprivate func without(_ other: ClusterSums) -> ClusterSums {
        var rest = self
        rest.plays -= other.plays
        rest.started -= other.started
        rest.failed -= other.failed
        rest.measured -= other.measured
        rest.withinTarget -= other.withinTarget
        rest.stalledPlays -= other.stalledPlays
        rest.stalls -= other.stalls
        rest.watchedMs -= other.watchedMs
        rest.stalledMs -= other.stalledMs
        return rest
    }
}
