import Foundation
import Reports
import TestSupport
import Testing

@Suite("An export")
struct ExporterTests {
    private static let files = ReportMetric.allCases.map { "\($0.rawValue).csv" }

    private static func contents(_ folder: TemporaryFolder, _ names: [String] = files) throws -> [String] {
        try names.map { try String(contentsOfFile: folder.path($0), encoding: .utf8) }
    }

    @Test(
        "that goes on from the one before has the same bytes as one from nothing",
        arguments: [("regions-mixed", "UTC", 140), ("regions-mixed", "Asia/Kathmandu", 260), ("time-zones", "UTC", 20)])
    func incremental(_ name: String, _ zone: String, _ first: Int) throws {
        let request = ExportRequest(zone: try ReportZone(named: zone))
        let cases = try CaseStore(name, requests: first)
        let (grown, whole) = (try TemporaryFolder(), try TemporaryFolder())
        let exporter = Exporter(store: cases.store, request: request)
        _ = try exporter.export(to: grown.path)
        try cases.load(upTo: cases.requests)
        let second = try exporter.export(to: grown.path)
        let fresh = try exporter.export(to: whole.path)
        #expect(try Self.contents(grown) == Self.contents(whole))
        #expect(fresh.recomputedDays == fresh.days)
        #expect(second.recomputedDays <= second.days)
        if name == "time-zones" { #expect(second.recomputedDays < second.days) }
    }

    @Test("says what a report of the same days says")
    func asReport() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        _ = try Exporter(store: cases.store, request: ExportRequest()).export(to: folder.path)
        let last = try #require(CalendarDay("2026-11-29"))
        let days = ReportRequest.Days.range(last.advanced(by: -34), last)
        let document = try cases.maker.document(
            ReportMetric.allCases, ReportRequest(days: days, by: [.day, .cdnRegion]))
        #expect(try Self.contents(folder) == document.tables.map(CSVRenderer.render))
    }

    @Test("of an unchanged store changes nothing, and counts nothing anew")
    func unchanged() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        let exporter = Exporter(store: cases.store, request: ExportRequest())
        _ = try exporter.export(to: folder.path)
        let before = try Self.contents(folder, Self.files + ["export-state.json"])
        let summary = try exporter.export(to: folder.path)
        #expect(summary.recomputedDays == 0)
        #expect(summary.changedCells == 0)
        #expect(try Self.contents(folder, Self.files + ["export-state.json"]) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasSuffix(".new") })
    }

    @Test("lists the cells that late plays changed, and by how much")
    func changes() throws {
        let cases = try CaseStore("tiny-by-hand", requests: 5)
        let folder = try TemporaryFolder()
        let exporter = Exporter(store: cases.store, request: ExportRequest())
        _ = try exporter.export(to: folder.path)
        try cases.load(upTo: cases.requests)
        let summary = try exporter.export(to: folder.path)
        let changes = try Self.contents(folder, ["changes.csv"])[0].components(separatedBy: "\r\n")
        #expect(changes[0] == "file,period,cdn_region,error_code,phase,column,before,after,difference")
        #expect(changes.contains("summary,2026-11-29,(all),,,plays,13,14,1"))
        #expect(changes.contains("summary,2026-11-29,(unknown),,,plays,,1,"))
        #expect(changes.contains("failures,2026-11-29,(all),dns,start,failed_plays,,1,"))
        #expect(changes.contains("summary,2026-11-29,(all),,,failure_ratio,0.153846,0.214286,0.060440"))
        #expect(!changes.contains { $0.hasPrefix("summary,2026-11-29,eu-west") })
        #expect(changes.count - 2 == summary.changedCells)
    }

    @Test("begins anew when it was asked for something else, or its files are not what they were")
    func anew() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        _ = try Exporter(store: cases.store, request: ExportRequest()).export(to: folder.path)
        let other = Exporter(store: cases.store, request: ExportRequest(by: [.network]))
        #expect(try other.export(to: folder.path).recomputedDays == 3)
        try Data("period,x\r\n".utf8).write(to: folder.url.appendingPathComponent("sessions.csv"))
        #expect(try other.export(to: folder.path).recomputedDays == 3)
        try Data("{".utf8).write(to: folder.url.appendingPathComponent("export-state.json"))
        #expect(try other.export(to: folder.path).recomputedDays == 3)
    }

    @Test("keeps to the last days, counted from the newest play")
    func window() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        let summary = try Exporter(store: cases.store, request: ExportRequest(days: 2, by: [])).export(to: folder.path)
        #expect(summary.days == 2)
        let periods = try Self.contents(folder)[0].components(separatedBy: "\r\n").dropFirst().map { $0.prefix(10) }
        #expect(Array(periods) == ["2026-11-28", "2026-11-29", ""])
    }

    @Test("of an empty store has header rows alone")
    func empty() throws {
        let cases = try CaseStore("empty")
        let folder = try TemporaryFolder()
        let summary = try Exporter(store: cases.store, request: ExportRequest()).export(to: folder.path)
        #expect((summary.days, summary.recomputedDays, summary.changedCells) == (0, 0, 0))
        for text in try Self.contents(folder) { #expect(text.components(separatedBy: "\r\n").count == 2) }
    }

    @Test("waits for nobody: one export at a time has a folder")
    func busy() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        let other = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        let exporter = Exporter(store: cases.store, request: ExportRequest())
        #expect(throws: ExportFault.busy(folder: folder.path)) { try exporter.export(to: folder.path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(flock(other, LOCK_UN) == 0)
        for _ in 0..<2 { #expect(try exporter.export(to: folder.path).days == 3) }
    }

    @Test("that can't be written to its end leaves nothing unfinished")
    func unfinished() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        let inTheWay = folder.path("startup.csv/x")
        try FileManager.default.createDirectory(atPath: inTheWay, withIntermediateDirectories: true)
        #expect(throws: CocoaError.self) {
            try Exporter(store: cases.store, request: ExportRequest()).export(to: folder.path)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["startup.csv", "summary.csv"])
    }
}
