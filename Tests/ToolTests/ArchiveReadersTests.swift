import Foundation
import SQLite
import Testing
import TestSupport

/// The archive read in place: the queries give what they give on the database made of it.
enum ArchiveReading {
    struct Answer: Decodable {
        var columns: [String]
        var rows: [[String]]
    }

    /// Data directories of golden cases, by their names.
    static func data(_ cases: [String], in folder: TemporaryFolder) throws {
        for name in cases {
            let file = Checkout.cases.appendingPathComponent("reports/\(name)/input.ndjson").path
            let result = try BuiltProgram("qoe").run(["load", "--any-time", "--data", folder.path(name), file])
            try #require(result.status == 0, "\(name): \(result.errors)")
        }
    }

    /// What an engine found: data directory → file of `Queries/` → answer.
    static func answers(
        _ engine: String, python: String, _ cases: [String], in folder: TemporaryFolder
    ) throws -> [String: [String: Answer]] {
        let script = Checkout.root.appendingPathComponent("Tests/ToolTests/read_archive.py").path
        let result = try BuiltProgram.run(
            Checkout.root.appendingPathComponent(python).path,
            [script, engine, Checkout.root.path] + cases.map { folder.path($0) })
        try #require(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode([String: [String: Answer]].self, from: Data(result.output.utf8))
    }

    /// Holds every answer against the database's.
    ///
    /// - Parameter isNumberedAlike: the engine's `arrival` is the store's number, not only in the store's order.
    static func check(
        _ engine: String, python: String, cases: [String], isNumberedAlike: Bool
    ) throws {
        let folder = try TemporaryFolder()
        try data(cases, in: folder)
        let found = try answers(engine, python: python, cases, in: folder)
        for name in cases {
            let files = try #require(found[folder.path(name)], "\(name)")
            // Every query that reads nothing but plays.
            #expect(files.count == 4, "\(files.keys.sorted())")
            let connection = try SQLiteConnection(path: folder.path(name) + "/qoe.sqlite", mode: .readOnly)
            for (file, answer) in files {
                let text = try String(
                    contentsOf: Checkout.root.appendingPathComponent("Queries/\(file)"), encoding: .utf8)
                var wanted = try rows(connection.prepare(text))
                var own = answer
                if !isNumberedAlike {
                    wanted = without("arrival", wanted)
                    own = without("arrival", own)
                }
                #expect(own.columns == wanted.columns, "\(file)")
                #expect(own.rows == wanted.rows, "\(engine): \(file) over \(name)")
            }
            #expect(files["totals.sql"]?.rows.isEmpty == false, "\(name)")
        }
    }

    private static func rows(_ statement: SQLiteStatement) throws -> Answer {
        var answer = Answer(columns: (0..<statement.columnCount).map(statement.name), rows: [])
        while try statement.step() { answer.rows.append((0..<statement.columnCount).map(statement.text)) }
        return answer
    }

    private static func without(_ column: String, _ answer: Answer) -> Answer {
        guard let index = answer.columns.firstIndex(of: column) else { return answer }
        func cut(_ cells: [String]) -> [String] { Array(cells[..<index] + cells[(index + 1)...]) }
        return Answer(columns: cut(answer.columns), rows: answer.rows.map(cut))
    }
}

@Suite("The archive, read in place by DuckDB,", .tools)
struct ArchiveDuckDBTests {
    @Test("answers every query about plays as the database does")
    func queries() throws {
        try ArchiveReading.check(
            "duckdb", python: ".build/reader-venv/bin/python",
            cases: ["tiny-by-hand", "regions-mixed", "intervals-by-hand", "time-zones", "envelope"],
            isNumberedAlike: true)
    }
}

@Suite(
    "The archive, read in place by Spark with a master and two workers,",
    .enabled(if: ProcessInfo.processInfo.environment["QOE_TEST_SPARK"] == "1", "make test-spark runs it"))
struct ArchiveSparkTests {
    @Test("answers every query about plays as the database does")
    func queries() throws {
        try ArchiveReading.check(
            "spark", python: ".build/spark-venv/bin/python", cases: ["tiny-by-hand", "regions-mixed"],
            isNumberedAlike: false)
    }
}
