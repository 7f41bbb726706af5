import Foundation
import Testing
import TestSupport

/// A data directory `qoe-data` in a folder of its own, and what the program makes of it.
struct LoadedData {
    let folder: TemporaryFolder
    private let qoe = BuiltProgram("qoe")
    private var data: String { folder.path("qoe-data") }

    /// Two days of plays.
    static func sample() throws -> LoadedData {
        try LoadedData(file: Checkout.root.appendingPathComponent("sample-data/two-days.ndjson.gz").path)
    }

    /// - Parameter body: a request's body, received at noon on 2026-11-29.
    init(body: String) throws {
        folder = try TemporaryFolder()
        let file = folder.path("body.json")
        try body.write(toFile: file, atomically: true, encoding: .utf8)
        try run(["load", "--any-time", "--data", data, "--received-at", "2026-11-29T12:00:00Z", file])
    }

    private init(file: String) throws {
        folder = try TemporaryFolder()
        try run(["load", "--any-time", "--data", data, file])
    }

    /// What each program found in the exported files.
    func readBack() throws -> [String: [String: ReadBack]] {
        let output = folder.path("export")
        try run(["export", "--data", data, "--output", output])
        return try ReadBack.files(output)
    }

    /// Writes the HTML page into another folder, which must outlive its use.
    func page(in folder: TemporaryFolder) throws -> String {
        let file = folder.path("report.html")
        try run(["report", "--data", data, "--format", "html"]).write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    /// A report's rows, by the file that an export would have them in.
    func rows(by dimensions: String) throws -> [String: [ReadBack.Row]] {
        struct Table: Decodable { var rows: [ReadBack.Row] }
        let output = folder.path("json")
        try run([
            "report", "--data", data, "--by", dimensions, "--metric", "all", "--format", "json", "--output", output,
        ])
        var tables: [String: [ReadBack.Row]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: output) {
            let text = try Data(contentsOf: URL(fileURLWithPath: output + "/" + name))
            tables[name.replacingOccurrences(of: ".json", with: ".csv")] =
                try JSONDecoder().decode(Table.self, from: text).rows
        }
        return tables
    }

    @discardableResult
    private func run(_ words: [String]) throws -> String {
        let result = try qoe.run(words)
        try #require(result.status == 0, "\(words): \(result.errors)")
        return result.output
    }
}
