internal import Foundation
internal import Queries

/// Keeps a folder of CSV files up to date with the last days of a store.
package struct Exporter {
    let store: any ReportStore
    let request: ExportRequest

    package init(store: any ReportStore, request: ExportRequest) {
        self.store = store
        self.request = request
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

    /// Brings the files in a folder up to date; each is replaced as a whole, and what the next export needs comes last.
    ///
    /// - Parameter folder: made when it is not there.
    /// - Throws: ``ExportFault``; what the store says of a query, or the file system of a file.
    package func export(to folder: String) throws -> Summary {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let folder = try ExportFolder(path: folder)
        defer { folder.unlock() }
        return try store.snapshot { try export(to: folder) }
    }

    private func export(to folder: ExportFolder) throws -> Summary {
        let marks = try marks()
        let state = ExportState(request, lastPlay: marks.lastPlay, lastAccount: marks.lastAccount)
        let before = before(folder, state)
        guard let newest = marks.newest else {
            return try write([:], before: before?.files ?? [:], state, days: 0, recomputed: 0, folder)
        }
        let last = request.zone.day(of: newest)
        let window = last.advanced(by: 1 - max(1, request.days))...last
        let plan = try plan(window, before)
        var files: [ReportMetric: ExportFile] = [:]
        for metric in ReportMetric.allCases { files[metric] = emptyFile(metric) }
        let kept = Set(plan.days).subtracting(plan.recomputed)
        for metric in ReportMetric.allCases where metric != .delivery {
            for day in kept { files[metric]?.days[day.description] = before?.files[metric]?.days[day.description] }
        }
        for day in plan.recomputed { try add(day, to: &files) }
        try addDelivery(plan, window, before?.files[.delivery], to: &files)
        return try write(
            files, before: before?.files ?? [:], state, days: plan.days.count, recomputed: plan.recomputed.count, folder
        )
    }

    // MARK: The export before

    private struct Before {
        var state: ExportState
        var files: [ReportMetric: ExportFile]

        /// The days that its summary has.
        var days: Set<CalendarDay> { Set((files[.summary]?.days.keys).map { $0.compactMap { CalendarDay($0) } } ?? []) }
    }

    /// What is in the folder, when it can be gone on with.
    private func before(_ folder: ExportFolder, _ state: ExportState) -> Before? {
        guard let data = folder.read(Self.stateFile)?.data(using: .utf8),
            let old = try? JSONDecoder().decode(ExportState.self, from: data),
            old.isContinued(by: state, numbersGrow: store.numbersGrow)
        else { return nil }
        var files: [ReportMetric: ExportFile] = [:]
        for metric in ReportMetric.allCases {
            let empty = emptyFile(metric)
            guard let text = folder.read("\(metric.rawValue).csv"),
                let file = ExportFile(name: metric.rawValue, columns: empty.columns, text: text)
            else { return nil }
            files[metric] = file
        }
        return Before(state: old, files: files)
    }

    private func emptyFile(_ metric: ReportMetric) -> ExportFile {
        let report = request.report(.all)
        let plays = PlayReport(
            request: metric == .failures ? report.withoutErrorCode : report, periods: [], asOf: nil, downloads: 0)
        let document = ReportDocument(request: report, metrics: [metric], plays: plays, failures: plays)
        return ExportFile(name: metric.rawValue, columns: document.table(metric).columns.map(\.name))
    }

    // MARK: The store

    private func marks() throws -> (lastPlay: Int64, lastAccount: Int64, newest: Int64?) {
        var marks: (Int64, Int64, Int64?) = (0, 0, nil)
        try store.rows(QueryFile.exportMarks.sql(scope: ""), []) { row in
            marks = (row.integer(0), row.integer(1), row.integerOrNil(2))
        }
        guard let hour = marks.2 else { return marks }
        marks.2 = nil
        try store.rows(QueryFile.newestPlay.sql(scope: ""), [.integer(hour)]) { row in marks.2 = row.integer(0) }
        return marks
    }

    private func plan(_ window: ClosedRange<CalendarDay>, _ before: Before?) throws -> ExportPlan {
        let zone = request.zone
        var days: Set<CalendarDay> = []
        var touched: Set<CalendarDay> = []
        let known = store.numbersGrow ? before?.state : nil
        try store.rows(QueryFile.touchedHours.sql(scope: ""), [.integer(known?.lastPlay ?? 0)]) { row in
            let start = row.integer(0) * millisecondsPerHour
            // An hour may lie in two days of a zone.
            let both: Set = [zone.day(of: start), zone.day(of: start + millisecondsPerHour - 1)]
            days.formUnion(both)
            if row.integer(1) == 1 { touched.formUnion(both) }
        }
        var receipt: Int64?
        try store.rows(QueryFile.firstNewAccount.sql(scope: ""), [.integer(known?.lastAccount ?? 0)]) { row in
            receipt = row.integerOrNil(0)
        }
        return ExportPlan(
            window: window, daysWithPlays: days.filter(window.contains).sorted(), touched: touched,
            firstNewReceipt: receipt.map(zone.day), known: before?.days)
    }

    // MARK: Days

    private func add(_ day: CalendarDay, to files: inout [ReportMetric: ExportFile]) throws {
        let metrics = ReportMetric.allCases.filter { $0 != .delivery }
        let document = try ReportMaker(store: store).read(metrics, request.report(.day(day)), comparing: nil)
        for metric in metrics { files[metric]?.add(document.table(metric)) }
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
        let periods = try DeliveryMaker(store: store, request: report).periods(nameOfAll: nil)
        files[.delivery]?.add(DeliveryReport(request: report, periods: periods, asOf: nil, downloads: 0).table())
    }

    private func write(
        _ files: [ReportMetric: ExportFile], before: [ReportMetric: ExportFile], _ state: ExportState, days: Int,
        recomputed: Int, _ folder: ExportFolder
    ) throws -> Summary {
        var changes = ExportChanges(dimensions: request.dimensions.map(\.column))
        for metric in ReportMetric.allCases {
            let file = files[metric] ?? emptyFile(metric)
            if let old = before[metric] { changes.add(from: old, to: file) }
            try folder.write(file.text, to: "\(metric.rawValue).csv")
        }
        try folder.write(changes.text, to: Self.changesFile)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try folder.write(String(decoding: try encoder.encode(state), as: UTF8.self) + "\n", to: Self.stateFile)
        return Summary(days: days, recomputedDays: recomputed, changedCells: changes.records.count)
    }
}

extension ExportFile {
    /// Adds the rows of a table under their days.
    fileprivate mutating func add(_ table: ReportTable) {
        for row in table.rows {
            let record = row.map(CSVRenderer.text)
            days[record[0], default: []].append(record)
        }
    }
}
