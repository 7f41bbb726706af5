import Reports
import TestSupport
import Testing

@Suite("An export of a store that several servers feed")
struct ManyLogsTests {
    /// A store whose numbers of plays say nothing about which came last.
    private struct ManyLogs: ReportStore {
        let store: any ReportStore
        /// What is added to the numbers that a query about them gives.
        var shift: Int64 = 0

        var dialect: SQLDialect { store.dialect }
        var numbersGrow: Bool { false }
        func rows(_ sql: String, _ parameters: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
            try store.rows(sql, parameters) { row in
                let number = sql.contains("last_arrival") ? 2 : sql.contains("AS last_account") ? 0 : nil
                try visit(number.map { Shifted(row: row, number: $0, shift: shift) } ?? row)
            }
        }

        private struct Shifted: SQLRow {
            let row: any SQLRow
            /// The column that is a place in the log.
            let number: Int
            let shift: Int64

            func integer(_ column: Int) -> Int64 { row.integer(column) + (column == number ? shift : 0) }
            func isNull(_ column: Int) -> Bool { row.isNull(column) }
            func text(_ column: Int) -> String { row.text(column) }
            func withText<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
                try row.withText(column, body)
            }
        }
    }

    @Test("counts every day anew, and still finds what has changed")
    func recomputed() throws {
        let cases = try CaseStore("tiny-by-hand", requests: 5)
        let folder = try TemporaryFolder()
        let exporter = Exporter(ManyLogs(store: cases.store), ExportRequest())
        _ = try exporter.export(to: folder.path)
        try cases.load(upTo: cases.requests)
        let second = try exporter.export(to: folder.path)
        #expect(second.recomputedDays == second.days)
        #expect(second.changedCells > 0)
        let third = try exporter.export(to: folder.path)
        #expect(third.recomputedDays == third.days)
        #expect(third.changedCells == 0)
    }

    @Test("still finds what has changed when it reads a copy that has not got the newest play yet")
    func laggingCopy() throws {
        let cases = try CaseStore("tiny-by-hand", requests: 5)
        let folder = try TemporaryFolder()
        _ = try Exporter(ManyLogs(store: cases.store, shift: 1_000), ExportRequest())
            .export(to: folder.path)
        try cases.load(upTo: cases.requests)
        let second = try Exporter(ManyLogs(store: cases.store), ExportRequest()).export(to: folder.path)
        #expect(second.changedCells > 0)
    }
}
