import Foundation
import PlayStore
import SQLite
import TestSupport
import Testing

@testable import Reports

@Suite("A query for people")
struct QueriesForPeopleTests {
    private static let dataSets = ["tiny-by-hand", "regions-mixed", "time-zones", "envelope"]
    private static let folder = Checkout.root.appendingPathComponent("Queries")

    private func statement(_ file: String, _ cases: CaseStore) throws -> SQLiteStatement {
        try cases.connection().prepare(
            try String(contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8))
    }

    private func rows(_ file: String, _ cases: CaseStore) throws -> [[String: String]] {
        let statement = try statement(file, cases)
        var rows: [[String: String]] = []
        while try statement.step() {
            rows.append(
                Dictionary(
                    uniqueKeysWithValues: (0..<statement.columnCount).map { (statement.name($0), statement.text($0)) }))
        }
        return rows
    }

    @Test(
        "prints the figures of the command",
        arguments: [
            ("startup", ReportMetric.startup), ("rebuffering", .rebuffering), ("failures", .failures),
            ("data_per_session", .sessions),
        ], dataSets)
    func figures(_ query: (file: String, metric: ReportMetric), _ dataSet: String) throws {
        let cases = try CaseStore(dataSet)
        let statement = try statement("plain/\(query.file).sql", cases)
        let table = try cases.maker.table(query.metric, ReportRequest())
        let columns = try (0..<statement.columnCount).map { index in
            let name = statement.name(index)
            return try #require(table.columns.firstIndex { $0.name == name }, "no column \(name)")
        }
        var rows: [[String]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map { statement.text($0) }) }
        #expect(rows == table.rows.map { row in columns.map { row[$0].plain } })
        #expect(!rows.isEmpty || query.metric == .failures)
    }

    @Test("counts what the program counts, group by group", arguments: dataSets)
    func sums(_ dataSet: String) throws {
        let cases = try CaseStore(dataSet)
        let groups = try cases.store.sums(SumsQuestion(PlayScope(ReportRequest()), periods: [nil]))[0].groups
        let names = { (group: GroupSums) in group.key?.values[0].description ?? "" }
        let counts: [(String, PlayCount)] = [
            ("plays", .plays), ("started_plays", .started), ("failed_plays", .failed), ("measured_plays", .measured),
            ("plays_within_target", .withinTarget), ("stalled_plays", .playsWithStall), ("stall_count", .stalls),
            ("watched", .watchedMs), ("stalled", .stalledMs), ("quick_exits", .quickExits), ("late_plays", .late),
            ("rated", .ratedMs), ("plays_without_session", .withoutSession), ("retried_plays", .retries),
        ]
        let totals = try rows("totals.sql", cases)
        #expect(Set(totals.map { $0["group_1"] ?? "" }) == Set(groups.map(names)))
        let sessions = try rows("session_sums.sql", cases)
        let startups = try rows("startups.sql", cases)
        let failures = try rows("failures_by_code.sql", cases)
        // No group that the program has not.
        for rows in [sessions, startups, failures] {
            #expect(Set(rows.map { $0["group_1"] ?? "" }).isSubset(of: Set(groups.map(names))))
        }
        #expect(totals.count == groups.count && sessions.count == groups.count)
        for group in groups {
            let own = { (row: [String: String]) in row["group_1"] == names(group) }
            let row = try #require(totals.first(where: own))
            for (column, count) in counts { #expect(row[column] == "\(group.totals[count])", "\(column)") }
            let failed = group.ratios[.failed]
            let sums = try #require(sessions.first(where: own))
            #expect(sums["sessions"] == "\(failed.sessions)")
            #expect(sums["failure_events"] == "\(failed.events)")
            #expect(sums["failure_base_squares"] == "\(failed.baseSquares)")
            #expect(sums["failure_products"] == "\(failed.products)")
            #expect(sums["failure_event_squares"] == "\(failed.eventSquares)")
            #expect(
                startups.filter(own).map { [$0["startup_ms"], $0["plays"]] }
                    == group.startups.bins.map { ["\($0.ms)", "\($0.plays)"] })
            #expect(
                Set(failures.filter(own).map { [$0["error_code"], $0["is_start_failure"], $0["failed_plays"]] })
                    == Set(group.failures.map { [$0.code.description, $0.isAtStart ? "1" : "0", "\($0.plays)"] }))
        }
    }

    @Test("is described in the folder's README")
    func described() throws {
        let readme = try String(contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
        let plain = try FileManager.default.contentsOfDirectory(
            atPath: Self.folder.appendingPathComponent("plain").path)
        for file in plain { #expect(readme.contains("plain/\(file)")) }
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) where file.hasSuffix(".sql") {
            #expect(readme.contains("`\(file)`"), "\(file)")
        }
    }
}
