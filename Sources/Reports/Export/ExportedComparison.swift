internal import Foundation

/// The comparisons that an export has, each a file.
enum ExportedComparison: String, CaseIterable, Sendable {
    /// Each day against the same weekday before.
    case previous = "compare_previous"
    /// Each group against the others, as they are and at the group's mix of networks.
    case rest = "compare_rest"

    var fileName: String { "\(rawValue).csv" }

    var request: ComparisonRequest {
        switch self {
        case .previous: ComparisonRequest(.previous)
        case .rest: ComparisonRequest(.rest, adjust: [.network])
        }
    }

    /// The file without a row.
    func emptyTable(_ request: ReportRequest) -> ReportTable {
        var table = ComparisonReport(
            request: request, comparison: self.request, periods: [], asOf: nil, downloads: 0
        ).table()
        table.name = rawValue
        return table
    }

    /// How many days before itself a day is set against.
    static let daysBack = 7

    /// Which days' rows may be others than they were.
    ///
    /// - Parameters:
    ///   - plan: of the export.
    ///   - changed: days that got or lost plays, in the export or before it.
    func recomputed(_ plan: ExportPlan, changed: Set<CalendarDay>) -> [CalendarDay] {
        guard self == .previous else { return plan.recomputed }
        let recomputed = Set(plan.recomputed)
        return plan.days.filter { recomputed.contains($0) || changed.contains($0.advanced(by: -Self.daysBack)) }
    }
}

/// A comparison's file, of which any day may be computed anew: verdicts are corrected for all days together, so it keeps what
/// they are made of.
struct ComparisonFile: Sendable {
    private(set) var file: ExportFile
    /// A text a row and day, as ``ExportState`` has it: what is judged by the plain and by the adjusted figures.
    private(set) var cells: [String: [String]] = [:]

    init(_ kind: ExportedComparison, _ request: ReportRequest) {
        file = ExportFile(name: kind.rawValue, columns: kind.emptyTable(request).columns.map(\.name))
    }

    /// Takes days from the export before.
    ///
    /// - Returns: false where the file and what was kept of it don't go together.
    mutating func keep(_ days: [CalendarDay], of before: ExportFile, _ kept: [String: [String]]) -> Bool {
        for day in days.map(\.description) {
            let records = before.days[day] ?? []
            guard records.count == kept[day, default: []].count,
                kept[day, default: []].allSatisfy({ JudgedRow($0) != nil })
            else { return false }
            file.days[day] = before.days[day]
            cells[day] = kept[day]
        }
        return true
    }

    /// Adds the days of a report that is not judged yet.
    mutating func add(_ report: ComparisonReport) {
        file.add(report.table())
        for (period, (plain, adjusted)) in zip(report.periods, zip(report.plainCells, report.adjustedCells)) {
            cells[period.name] = zip(plain, adjusted).map { JudgedRow(plain: $0, adjusted: $1).text }
        }
    }

    /// Writes the verdicts of all days.
    mutating func judge() {
        let days = file.days.keys.sorted()
        let rows = days.map {
            cells[$0, default: []].map { JudgedRow($0) ?? JudgedRow(plain: .settled(nil), adjusted: .settled(nil)) }
        }
        for (column, side) in [("verdict", \JudgedRow.plain), ("adjusted_verdict", \JudgedRow.adjusted)] {
            guard let column = file.columns.firstIndex(of: column) else { continue }
            let verdicts = Verdicts.judged(rows.map { $0.map { $0[keyPath: side] } })
            for (day, (rows, verdicts)) in zip(days, zip(rows, verdicts)) {
                for (index, verdict) in verdicts.enumerated() {
                    if case .settled = rows[index][keyPath: side] { continue }
                    file.days[day]?[index][column] = verdict?.rawValue ?? ""
                }
            }
        }
    }
}

/// What is judged of a row, as a text: a sign and the bits of p for what was tested, `=` and an index for a mirror, nothing for
/// what is settled; the adjusted figures after a blank, where they have something.
private struct JudgedRow {
    var plain: Verdicts.Cell
    var adjusted: Verdicts.Cell

    init(plain: Verdicts.Cell, adjusted: Verdicts.Cell) {
        self.plain = plain
        self.adjusted = adjusted
    }

    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let plain = Self.cell(parts[0]), let adjusted = Self.cell(parts.count > 1 ? parts[1] : "") else {
            return nil
        }
        self.init(plain: plain, adjusted: adjusted)
    }

    var text: String {
        let (one, two) = (Self.text(plain), Self.text(adjusted))
        return two.isEmpty ? one : "\(one) \(two)"
    }

    private static func cell(_ text: String) -> Verdicts.Cell? {
        guard let sign = text.first else { return .settled(nil) }
        let rest = text.dropFirst()
        if sign == "=" { return Int(rest).map { .mirror(of: $0) } }
        guard sign == "+" || sign == "-", let bits = UInt64(rest, radix: 16) else { return nil }
        return .tested(p: Double(bitPattern: bits), isHigher: sign == "+")
    }

    private static func text(_ cell: Verdicts.Cell) -> String {
        switch cell {
        case .settled: ""
        case .tested(let p, let isHigher): (isHigher ? "+" : "-") + String(p.bitPattern, radix: 16)
        case .mirror(let index): "=\(index)"
        }
    }
}

/// Which days of an export are computed anew and which are kept as they were.
struct ExportPlan: Equatable {
    /// The days of the export that have plays, in order.
    var days: [CalendarDay] = []
    /// Those of them whose plays are counted anew.
    var recomputed: [CalendarDay] = []
    /// The day of receipt from which on the senders' accounts are added up anew; nil when none came.
    var deliveryFrom: CalendarDay?

    /// Of no day.
    init() {}

    /// - Parameters:
    ///   - window: the first and the last day of the export.
    ///   - daysWithPlays: in the window, in order.
    ///   - touched: days that got or lost plays since the export before.
    ///   - firstNewReceipt: the earliest day of receipt of an account that came since.
    ///   - known: the days that the export before had computed; nil when it can't be gone on with.
    init(
        window: ClosedRange<CalendarDay>, daysWithPlays: [CalendarDay], touched: Set<CalendarDay>,
        firstNewReceipt: CalendarDay?, known: Set<CalendarDay>?
    ) {
        days = daysWithPlays
        guard let known else {
            recomputed = daysWithPlays
            deliveryFrom = window.lowerBound
            return
        }
        recomputed = daysWithPlays.filter { touched.contains($0) || !known.contains($0) }
        // An account changes its own day and, being the end of one difference and the beginning of the next, later ones;
        // a day that came into the window has never been added up.
        let firstNew = daysWithPlays.first { !known.contains($0) }
        deliveryFrom = [firstNewReceipt, firstNew].compactMap { $0 }.min().map { max($0, window.lowerBound) }
        if let from = deliveryFrom, from > window.upperBound { deliveryFrom = nil }
    }
}
