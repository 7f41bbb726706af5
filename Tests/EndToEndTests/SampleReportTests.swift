import Foundation
import Testing
import TestSupport

@Suite("The reports of the sample data")
struct SampleReportTests {
    @Test("are what a brute-force computation over the archive's lines gives, cell by cell")
    func bruteForce() throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        let sample = Checkout.root.appendingPathComponent("sample-data/two-days.ndjson.gz").path
        let qoe = BuiltProgram("qoe")
        let loaded = try qoe.run(["load", "--any-time", "--data", data, sample])
        #expect(loaded.status == 0, "\(loaded.errors)")
        let report = try qoe.run([
            "report", "--data", data, "--by", "day,cdnRegion", "--metric", "all", "--format", "csv", "--output",
            folder.path("csv"),
        ])
        #expect(report.status == 0, "\(report.errors)")

        let plays = try ArchivedPlay.all(inArchiveOf: data)
        #expect(plays.count > 5_000)
        let expected = BruteForceReport(plays)
        let tables: [(String, ([ArchivedPlay]) -> [BruteForceReport.Row])] = [
            ("summary", BruteForceReport.summary), ("startup", BruteForceReport.startup),
            ("rebuffering", BruteForceReport.rebuffering), ("failures", BruteForceReport.failures),
            ("sessions", BruteForceReport.sessions),
        ]
        for (name, row) in tables {
            let rows = try Self.rows(folder.path("csv") + "/\(name).csv")
            let wanted = expected.rows(row)
            #expect(rows.count == wanted.count, "\(name).csv")
            for (row, wanted) in zip(rows, wanted) {
                #expect(row.filter { !$0.key.contains("_low_") && !$0.key.contains("_high_") } == wanted, "\(name).csv")
            }
        }
    }

    @Test("show what each way to keep players does to the startup, which the simulation's help calls assumptions")
    func lifecycles() throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        let sample = Checkout.root.appendingPathComponent("sample-data/two-days.ndjson.gz").path
        let qoe = BuiltProgram("qoe")
        #expect(try qoe.run(["load", "--any-time", "--data", data, sample]).status == 0)
        let report = try qoe.run([
            "report", "--data", data, "--by", "tag:lifecycle", "--metric", "startup", "--format", "csv",
        ])
        try report.output.write(toFile: folder.path("startup.csv"), atomically: true, encoding: .utf8)
        let rows = try Self.rows(folder.path("startup.csv"))
        let medians = Dictionary(
            rows.map { ($0["tag_lifecycle"] ?? "", Int($0["startup_p50_ms"] ?? "") ?? 0) }, uniquingKeysWith: min)
        let ways = ["default", "reuse_pool", "id_scoped_pool", "singleton"]
        #expect(Set(medians.keys) == Set(ways + ["(all)"]), "\(report.output)")
        let (fresh, pooled) = (medians["default"] ?? 0, medians["reuse_pool"] ?? 0)
        #expect(pooled > 0 && pooled < fresh / 2)
        let help = try BuiltProgram("qoe-simulate").run(["--help"])
        #expect(ways.allSatisfy { help.output.contains($0) } && help.output.contains("assumption of the simulation"))
    }

    /// The rows of a CSV file none of whose cells is quoted.
    private static func rows(_ path: String) throws -> [BruteForceReport.Row] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\r\n").filter {
            !$0.isEmpty
        }
        let header = try #require(lines.first).components(separatedBy: ",")
        return lines.dropFirst().map { line in
            Dictionary(uniqueKeysWithValues: zip(header, line.components(separatedBy: ",")))
        }
    }
}
