import Foundation
import Reports
import Testing
import TestSupport

/// How many plays a data set of `Tests/cases/reports` has, and what became of the others.
struct GoldenCounts: Sendable, CustomTestStringConvertible {
    struct Counts: Decodable, Equatable, Sendable {
        var received: Int64
        var accepted: Int64
        var rejected: Int64
        var rejectedByCode: [String: Int64]
        var stored: Int64
        var duplicates: Int64
        var conflicts: Int64
        var withoutPlayId: Int64
        var withoutRegion: Int64
        var clockSkewed: Int64
        var startupNotMeasured: Int64
        /// ms since 1970.
        var asOf: Int64?
    }

    var dataSet: String
    var expected: Counts

    var testDescription: String { dataSet }

    static func all() throws -> [GoldenCounts] {
        let root = Checkout.cases.appendingPathComponent("reports")
        return try FileManager.default.contentsOfDirectory(atPath: root.path).sorted().map { dataSet in
            let json = try Data(contentsOf: root.appendingPathComponent("\(dataSet)/counts.json"))
            return GoldenCounts(dataSet: dataSet, expected: try JSONDecoder().decode(Counts.self, from: json))
        }
    }
}

/// A report of `Tests/cases/reports` with its answers.
struct GoldenCase: Sendable, CustomTestStringConvertible {
    var dataSet: String
    var report: String

    var testDescription: String { "\(dataSet)/\(report)" }

    private var folder: URL { Checkout.cases.appendingPathComponent("reports/\(dataSet)/\(report)") }

    static func all() throws -> [GoldenCase] {
        let files = FileManager.default
        let root = Checkout.cases.appendingPathComponent("reports")
        return try files.contentsOfDirectory(atPath: root.path).sorted().flatMap { dataSet in
            try files.contentsOfDirectory(atPath: root.appendingPathComponent(dataSet).path).sorted()
                .filter { files.fileExists(atPath: root.appendingPathComponent("\(dataSet)/\($0)/report.json").path) }
                .map { GoldenCase(dataSet: dataSet, report: $0) }
        }
    }

    private struct Options: Decodable {
        var by: [String]
        var timeZone: String
        var targetMs: Int64
        var period: String
        var from: String?
        var to: String?
        var adjust: [String]?
    }

    private func options() throws -> Options {
        try JSONDecoder().decode(Options.self, from: Data(contentsOf: folder.appendingPathComponent("report.json")))
    }

    func request() throws -> ReportRequest {
        let options = try options()
        var days = ReportRequest.Days.all
        if let from = options.from.flatMap(CalendarDay.init), let to = options.to.flatMap(CalendarDay.init) {
            days = .range(from, to)
        }
        return ReportRequest(
            days: days,
            by: try options.by.map { try PlayDimension(named: $0) } + (options.period == "day" ? [.day] : []),
            zone: try ReportZone(named: options.timeZone), targetMs: options.targetMs)
    }

    /// The dimensions whose mix the case's comparison adjusts for.
    func adjust() throws -> [PlayDimension] { try options().adjust?.map { try PlayDimension(named: $0) } ?? [] }

    /// The answer, nil where the case has none.
    func csv(_ metric: ReportMetric) throws -> String? { try csv(metric.rawValue) }

    /// Each group against all others; nil where the case does not compare.
    func comparison() throws -> String? { try csv("compare") }

    private func csv(_ name: String) throws -> String? {
        let url = folder.appendingPathComponent("\(name).csv")
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try String(contentsOf: url, encoding: .utf8)
    }

    /// Where two tables differ by more than interval ends may.
    static func differences(_ actual: String, _ expected: String) -> [String] {
        func cells(_ text: String) -> [[String]] {
            text.components(separatedBy: "\r\n").map { $0.components(separatedBy: ",") }
        }
        let (actual, expected) = (cells(actual), cells(expected))
        guard actual.count == expected.count else { return ["\(actual.count - 1) lines, not \(expected.count - 1)"] }
        var differences: [String] = []
        for (row, (one, other)) in zip(actual, expected).enumerated() {
            guard one.count == other.count else {
                differences.append("line \(row + 1): \(one) instead of \(other)")
                continue
            }
            for (column, (cell, answer)) in zip(one, other).enumerated() where cell != answer {
                let name = expected[0][column]
                guard !agrees(cell, answer, column: name) else { continue }
                differences.append("line \(row + 1) \(other.prefix(3)), \(name): \(cell) instead of \(answer)")
            }
        }
        return differences
    }

    private static let computed: Set<String> = ["ratio", "ratio_low", "ratio_high", "p", "matched_ratio"]

    /// Whether a cell is right: equal as bytes, or an interval's end that differs as little as it may.
    static func agrees(_ cell: String, _ answer: String, column: String) -> Bool {
        if Array(cell.utf8) == Array(answer.utf8) { return true }
        let isEnd = column.contains("_low_") || column.contains("_high_")
        guard isEnd && !column.hasSuffix("_ms") || computed.contains(column) || column.hasPrefix("adjusted_"),
            let one = Double(cell), let other = Double(answer)
        else { return false }
        let step = column.hasSuffix("_bytes") ? 1.0 : 0.000001
        return abs(one - other) <= max(step * 1.0001, abs(other) * 1e-7)
    }
}
