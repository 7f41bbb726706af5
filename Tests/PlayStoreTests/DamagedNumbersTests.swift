import Archive
import Foundation
import Reports
import SQLite
import StoreTestSupport
import Testing

@testable import PlayStore

@Suite("A database with numbers that nobody has written")
struct DamagedNumbersTests {
    /// Each value in every column costs a minute of a processor: `make soak` pays it, other runs take them in turn.
    private static let isThorough = ProcessInfo.processInfo.environment["QOE_SOAK"] != nil
    private static let values = [
        "-9223372036854775808", "2147483647", "9223372036854775807", "-2", "1099511627776", "NULL",
    ]

    /// A store with columns of a closed hour, rows of another, and a batch that is not loaded yet.
    private func filled() throws -> StoreFixture {
        var columns = try ColumnsFixture()
        let start = ColumnsFixture.beginning
        let sender = #""sender":{"senderId":"s","sequence":1,"made":4,"dropped":1,"rejected":0}"#
        let events = [event(#""cdnRegion":"eu","sessionId":"a""#), event(), "{}"].joined(separator: ",")
        try columns.fixture.receive("{\(sender),\"events\":[\(events)]}", at: start + 60_000)
        try columns.receive(260, inHour: 0)
        try columns.receive(20, inHour: 4)
        try columns.receive(4, inHour: 4, age: 9)
        try columns.fixture.load()
        #expect(try columns.hoursWithColumns().keys.contains(0))
        try columns.receive(3, inHour: 4)
        return columns.fixture
    }

    /// Every column of whole numbers whose turn it is, with what changes it: all rows of small tables, some of the others.
    private func changes(_ value: String, _ fixture: StoreFixture) throws -> [(column: String, sql: String)] {
        let columns = try fixture.rows(
            """
            SELECT s.name, c.name FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c
            WHERE s.type = 'table' AND c.type = 'INTEGER' ORDER BY s.name, c.cid
            """)
        #expect(columns.count > 80)
        let turn = Self.values.firstIndex(of: value)
        return try columns.enumerated().compactMap { index, column in
            guard Self.isThorough || index % Self.values.count == turn else { return nil }
            let (table, name) = (column[0], column[1])
            let rows = PlayTable(rawValue: table) == nil ? "" : " AND arrival % 19 = 5"
            // Of counts 0 and NULL are read alike.
            let isSame = value == "NULL" && table == "totals" ? " AND \(name) <> 0" : ""
            let condition = "\(name) IS NOT \(value)\(rows)\(isSame)"
            guard try fixture.integer("SELECT count(*) FROM \(table) WHERE \(condition)") > 0 else { return nil }
            return ("\(table).\(name)", "UPDATE OR REPLACE \(table) SET \(name) = \(value) WHERE \(condition)")
        }
    }

    /// What the clock of the log has done, and what the logs had lost when the database was begun, which need not be known:
    /// nothing that a report reads.
    private static let unverified: Set = [
        "clock_steps.step", "clock_steps.moment", "clock_steps.shift", "origin.removed_plays",
        "origin.removed_rejected",
        "totals.last_received_at", "totals.clock_credit",
    ]

    @Test(
        "ends no report, no verification and no start, wherever they stand, and verify finds them",
        arguments: values)
    func numbers(value: String) throws {
        let fixture = try filled()
        let url = URL(fileURLWithPath: fixture.data.database)
        let sound = try Data(contentsOf: url)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
        for (column, sql) in try changes(value, fixture) {
            // Some can't be written at all.
            guard (try? fixture.write(sql)) != nil else { continue }
            let found = (try? StoreVerifier.run(data: fixture.data).count) ?? 1
            #expect(found > 0 || Self.unverified.contains(column), "\(sql)")
            report(fixture)
            load(fixture)
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
            try sound.write(to: url)
        }
    }

    /// Whatever comes of it.
    private func report(_ fixture: StoreFixture) {
        var words = ReportWords()
        for by in ["cdnRegion,hour", "appVersion,tag:arm,errorCode"] {
            words.by = by
            _ = try? {
                let document = try ReportMaker(store: SQLiteReportStore(data: fixture.data)).document(
                    ReportMetric.allCases, words.request(now: StoreFixture.halfPastTen),
                    comparing: ComparisonRequest(.rest, adjust: [.network]))
                for metric in ReportMetric.allCases { _ = CSVRenderer.render(document.table(metric)) }
            }()
        }
    }

    /// What a server does with it, as far as it comes.
    private func load(_ fixture: StoreFixture) {
        _ = try? {
            let store = try SQLiteStore(data: fixture.data)
            let (batch, end) = try fixture.batch(for: store)
            try store.commit(batch, upTo: end)
            try store.finish { false }
            try store.prune(before: ColumnsFixture.beginning / StoreFixture.hour / 24)
        }()
    }

    @Test("is refused at a start where its counts can't be gone on from")
    func counts() throws {
        let fixture = try filled()
        try fixture.write("UPDATE totals SET arrivals = 9223372036854775807")
        let fault = #expect(throws: SQLiteStoreError.self) { try SQLiteStore(data: fixture.data) }
        #expect(fault?.description.contains("a row has a number that no play, sender or hour can have") == true)
    }

    @Test("has one finding for an hour that can't be made into columns, and none for its blobs")
    func damagedHour() throws {
        let fixture = try filled()
        try fixture.write("UPDATE prompt_plays SET watched_ms = 1 << 40 WHERE arrival = 20")
        let findings = try StoreVerifier.run(data: fixture.data).findings.map(\.description)
        #expect(findings.count { $0.contains("a row has a number that no play") && $0.contains("UTC hour") } == 1)
        #expect(!findings.contains { $0.hasPrefix("blobs of columns") })
    }
}
