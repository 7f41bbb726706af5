import Foundation
import PlaybackEvents
import SQLite
import Testing
import TestSupport

@Suite("The documentation")
struct DocumentationTests {
    private static let program = BuiltProgram("qoe")

    @Test("compiles without a warning, so that no link leads nowhere")
    func compiles() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltProgram.run(
            Checkout.root.path + "/.make/docs", [folder.path("documentation")])
        #expect(result.status == 0, "docc says: \(result.errors)\(result.output)")
    }

    @Test("explains every code with which an event or a request is refused")
    func codes() throws {
        let codes = try Article("WireFormat").codes
        for code in Rejection.Code.allCases { #expect(codes.contains(code.rawValue)) }
        for code in RequestError.Code.allCases { #expect(codes.contains(code.rawValue)) }
        for word in try words(inIngest: /refusal\(\s*"([a-z_]+)"/) { #expect(codes.contains(word)) }
    }

    @Test("tells every module's job")
    func modules() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Checkout.root.appendingPathComponent("Sources").path)
        let section = try #require(try Article("Architecture").section("Modules"))
        for folder in folders where !folder.hasPrefix(".") { #expect(section.codes.contains(folder)) }
    }

    @Test("shows requests that are taken as they stand")
    func requests() throws {
        let examples = try Article("WireFormat").blocks("json").filter { $0.contains("\"events\"") }
        #expect(examples.count >= 2)
        for example in examples {
            let receipt = Receipt(receivedAt: 1_796_000_000_000, requestId: Identifier128(high: 1, low: 1))
            let batch = try RequestDecoder.decode(Array(example.utf8), receipt: receipt)
            #expect(batch.rejections.isEmpty && !batch.plays.isEmpty && batch.unknownFields == 0)
            #expect(!example.contains("\"sender\"") || batch.account != nil)
        }
    }

    @Test("shows lines of the archive and of the quarantine that read back")
    func lines() throws {
        let examples = try Article("Architecture").blocks("json").map { Array($0.utf8.dropLast()) }
        #expect(examples.count == 3)
        var plays = LoggedPlays()
        for line in examples.prefix(2) { try plays.append(line: line.span.bytes) }
        #expect(plays.entries.count == 2)
        let last = examples[2]
        let rejected = try QuarantineLine.parse(last.span.bytes)
        #expect(Rejection.Code(rawValue: rejected.code) != nil)
    }

    @Test("explains every column of every file, in the order of the files")
    func columns() throws {
        let folder = try TemporaryFolder()
        let article = try Article("Metrics")
        let reports = try reports(on: #"{"events": []}"#, in: folder, by: "cdnRegion")
        let files = try FileManager.default.contentsOfDirectory(atPath: reports)
        #expect(files.count >= 5)
        for file in files {
            let text = try String(contentsOfFile: "\(reports)/\(file)", encoding: .utf8)
            let header = text.prefix { !$0.isNewline }
            let section = try #require(article.section(file), "Metrics.md has no section \(file)")
            #expect(section.codes.contains(String(header)), "of \(file) Metrics.md does not say \(header)")
        }
    }

    @Test("works an example out as the program does")
    func example() throws {
        let folder = try TemporaryFolder()
        let article = try #require(try Article("Metrics").section("Worked example"))
        let request = try #require(article.blocks("json").first)
        let line = try #require(article.blocks("csv").first)
        let reports = try reports(on: request, in: folder, by: "day,cdnRegion")
        let summary = try String(contentsOfFile: "\(reports)/summary.csv", encoding: .utf8)
        #expect(summary.split(whereSeparator: \.isNewline).contains(line.dropLast()))
    }

    /// Loads a request, received on 2026-11-29, and reports on it in every way.
    ///
    /// - Returns: the folder of the CSV files.
    private func reports(on request: String, in folder: TemporaryFolder, by dimensions: String) throws -> String {
        try request.write(toFile: folder.path("request.json"), atomically: true, encoding: .utf8)
        let runs = [
            [
                "load", "--any-time", "--data", folder.path("data"), "--received-at", "2026-11-29T12:00:00Z",
                folder.path("request.json"),
            ],
            [
                "report", "--data", folder.path("data"), "--by", dimensions, "--metric", "all", "--format", "csv",
                "--output", folder.path("reports"),
            ],
        ]
        for arguments in runs {
            let result = try Self.program.run(arguments)
            try #require(result.status == 0, "\(arguments[0]): \(result.errors)")
        }
        return folder.path("reports")
    }

    @Test("lists every command with all of its options and their variables, and no other")
    func options() throws {
        let overview = try Self.program.run(["--help"]).output.split(separator: "\n")
        let names = overview.drop { $0 != "commands:" }.dropFirst().prefix { $0.hasPrefix("  ") }
            .map { $0.dropFirst(2).split(separator: "  ")[0].trimmingCharacters(in: .whitespaces) }
        #expect(names.contains("serve"))
        let article = try Article("CommandLine")
        for name in names { try compare(Self.program, name, with: article, heading: "qoe \(name)") }
        try compare(BuiltProgram("qoe-simulate"), "", with: article, heading: "qoe-simulate")
        let documented = article.sections.map(\.heading).filter { $0.hasPrefix("qoe ") }
        #expect(Set(documented) == Set(names.map { "qoe \($0)" }))
    }

    private func compare(_ program: BuiltProgram, _ command: String, with article: Article, heading: String) throws {
        let section = try #require(article.section(heading), "CommandLine.md has no section \(heading)")
        let words = command.split(separator: " ").map(String.init) + ["--help"]
        let help = try program.run(words).output.split(separator: "\n")
        let options = help.filter { $0.hasPrefix("  --") }
            .map { String($0.dropFirst(2).prefix { $0 != " " }) }
            .filter { $0 != "--help" }
        let firstCells = section.rows.compactMap(\.first).joined(separator: " ")
        let documented = firstCells.matches(of: /--[a-z-]+/).map { String($0.output) }
        #expect(Set(options) == Set(documented), "the options of \(heading)")
        let common = article.section("The data directory")?.lines ?? []
        let everything = (section.lines + common).joined(separator: "\n")
        for variable in help.joined(separator: "\n").matches(of: /QOE_[A-Z_]+/) {
            #expect(everything.contains(variable.output), "\(heading) does not name \(variable.output)")
        }
    }

    @Test("explains every metric that the server exports, and no other")
    func metrics() throws {
        let exported = try words(inIngest: /"(qoe_[a-z_]+)"/)
        let explained = try Article("Operation").codes.filter { $0.hasPrefix("qoe_") && $0 != "qoe_" }
        #expect(exported == explained)
    }

    @Test("explains every line that the server logs, and no other")
    func logLines() throws {
        let logged = try words(inIngest: /(?:log|self)\(\s*\.(?:info|warning|error), "([^"]+)"/)
        let rows = try #require(try Article("Operation").section("Logs")).rows
        let explained = rows.compactMap(\.first).joined(separator: " ").matches(of: /`([^`]+)`/).map {
            String($0.output.1)
        }
        #expect(logged == Set(explained))
    }

    /// What the group of a pattern takes out of the sources of the server.
    private func words(inIngest pattern: Regex<(Substring, Substring)>) throws -> Set<String> {
        let files = try SourceTree.files(below: ["Sources/Ingest"], suffix: ".swift")
        return Set(files.flatMap { file in file.text.matches(of: pattern).map { String($0.output.1) } })
    }

    @Test("explains every column of the database's views")
    func views() throws {
        let folder = try TemporaryFolder()
        _ = try reports(on: #"{"events": []}"#, in: folder, by: "cdnRegion")
        let database = try SQLiteConnection(path: folder.path("data/qoe.sqlite"), mode: .readOnly)
        let columns = try database.prepare("SELECT name FROM pragma_table_info('plays')")
        let explained = try Article("Architecture").codes
        while try columns.step() {
            let column = columns.text(0)
            #expect(explained.contains(column))
        }
    }

    @Test("names for its promises only tests that are there, and one for each")
    func promises() throws {
        let tests = try TestSentences().all
        let rows = try Article("Promises").rows
        #expect(rows.count > 20)
        for row in rows {
            let sentence = String((row.last ?? "").drop { $0 == "`" }.prefix { $0 != "`" })
            let isThere = tests.contains(sentence)
            #expect(isThere, "no test is called \(sentence)")
        }
    }
}
