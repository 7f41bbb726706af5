import Foundation
import Reports
import Testing

@Suite("A report of random plays")
struct OracleTests {
    static let requests: [(String, ReportRequest)] = {
        let day = CalendarDay("2026-11-28") ?? CalendarDay(number: 0)
        return [
            ("by region", ReportRequest()),
            ("by day and region", ReportRequest(by: [.day, .cdnRegion])),
            ("by error code and network", ReportRequest(by: [.errorCode, .network])),
            ("by source", ReportRequest(by: [.source])),
            ("by what ended a play", ReportRequest(by: [.endedBy, .cdnRegion])),
            (
                "of plays that silence did not end",
                ReportRequest(filters: [PlayFilter(.endedBy, "silence", isNegated: true)])
            ),
            ("by tag, network and version", ReportRequest(by: [.tag("arm"), .network, .appVersion], targetMs: 400)),
            ("by hour of a day", ReportRequest(days: .day(day), by: [.hour])),
            ("without a dimension", ReportRequest(days: .range(day, day.advanced(by: 1)), by: [])),
            (
                "of chosen plays",
                ReportRequest(
                    by: [.cdnRegion],
                    filters: [PlayFilter(.network, "wifi"), PlayFilter(.cdnRegion, "us-east", isNegated: true)])
            ),
            ("of one of two networks", ReportRequest(filters: [try! PlayFilter("network=wifi,cellular")])),
            (
                "of a window, by day",
                ReportRequest(days: .window(1_795_800_000_000..<1_795_955_555_000), by: [.day, .network])
            ),
            ("of 15 minutes", ReportRequest(days: .window(1_795_824_000_000..<1_795_824_900_000), by: [.network])),
            ("without a network", ReportRequest(filters: [PlayFilter(.network, "(unknown)")])),
            ("of downloads", ReportRequest(by: [.network], filters: [PlayFilter(.source, "download")])),
            ("of a region in two scalars", ReportRequest(by: [.cdn], filters: [PlayFilter(.cdnRegion, "e\u{301}t")])),
        ]
    }()

    @Test("is what a simple count over the same plays says, cell by cell", arguments: [1, 2])
    func oracle(_ seed: UInt64) throws {
        let plays = RandomPlays.make(seed: seed, count: 700)
        let maker = try PlayTable(plays).maker
        for (name, request) in Self.requests {
            let oracle = Oracle(plays: plays, request: request)
            let metrics = ReportMetric.allCases.filter { $0 != .delivery }
            for (metric, table) in zip(metrics, try maker.document(metrics, request).tables) {
                let expected = oracle.rows(metric).map { $0 + ["2"] }
                let actual = table.rows.map { $0.map(\.plain) }
                #expect(actual.count == expected.count, "\(name), \(metric)")
                for (row, answer) in zip(actual, expected) {
                    for (index, (cell, expected)) in zip(row, answer).enumerated()
                    where !GoldenCase.agrees(cell, expected, column: table.columns[index].name) {
                        Issue.record(
                            "\(name), \(metric), \(answer.prefix(4)), \(table.columns[index].name): \(cell) instead of \(expected)"
                        )
                    }
                }
            }
        }
    }
}

extension ReportCell {
    /// The cell as CSV prints it, without the care for spreadsheets.
    var plain: String {
        switch self {
        case .empty: ""
        case .text(let text): text
        case .integer(let number): String(number)
        case .decimal(let number): String(format: "%.6f", number)
        }
    }
}
