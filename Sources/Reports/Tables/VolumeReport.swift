/// How much each CDN and region has delivered, for whoever gets its bill.
package struct VolumeReport: Sendable {
    /// The groups are CDN and region whatever was asked for.
    package var request: ReportRequest
    package var periods: [Period]
    package var asOf: Int64?
    package var downloads: Int64

    package struct Period: Sendable {
        package var name: String
        /// By plays, most first, then by name as bytes, unless the request says otherwise; `(other)` is the last.
        package var groups: [VolumeFigures]
        package var all: VolumeFigures
        /// Groups that the request's limit leaves out.
        package var groupsLeftOut = 0
    }

    /// - Parameter asked: whatever its groups are.
    init(_ asked: ReportRequest) {
        request = asked
        request.dimensions = [.cdn, .cdnRegion]
        periods = []
        downloads = 0
    }
}

/// The volume of one CDN and region in one period.
package struct VolumeFigures: Sendable {
    package var names: GroupNames
    /// Of the plays that the report covers.
    package var totals = Totals()
    /// Of downloads, which no report else covers.
    package var downloads = Totals()

    init(names: GroupNames) {
        self.names = names
    }

    fileprivate mutating func add(_ part: Totals, isDownload: Bool, leavesOutDownloads: Bool) {
        if isDownload { downloads += part }
        if !isDownload || !leavesOutDownloads { totals += part }
    }

    fileprivate func precedes(_ other: VolumeFigures) -> Bool {
        if totals[.plays] != other.totals[.plays] { return totals[.plays] > other.totals[.plays] }
        return names.key.values.lexicographicallyPrecedes(other.names.key.values)
    }
}

extension ReportMaker {
    /// The volume of the plays of a request.
    func volume(_ request: ReportRequest) throws -> VolumeReport {
        let periods = try ReportPeriod.periods(of: request, in: store).filter { $0.range?.isEmpty != true }
        return try volume(request, periods)
    }

    /// The volume of some periods, in one scan: plays and downloads are told apart as groups.
    func volume(_ request: ReportRequest, _ periods: [ReportPeriod]) throws -> VolumeReport {
        var report = VolumeReport(limited(request))
        let request = report.request
        guard !periods.isEmpty else { return report }
        var scope = PlayScope(request)
        scope.dimensions.append(.source)
        scope.leavesOutDownloads = false
        let sums = try store.sums(.totals(scope, periods: periods.map(\.range)))
        for (period, sums) in zip(periods, sums) {
            var all = VolumeFigures(names: request.namesOfAll)
            var groups: [GroupKey: VolumeFigures] = [:]
            for group in sums.groups {
                guard let values = group.key?.values, values.count == scope.dimensions.count else { continue }
                let key = GroupKey(Array(values.dropLast()))
                let isDownload = values.last == ByteText("download")
                groups[key, default: VolumeFigures(names: request.names(key))]
                    .add(group.totals, isDownload: isDownload, leavesOutDownloads: request.leavesOutDownloads)
                all.add(group.totals, isDownload: isDownload, leavesOutDownloads: request.leavesOutDownloads)
            }
            if request.leavesOutDownloads { report.downloads += all.downloads[.plays] }
            let covered = all.totals[.plays] > 0 ? all.totals : all.downloads
            guard covered[.plays] > 0 else { continue }
            let shown = shown(Array(groups.values), request)
            report.periods.append(
                VolumeReport.Period(
                    name: period.name(covered, in: request.zone), groups: shown.groups, all: all,
                    groupsLeftOut: shown.leftOut))
            report.asOf = max(report.asOf ?? .min, covered.lastReceivedAt)
        }
        return report
    }
}

extension ReportMaker {
    /// The groups of a volume in their order, with those beyond what may be named as one; how many a limit leaves out.
    private func shown(
        _ groups: [VolumeFigures], _ request: ReportRequest
    ) -> (groups: [VolumeFigures], leftOut: Int) {
        var named = groups.sorted { $0.precedes($1) }
        var other: [VolumeFigures] = []
        if named.count > request.mostNamed {
            var rest = VolumeFigures(names: request.namesOfOther)
            for group in named[request.mostNamed...] {
                rest.totals += group.totals
                rest.downloads += group.downloads
            }
            (named, other) = (Array(named.prefix(request.mostNamed)), [rest])
        }
        if let column = VolumeReport.columns.first(where: { $0.column.name == request.sort }) {
            named = GroupOrder.sorted(named) { column.cell($0).size }
        }
        return GroupOrder(request: request).cut(named, other)
    }
}

extension VolumeReport {
    /// The columns between the names and the version.
    static let columns: [(column: ReportColumn, cell: @Sendable (VolumeFigures) -> ReportCell)] = [
        (ReportColumn("plays", .count), { .init($0.totals[.plays]) }),
        (ReportColumn("bytes", .bytes), { .init($0.totals.bytes) }),
        (ReportColumn("estimated_bytes", .bytes), { .init($0.totals.estimatedBytes) }),
        (ReportColumn("download_bytes", .bytes), { .init($0.downloads.bytes) }),
        (ReportColumn("plays_without_bytes", .count), { .init($0.totals[.withoutBytes]) }),
        (ReportColumn("watched_ms", .milliseconds), { .init($0.totals[.watchedMs]) }),
    ]

    func table() -> ReportTable {
        var table = ReportTable(
            name: ReportMetric.volume.rawValue,
            columns: request.leadingColumns + Self.columns.map(\.column) + [ReportColumn("definitions", .version)],
            rows: [], asOf: asOf, downloads: downloads, request: request)
        for period in periods {
            for figures in period.groups + [period.all] {
                let names = [.text(period.name)] + figures.names.map(ReportCell.text)
                table.rows.append(names + Self.columns.map { $0.cell(figures) } + [.init(definitionsVersion)])
            }
        }
        return table
    }
}
