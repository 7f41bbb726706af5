internal import Foundation

/// Keeps a folder of CSV files up to date with the last days of a store.
package struct Exporter {
    let store: any ReportStore
    let request: ExportRequest
    let name: String?
    let now: Int64

    /// - Parameters:
    ///   - name: the store's own, by which an export of another one is told; nil where it has none.
    ///   - now: ms since 1970: plays of later days are left out.
    package init(store: any ReportStore, request: ExportRequest, name: String? = nil, now: Int64) {
        self.store = store
        self.request = request
        self.name = name
        self.now = now
    }

    /// What an export did.
    package struct Summary: Sendable, Equatable {
        /// Days in the files.
        package var days: Int
        /// Days whose plays were counted anew.
        package var recomputedDays: Int
        /// Cells in `changes.csv`.
        package var changedCells: Int
    }

    private static let stateFile = "export-state.json"
    private static let changesFile = "changes.csv"
    private static let packageFile = "datapackage.json"

    /// Brings the files in a folder up to date; each is replaced as a whole, and what the next export needs comes last.
    ///
    /// - Parameters:
    ///   - folder: made when it is not there.
    ///   - replaces: an export of another kind or of another store may be there, which goes.
    /// - Throws: ``ExportError``; what the store says of a query, or the file system of a file.
    package func export(to folder: String, replaces: Bool = false) throws -> Summary {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let folder = try ExportFolder(path: folder)
        defer { folder.unlock() }
        let before = try before(folder, replaces: replaces)
        return try store.snapshot { try export(to: folder, before) }
    }

    private func export(to folder: ExportFolder, _ before: Before?) throws -> Summary {
        let log = try ExportLog(store, zone: request.zone)
        var state = ExportState(request, store: name, log: log.mark)
        guard let last = try log.newestDay(upTo: request.zone.day(of: now)) else {
            return try write([:], [:], before: before?.files ?? [:], &state, ExportPlan(), folder)
        }
        let window = last.advanced(by: 1 - max(1, request.days))...last
        let weekBefore = window.lowerBound.advanced(by: -ExportedComparison.daysBack)
        let known = log.plays.filter { (weekBefore...last).contains($0.key) }
        let plays = known.filter { window.contains($0.key) }
        state.plays = Dictionary(uniqueKeysWithValues: known.map { ($0.key.description, $0.value) })
        let plan = try plan(window, plays, log, before)
        let comparisons = try compare(plan, changed(known, (weekBefore...last), log, before), before)
        var files: [ReportMetric: ExportFile] = [:]
        for metric in ReportMetric.allCases { files[metric] = emptyFile(metric) }
        let kept = Set(plan.days).subtracting(plan.recomputed)
        for metric in ReportMetric.allCases where metric != .delivery {
            for day in kept { files[metric]?.days[day.description] = before?.files[metric]?.days[day.description] }
        }
        try add(plan.recomputed, to: &files)
        try addDelivery(plan, window, before?.files[.delivery], to: &files)
        return try write(files, comparisons, before: before?.files ?? [:], &state, plan, folder)
    }

    // MARK: The export before

    private struct Before {
        var state: ExportState
        /// Those that can be read.
        var files: [ReportMetric: ExportFile]
        var comparisons: [ExportedComparison: ExportFile] = [:]
        /// All files are as they were written.
        var isWhole: Bool

        /// The days that its summary has.
        var days: Set<CalendarDay> { Set((files[.summary]?.days.keys).map { $0.compactMap { CalendarDay($0) } } ?? []) }
    }

    /// What is in the folder, when it is an export of the same kind.
    private func before(_ folder: ExportFolder, replaces: Bool) throws -> Before? {
        let strange = ExportError.strangeState(file: folder.path + "/" + Self.stateFile)
        let old: ExportState
        do {
            guard let text = try folder.read(Self.stateFile) else { return nil }
            guard let state = ExportState(text: text) else { throw strange }
            old = state
        } catch {
            if replaces { return nil }
            throw strange
        }
        if let difference = old.difference(from: ExportState(request, store: name)) {
            if replaces { return nil }
            throw ExportError.other(folder: folder.path, difference: difference)
        }
        guard old.definitions == definitionsVersion else { return nil }
        var before = Before(state: old, files: [:], isWhole: true)
        for metric in ReportMetric.allCases {
            let name = "\(metric.rawValue).csv"
            let text = try folder.read(name)
            if let text {
                before.files[metric] = ExportFile(
                    name: metric.rawValue, columns: emptyFile(metric).columns, text: text)
            }
            let isKept = before.files[metric] != nil && old.files?[name] == text.map(ExportState.digest)
            before.isWhole = before.isWhole && isKept
        }
        for kind in ExportedComparison.allCases {
            let text = try folder.read(kind.fileName)
            if let text {
                before.comparisons[kind] = ExportFile(
                    name: kind.rawValue, columns: ComparisonFile(kind, request.report(.all)).file.columns, text: text)
            }
            let isKept = before.comparisons[kind] != nil && old.files?[kind.fileName] == text.map(ExportState.digest)
            before.isWhole = before.isWhole && isKept
        }
        return before
    }

    private func emptyFile(_ metric: ReportMetric) -> ExportFile {
        ExportFile(name: metric.rawValue, columns: emptyTable(metric).columns.map(\.name))
    }

    private func emptyTable(_ metric: ReportMetric) -> ReportTable {
        let report = request.report(.all)
        let plays = PlayReport(
            request: metric == .failures ? report.withoutErrorCode : report, periods: [], asOf: nil, downloads: 0)
        return ReportDocument(request: report, metrics: [metric], plays: plays, failures: plays).table(metric)
    }

    /// - Parameter plays: how many there are of each day in the window.
    private func plan(
        _ window: ClosedRange<CalendarDay>, _ plays: [CalendarDay: Int64], _ log: ExportLog, _ before: Before?
    ) throws -> ExportPlan {
        let days = plays.keys.sorted()
        guard let before, before.isWhole, let mark = before.state.log, try log.goesOn(from: mark) else {
            return ExportPlan(window: window, daysWithPlays: days, touched: [], firstNewReceipt: nil, known: nil)
        }
        // Of a day that is not touched plays can only have gone.
        let counted = before.state.plays ?? [:]
        let changed = days.filter { plays[$0] != counted[$0.description] }
        let hasLost = before.days.contains { day in
            window.contains(day) && plays[day, default: 0] < counted[day.description, default: 0]
        }
        let receipt = try store.firstReceipt(afterReport: mark.lastAccount)
        return ExportPlan(
            window: window, daysWithPlays: days, touched: log.days(after: mark.lastPlay).union(changed),
            firstNewReceipt: hasLost || log.lostAccounts(since: mark)
                ? window.lowerBound : receipt.map(request.zone.day),
            known: before.days)
    }

    /// The days, of those that have plays, that got or lost some since the export before; those that lost all of them too.
    private func changed(
        _ plays: [CalendarDay: Int64], _ days: ClosedRange<CalendarDay>, _ log: ExportLog, _ before: Before?
    ) -> Set<CalendarDay> {
        guard let before, let mark = before.state.log else { return [] }
        let counted = before.state.plays ?? [:]
        var changed = log.days(after: mark.lastPlay).filter { days.contains($0) }
        for day in days.lowerBound.number...days.upperBound.number {
            let day = CalendarDay(number: day)
            if plays[day, default: 0] != counted[day.description, default: 0] { changed.insert(day) }
        }
        return changed
    }

    // MARK: Days

    /// - Parameter changed: days that got or lost plays.
    private func compare(
        _ plan: ExportPlan, _ changed: Set<CalendarDay>, _ before: Before?
    ) throws -> [ExportedComparison: ComparisonFile] {
        var comparisons: [ExportedComparison: ComparisonFile] = [:]
        guard !request.dimensions.isEmpty else { return comparisons }
        for kind in ExportedComparison.allCases {
            var days = kind.recomputed(plan, changed: changed)
            var file = ComparisonFile(kind, request.report(.all))
            let kept = Set(plan.days).subtracting(days).sorted()
            if let old = before?.comparisons[kind],
                !file.keep(kept, of: old, before?.state.verdicts?[kind.rawValue] ?? [:])
            {
                (file, days) = (ComparisonFile(kind, request.report(.all)), plan.days)
            }
            if let first = days.first, let last = days.last {
                let byDay = request.report(.range(first, last))
                file.add(
                    try ReportMaker(store: store).unjudged(byDay, kind.request, ReportPeriod.days(days, request.zone)))
            }
            file.judge()
            comparisons[kind] = file
        }
        return comparisons
    }

    private func add(_ days: [CalendarDay], to files: inout [ReportMetric: ExportFile]) throws {
        guard let first = days.first, let last = days.last else { return }
        let maker = ReportMaker(store: store)
        let byDay = request.report(.range(first, last))
        let periods = ReportPeriod.days(days, byDay.zone)
        func plays(_ request: ReportRequest) throws -> PlayReport {
            let question = SumsQuestion(PlayScope(request), periods: periods.map(\.range))
            return try maker.report(request, question, periods, try store.sums(question))
        }
        let report = try plays(byDay)
        let withoutCode = byDay.withoutErrorCode
        var document = ReportDocument(
            request: byDay, metrics: [], plays: report, failures: withoutCode == byDay ? report : try plays(withoutCode)
        )
        document.volume = try maker.volume(byDay, periods)
        for metric in ReportMetric.allCases where metric != .delivery { files[metric]?.add(document.table(metric)) }
    }

    private func addDelivery(
        _ plan: ExportPlan, _ window: ClosedRange<CalendarDay>, _ before: ExportFile?,
        to files: inout [ReportMetric: ExportFile]
    ) throws {
        let from = plan.deliveryFrom ?? window.upperBound.advanced(by: 1)
        for (name, records) in before?.days ?? [:] {
            guard let day = CalendarDay(name), window.contains(day), day < from else { continue }
            files[.delivery]?.days[name] = records
        }
        guard from <= window.upperBound else { return }
        let report = request.report(.range(from, window.upperBound))
        let periods = try ReportMaker(store: store).deliveryPeriods(report, nameOfAll: nil)
        files[.delivery]?.add(DeliveryReport(request: report, periods: periods, asOf: nil, downloads: 0).table())
    }

    private func write(
        _ files: [ReportMetric: ExportFile], _ comparisons: [ExportedComparison: ComparisonFile],
        before: [ReportMetric: ExportFile], _ state: inout ExportState, _ plan: ExportPlan, _ folder: ExportFolder
    ) throws -> Summary {
        var changes = ExportChanges(dimensions: request.dimensions.map(\.column))
        state.files = [:]
        for metric in ReportMetric.allCases {
            let file = files[metric] ?? emptyFile(metric)
            if let old = before[metric] { changes.add(from: old, to: file) }
            let (name, text) = ("\(metric.rawValue).csv", file.text)
            try folder.write(text, to: name)
            state.files?[name] = ExportState.digest(of: text)
        }
        state.verdicts = [:]
        for kind in ExportedComparison.allCases {
            let comparison = comparisons[kind] ?? ComparisonFile(kind, request.report(.all))
            let text = comparison.file.text
            try folder.write(text, to: kind.fileName)
            state.files?[kind.fileName] = ExportState.digest(of: text)
            state.verdicts?[kind.rawValue] = comparison.cells
        }
        try folder.write(changes.text, to: Self.changesFile)
        let tables =
            ReportMetric.allCases.map(emptyTable)
            + ExportedComparison.allCases.map { $0.emptyTable(request.report(.all)) }
        try folder.write(try DataPackage(tables).text, to: Self.packageFile)
        try folder.write(try state.text, to: Self.stateFile)
        return Summary(
            days: plan.days.count, recomputedDays: plan.recomputed.count, changedCells: changes.records.count)
    }
}

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
