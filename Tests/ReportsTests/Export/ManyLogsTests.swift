import Reports
import TestSupport
import Testing

@Suite("An export of a store that several servers feed")
struct ManyLogsTests {
    /// A store whose numbers of plays say nothing about which came last.
    private struct ManyLogs: ReportStore {
        let store: any ReportStore

        var dialect: SQLDialect { store.dialect }
        var numbersGrow: Bool { false }
        func rows(_ sql: String, _ parameters: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
            try store.rows(sql, parameters, visit)
        }
    }

    @Test("counts every day anew, and still finds what has changed")
    func recomputed() throws {
        let cases = try CaseStore("tiny-by-hand", requests: 5)
        let folder = try TemporaryFolder()
        let exporter = Exporter(store: ManyLogs(store: cases.store), request: ExportRequest())
        _ = try exporter.export(to: folder.path)
        try cases.load(upTo: cases.requests)
        let second = try exporter.export(to: folder.path)
        #expect(second.recomputedDays == second.days)
        #expect(second.changedCells > 0)
        let third = try exporter.export(to: folder.path)
        #expect(third.recomputedDays == third.days)
        #expect(third.changedCells == 0)
    }
}
