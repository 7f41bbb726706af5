import Foundation
import Reports
import SQLite
import TestSupport
import Testing

@Suite("A plain query")
struct PlainQueryTests {
    @Test(
        "prints the figures of the command",
        arguments: [
            ("startup", ReportMetric.startup), ("rebuffering", .rebuffering), ("failures", .failures),
            ("data_per_session", .sessions),
        ],
        ["tiny-by-hand", "regions-mixed", "time-zones", "envelope"])
    func figures(_ query: (file: String, metric: ReportMetric), _ dataSet: String) throws {
        let cases = try CaseStore(dataSet)
        let url = Checkout.root.appendingPathComponent("Queries/plain/\(query.file).sql")
        let statement = try cases.connection().prepare(try String(contentsOf: url, encoding: .utf8))
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

    @Test("stands in the folder for each headline metric, and is described in its README")
    func files() throws {
        let folder = Checkout.root.appendingPathComponent("Queries")
        let readme = try String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)
        let plain = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("plain").path)
        #expect(plain.sorted() == ["data_per_session.sql", "failures.sql", "rebuffering.sql", "startup.sql"])
        for file in plain { #expect(readme.contains("plain/\(file)")) }
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".sql") {
            #expect(readme.contains("`\(file)`"), "\(file)")
        }
    }
}
