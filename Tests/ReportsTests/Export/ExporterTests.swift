import Foundation
import TestSupport
import Testing

@testable import Reports

extension Exporter {
    /// On 2026-12-01.
    init(_ store: any ReportStore, _ request: ExportRequest, name: String? = nil, now: Int64 = 1_796_126_400_000) {
        self.init(store: store, request: request, name: name, now: now)
    }
}

@Suite("An export")
struct ExporterTests {
    private static let files = ReportMetric.allCases.map { "\($0.rawValue).csv" }
    private static let all = files + ["compare_previous.csv", "compare_rest.csv"]

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
        let exporter = Exporter(cases.store, request)
        _ = try exporter.export(to: grown.path)
        try cases.load(upTo: cases.requests)
        let second = try exporter.export(to: grown.path)
        let fresh = try exporter.export(to: whole.path)
        #expect(try Self.contents(grown, Self.all) == Self.contents(whole, Self.all))
        #expect(fresh.recomputedDays == fresh.days)
        #expect(second.recomputedDays <= second.days)
        if name == "time-zones" { #expect(second.recomputedDays < second.days) }
    }

    @Test("says what a report of the same days says")
    func asReport() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        _ = try Exporter(cases.store, ExportRequest()).export(to: folder.path)
        let last = try #require(CalendarDay("2026-11-29"))
        let days = ReportRequest.Days.range(last.advanced(by: -34), last)
        let document = try cases.maker.document(
            ReportMetric.allCases, ReportRequest(days: days, by: [.day, .cdnRegion]))
        #expect(try Self.contents(folder) == document.tables.map(CSVRenderer.render))
        let byDay = ReportRequest(days: days, by: [.day, .cdnRegion])
        #expect(
            try Self.contents(folder, ["compare_previous.csv", "compare_rest.csv"]) == [
                CSVRenderer.render(try cases.maker.table(ComparisonRequest(.previous), byDay)),
                CSVRenderer.render(try cases.maker.table(ComparisonRequest(.rest, adjust: [.network]), byDay)),
            ])
    }

    @Test("judges all days of a comparison together, those too that it did not count anew")
    func verdicts() throws {
        let plays = (0..<3).flatMap { day in
            ["a", "b", "c"].flatMap { region in
                (0..<300).map { number in
                    var play = StoredPlay(sessionId: "\(region)-\(day)-\(number / 5)", cdnRegion: region)
                    play.network = number % 3 == 0 ? "cellular" : "wifi"
                    play.startupMs = 400
                    play.watchedMs = 10_000
                    // On the first day by more than luck, but not among all that three days compare.
                    play.errorCode =
                        number % 10 == 0 && number < (region == "a" && day == 0 ? 250 : 130) ? "timeout" : nil
                    play.endedAt = 1_795_824_000_000 + Int64(day) * 86_400_000 + Int64(number)
                    play.receivedAt = play.endedAt
                    return play
                }
            }
        }
        let (table, grown) = (try PlayTable(plays), try PlayTable(plays.filter { $0.endedAt < 1_795_910_400_000 }))
        let (folder, fresh) = (try TemporaryFolder(), try TemporaryFolder())
        _ = try Exporter(grown.store, ExportRequest(), name: "one").export(to: folder.path)
        let alone = try Self.contents(folder, ["compare_rest.csv"])[0]
        _ = try Exporter(table.store, ExportRequest(), name: "one").export(to: folder.path)
        _ = try Exporter(table.store, ExportRequest(), name: "one").export(to: fresh.path)
        #expect(try Self.contents(folder, Self.all) == Self.contents(fresh, Self.all))
        let row = { (text: String) in
            text.components(separatedBy: "\r\n").first { $0.contains("28,a,failure_ratio,") } ?? ""
        }
        #expect(row(alone).contains(",worse,"))
        #expect(row(try Self.contents(folder, ["compare_rest.csv"])[0]).contains(",perhaps worse,"))
    }

    @Test("compares a day anew when plays came for the one seven days before, though it lies before all files")
    func weekBefore() throws {
        let cases = try CaseStore("empty")
        let (folder, fresh) = (try TemporaryFolder(), try TemporaryFolder())
        for time in ["2026-11-21T10:00:00Z", "2026-11-29T10:00:00Z", "2026-11-28T10:00:00Z"] {
            try cases.addPlay(at: time)
        }
        let exporter = Exporter(cases.store, ExportRequest(days: 2))
        _ = try exporter.export(to: folder.path)
        let before = try Self.contents(folder, ["compare_previous.csv"])[0]
        for hour in 10...15 { try cases.addPlay(at: "2026-11-22T\(hour):00:00Z") }
        #expect(try exporter.export(to: folder.path).recomputedDays == 0)
        _ = try exporter.export(to: fresh.path)
        #expect(try Self.contents(folder, Self.all) == Self.contents(fresh, Self.all))
        #expect(try Self.contents(folder, ["compare_previous.csv"])[0] != before)
        try cases.prune(before: 20_779)  // 2026-11-22
        _ = try exporter.export(to: folder.path)
        try cases.prune(before: 20_780)
        _ = try exporter.export(to: folder.path)
        #expect(
            try Self.contents(folder, ["compare_previous.csv"])[0].contains(
                "2026-11-29,eu-west,failure_ratio,0.000000,,"))
    }

    @Test("says in datapackage.json what the columns of each file are, as they stand in it")
    func dataPackage() throws {
        let folder = try TemporaryFolder()
        _ = try Exporter(try CaseStore("regions-mixed").store, ExportRequest(by: [.network])).export(to: folder.path)
        let text = try Self.contents(folder, ["datapackage.json"])[0]
        struct Package: Decodable {
            struct Resource: Decodable {
                struct Schema: Decodable { let fields: [[String: String]] }
                let path: String
                let schema: Schema
            }
            let resources: [Resource]
        }
        let package = try JSONDecoder().decode(Package.self, from: Data(text.utf8))
        #expect(package.resources.map(\.path) == Self.all)
        for resource in package.resources {
            let records = try #require(CSVRecords.parse(try Self.contents(folder, [resource.path])[0]))
            #expect(resource.schema.fields.map { $0["name"] ?? "" } == records[0])
            for (index, field) in resource.schema.fields.enumerated() where field["type"] != "string" {
                let cells = records.dropFirst().map { $0[index] }.filter { !$0.isEmpty }
                #expect(cells.allSatisfy { Double($0) != nil && (field["type"] == "number" || Int128($0) != nil) })
            }
        }
    }

    @Test("of an unchanged store changes nothing, and counts nothing anew")
    func unchanged() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        let exporter = Exporter(cases.store, ExportRequest())
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
        let exporter = Exporter(cases.store, ExportRequest())
        _ = try exporter.export(to: folder.path)
        try cases.load(upTo: cases.requests)
        let summary = try exporter.export(to: folder.path)
        let changes = try Self.contents(folder, ["changes.csv"])[0].components(separatedBy: "\r\n")
        #expect(changes[0] == "file,period,cdn_region,error_code,phase,column,before,after,difference,cdn,upper_ms")
        #expect(changes.contains("summary,2026-11-29,(all),,,plays,13,14,1,,"))
        #expect(changes.contains("summary,2026-11-29,(unknown),,,plays,,1,,,"))
        #expect(changes.contains("failures,2026-11-29,(all),dns,start,failed_plays,,1,,,"))
        #expect(changes.contains("summary,2026-11-29,(all),,,failure_ratio,0.153846,0.214286,0.060440,,"))
        #expect(!changes.contains { $0.hasPrefix("summary,2026-11-29,eu-west") })
        // What rows of these files are about stands in columns of their own.
        #expect(changes.contains("volume,2026-11-29,(unknown),,,plays,,1,,(unknown),"))
        #expect(changes.count - 2 == summary.changedCells)
    }

    @Test("begins anew when its files are not what they were")
    func anew() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        let other = Exporter(cases.store, ExportRequest(by: [.network]))
        #expect(try other.export(to: folder.path).recomputedDays == 3)
        #expect(try other.export(to: folder.path).recomputedDays == 0)
        let quality = try Self.contents(folder, ["quality.csv"])[0]
        // A day that somebody has changed by hand.
        try Data(quality.replacing("2026-11-29", with: "2026-11-30").utf8)
            .write(to: folder.url.appendingPathComponent("quality.csv"))
        #expect(try other.export(to: folder.path).recomputedDays == 3)
        #expect(try Self.contents(folder, ["quality.csv"]) == [quality])
        try Data("period,x\r\n".utf8).write(to: folder.url.appendingPathComponent("sessions.csv"))
        #expect(try other.export(to: folder.path).recomputedDays == 3)
    }

    @Test("is not put over one of which nobody can tell what it is, unless it is asked to replace it")
    func strangeState() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        _ = try Exporter(cases.store, ExportRequest(by: [.network])).export(to: folder.path)
        let state = folder.url.appendingPathComponent("export-state.json")
        let before = try Self.contents(folder, Self.files)
        let exporter = Exporter(cases.store, ExportRequest())
        for text in ["{", "", "\u{FF}"] {
            try Data(text.utf8).write(to: state)
            #expect(throws: ExportError.strangeState(file: state.path)) { try exporter.export(to: folder.path) }
            #expect(try Self.contents(folder, Self.files) == before)
        }
        // A state that is there and can't be read.
        try FileManager.default.removeItem(at: state)
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: false)
        #expect(throws: ExportError.strangeState(file: state.path)) { try exporter.export(to: folder.path) }
        #expect(try Self.contents(folder, Self.files) == before)
        try FileManager.default.removeItem(at: state)
        try Data("{".utf8).write(to: state)
        #expect(try exporter.export(to: folder.path, replaces: true).recomputedDays == 3)
    }

    @Test(
        "is not put over one with other groups, days or target, or of another store, unless it is asked to replace it")
    func otherKinds() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        _ = try Exporter(cases.store, ExportRequest(), name: "one").export(to: folder.path)
        let before = try Self.contents(folder, Self.files + ["changes.csv", "export-state.json"])
        let kinds: [(ExportRequest, String, String)] = [
            (ExportRequest(by: [.network]), "one", "groups by cdnRegion, not groups by network"),
            (ExportRequest(by: []), "one", "groups by cdnRegion, not all plays"),
            (ExportRequest(zone: try ReportZone(named: "Asia/Tokyo")), "one", "days of UTC, not of Asia/Tokyo"),
            (ExportRequest(targetMs: 500), "one", "a startup target of 1000 ms, not of 500 ms"),
            (ExportRequest(), "two", "another data directory or store"),
        ]
        for (request, name, difference) in kinds {
            let other = Exporter(cases.store, request, name: name)
            #expect(throws: ExportError.other(folder: folder.path, difference: difference)) {
                try other.export(to: folder.path)
            }
            #expect(try Self.contents(folder, Self.files + ["changes.csv", "export-state.json"]) == before)
        }
        let other = Exporter(cases.store, ExportRequest(by: [.network]), name: "two")
        #expect(try other.export(to: folder.path, replaces: true).recomputedDays == 3)
        #expect(try other.export(to: folder.path).recomputedDays == 0)
        // More or fewer days are the same export.
        #expect(
            try Exporter(cases.store, ExportRequest(days: 2, by: [.network]), name: "two").export(to: folder.path).days
                == 2)
    }

    @Test("leaves out plays that are dated after today, and moves nothing because of them")
    func future() throws {
        let cases = try CaseStore("regions-mixed")
        let (folder, fresh) = (try TemporaryFolder(), try TemporaryFolder())
        let exporter = Exporter(cases.store, ExportRequest())
        _ = try exporter.export(to: folder.path)
        let before = try Self.contents(folder)
        try cases.addPlay(at: "2040-01-01T00:30:00Z")
        try cases.addPlay(at: "2026-12-02T00:00:00Z")
        let summary = try exporter.export(to: folder.path)
        #expect((summary.days, summary.recomputedDays, summary.changedCells) == (3, 0, 0))
        #expect(try Self.contents(folder) == before)
        _ = try exporter.export(to: fresh.path)
        #expect(try Self.contents(fresh) == before)
        // When their day has come they are plays like others.
        let later = Exporter(cases.store, ExportRequest(), now: 1_796_126_400_000 + 86_400_000)
        #expect(try later.export(to: folder.path).days == 4)
    }

    @Test("lists everything that left its files with nothing after it: pruned days, and those before its first")
    func left() throws {
        let cases = try CaseStore("empty")
        let folder = try TemporaryFolder()
        for day in 25...29 { try cases.addPlay(at: "2026-11-\(day)T12:00:00Z") }
        let exporter = Exporter(cases.store, ExportRequest(days: 4))
        #expect(try exporter.export(to: folder.path).days == 4)
        try cases.prune(before: 20_785)  // 2026-11-28
        #expect(try exporter.export(to: folder.path).days == 2)
        let pruned = try Self.contents(folder, ["changes.csv"])[0]
        #expect(pruned.contains("summary,2026-11-26,eu-west,,,plays,1,,,,\r\n"))
        #expect(pruned.contains("delivery,2026-11-27,(all),,,made,1,,,,\r\n"))
        #expect(!pruned.contains(",2026-11-28,"))
        try cases.addPlay(at: "2026-12-01T12:00:00Z")
        try cases.addPlay(at: "2026-11-30T12:00:00Z")
        try cases.addPlay(at: "2026-12-01T12:00:00Z")
        let next = Exporter(cases.store, ExportRequest(days: 3))
        #expect(try next.export(to: folder.path).days == 3)
        let moved = try Self.contents(folder, ["changes.csv"])[0]
        #expect(moved.contains("summary,2026-11-28,(all),,,plays,1,,,,\r\n"))
        let fresh = try TemporaryFolder()
        _ = try next.export(to: fresh.path)
        #expect(try Self.contents(folder) == Self.contents(fresh))
    }

    @Test("counts a day anew of which a prune took a part")
    func prunedInPart() throws {
        let cases = try CaseStore("empty")
        let (folder, fresh) = (try TemporaryFolder(), try TemporaryFolder())
        // In Kathmandu all of it is on 2026-11-29.
        for time in ["2026-11-28T20:00:00Z", "2026-11-29T01:00:00Z", "2026-11-29T02:00:00Z"] {
            try cases.addPlay(at: time)
        }
        let exporter = Exporter(cases.store, ExportRequest(zone: try ReportZone(named: "Asia/Kathmandu")))
        #expect(try exporter.export(to: folder.path).days == 1)
        try cases.prune(before: 20_786)  // 2026-11-29
        #expect(try exporter.export(to: folder.path).recomputedDays == 1)
        #expect(try Self.contents(folder, ["changes.csv"])[0].contains("summary,2026-11-29,(all),,,plays,3,2,-1,,\r\n"))
        _ = try exporter.export(to: fresh.path)
        #expect(try Self.contents(folder) == Self.contents(fresh))
    }

    @Test("after a backup was restored keeps no day that never was, though the log has grown past its old end")
    func restored() throws {
        let (lost, restored) = (try CaseStore("empty"), try CaseStore("empty"))
        let (folder, fresh) = (try TemporaryFolder(), try TemporaryFolder())
        for cases in [lost, restored] { try cases.addPlay(at: "2026-11-27T12:00:00Z", id: 1) }
        for hour in 10...11 { try lost.addPlay(at: "2026-11-28T\(hour):00:00Z") }
        _ = try Exporter(lost.store, ExportRequest(), name: "one").export(to: folder.path)
        for time in ["2026-11-28T12:00:00Z", "2026-11-29T12:00:00Z", "2026-11-29T13:00:00Z", "2026-11-29T14:00:00Z"] {
            try restored.addPlay(at: time)
        }
        let exporter = Exporter(restored.store, ExportRequest(), name: "one")
        #expect(try exporter.export(to: folder.path).recomputedDays == 3)
        #expect(try Self.contents(folder, ["changes.csv"])[0].contains("summary,2026-11-28,(all),,,plays,2,1,-1,,\r\n"))
        _ = try exporter.export(to: fresh.path)
        #expect(try Self.contents(folder) == Self.contents(fresh))
    }

    @Test("keeps to the last days, counted from the newest play")
    func window() throws {
        let cases = try CaseStore("regions-mixed")
        let folder = try TemporaryFolder()
        let summary = try Exporter(cases.store, ExportRequest(days: 2, by: [])).export(to: folder.path)
        #expect(summary.days == 2)
        let periods = try Self.contents(folder)[0].components(separatedBy: "\r\n").dropFirst().map { $0.prefix(10) }
        #expect(Array(periods) == ["2026-11-28", "2026-11-29", ""])
    }

    @Test("of an empty store has header rows alone")
    func empty() throws {
        let cases = try CaseStore("empty")
        let folder = try TemporaryFolder()
        let summary = try Exporter(cases.store, ExportRequest()).export(to: folder.path)
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
        let exporter = Exporter(cases.store, ExportRequest())
        #expect(throws: ExportError.busy(folder: folder.path)) { try exporter.export(to: folder.path) }
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
            try Exporter(cases.store, ExportRequest()).export(to: folder.path)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["startup.csv", "summary.csv"])
    }
}
