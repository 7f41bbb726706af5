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

/// A report computed play by play with nothing but arrays and dictionaries, for a store's plays in UTC.
private struct Oracle {
    var plays: [StoredPlay]
    var request: ReportRequest

    /// The rows of a table, in order, as CSV cells without the last column.
    func rows(_ metric: ReportMetric) -> [[String]] {
        let dimensions =
            metric == .volume
            ? [.cdn, .cdnRegion] : request.dimensions.filter { metric != .failures || $0 != .errorCode }
        var chosen = plays.filter { play in request.filters.allSatisfy { matches(play, $0) } }
        if metric == .volume { return volume(chosen) }
        if request.leavesOutDownloads { chosen.removeAll { $0.source == "download" } }
        var rows: [[String]] = []
        for (period, plays) in periods(chosen) {
            // Texts are bytes here: Swift takes é of one scalar and é of two for equal.
            let groups = Dictionary(grouping: plays) { play in dimensions.map { Array(value(play, $0).utf8) } }
            let order = groups.sorted { one, other in
                if one.value.count != other.value.count { return one.value.count > other.value.count }
                return one.key.lexicographicallyPrecedes(other.key) { $0.lexicographicallyPrecedes($1) }
            }
            for (names, plays)
                in (dimensions.isEmpty
                ? [] : order.map { ($0.key.map { String(decoding: $0, as: UTF8.self) }, $0.value) })
                + [(dimensions.map { _ in "(all)" }, plays)]
            {
                let group = OracleGroup(plays: plays, targetMs: request.targetMs)
                rows += group.rows(metric).map { [period] + names + $0 }
            }
        }
        return rows
    }

    private func volume(_ plays: [StoredPlay]) -> [[String]] {
        let leavesOut = !request.filters.contains { $0.dimension == .source }
        // A period without range is named after the plays that the report covers.
        let covered = plays.filter { !leavesOut || $0.source != "download" }
        let names = periods(covered.isEmpty ? plays : covered).map(\.0)
        return periods(plays).enumerated().flatMap { index, period -> [[String]] in
            let name = request.isByDay || names.isEmpty ? period.0 : names[index]
            func row(_ key: [String], _ plays: [StoredPlay]) -> (plays: Int, row: [String]) {
                let counted = plays.filter { !leavesOut || $0.source != "download" }
                let estimated = counted.filter { $0.sentBytes == nil }.reduce(0) { $0 + ($1.bytes ?? 0) }
                let downloads = plays.filter { $0.source == "download" }
                let numbers: [Int64] = [
                    Int64(counted.count), counted.reduce(0) { $0 + ($1.bytes ?? 0) }, estimated,
                    downloads.reduce(0) { $0 + ($1.bytes ?? 0) },
                    Int64(counted.count { $0.isStarted && $0.bytes == nil }),
                    counted.filter(\.isStarted).reduce(0) { $0 + $1.watchedMs },
                ]
                return (counted.count, [name] + key + numbers.map(String.init))
            }
            let groups = Dictionary(grouping: period.1) { play in
                [value(play, .cdn), value(play, .cdnRegion)].map { Array($0.utf8) }
            }
            let rows = groups.map { key, plays in
                (key: key, row: row(key.map { String(decoding: $0, as: UTF8.self) }, plays))
            }.sorted { one, other in
                if one.row.plays != other.row.plays { return one.row.plays > other.row.plays }
                return one.key.lexicographicallyPrecedes(other.key) { $0.lexicographicallyPrecedes($1) }
            }
            return rows.map(\.row.row) + [row(["(all)", "(all)"], period.1).row]
        }
    }

    private func periods(_ plays: [StoredPlay]) -> [(String, [StoredPlay])] {
        func day(_ play: StoredPlay) -> CalendarDay { CalendarDay(number: Int(play.endedAt / 86_400_000)) }
        var plays = plays
        var name = ""
        switch request.days {
        case .all:
            let days = plays.map(day).sorted()
            name = days.isEmpty ? "" : "\(days[0])/\(days[days.count - 1])"
        case .day(let only):
            plays = plays.filter { day($0) == only }
            name = "\(only)"
        case .range(let first, let last):
            plays = plays.filter { (first...last).contains(day($0)) }
            name = "\(first)/\(last)"
        case .window(let window):
            plays = plays.filter { window.contains($0.endedAt) }
            name = [window.lowerBound, window.upperBound].map { Moment(milliseconds: $0).text(in: .utc) }
                .joined(separator: "/")
        }
        if plays.isEmpty { return [] }
        guard request.isByDay else { return [(name, plays)] }
        return Dictionary(grouping: plays, by: day).sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) }
    }

    private func value(_ play: StoredPlay, _ dimension: PlayDimension) -> String {
        let value: String? =
            switch dimension {
            case .cdnRegion: play.cdnRegion
            case .cdn: play.cdn
            case .network: play.network
            case .appVersion: play.appVersion
            case .osVersion: play.osVersion
            case .deviceModel: play.deviceModel
            case .player: play.player
            case .source: play.source
            case .videoId: play.videoId
            case .errorCode: play.errorCode
            case .endedBy: play.endedBy
            case .tag(let name): play.tags[name]
            case .day: "\(CalendarDay(number: Int(play.endedAt / 86_400_000)))"
            case .hour:
                "\(CalendarDay(number: Int(play.endedAt / 86_400_000)))T"
                    + String(format: "%02d", play.endedAt / 3_600_000 % 24) + ":00+00:00"
            }
        return value ?? (dimension == .errorCode ? "(none)" : "(unknown)")
    }

    private func matches(_ play: StoredPlay, _ filter: PlayFilter) -> Bool {
        let value = Array(value(play, filter.dimension).utf8)
        return filter.alternatives.contains { Array($0.utf8) == value } != filter.isNegated
    }
}
