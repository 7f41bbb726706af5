import Foundation
import Testing
import TestSupport

@Suite("The exported files, read by DuckDB, pandas, Datasette, LibreOffice and SQLite's own import,", .tools)
struct ReadersTests {
    private static let readers: Set = ["DuckDB", "pandas", "Datasette", "LibreOffice", "SQLite"]
    private static let files: Set = [
        "summary.csv", "startup.csv", "rebuffering.csv", "failures.csv", "sessions.csv", "delivery.csv", "quality.csv",
        "histogram.csv", "volume.csv",
    ]
    /// Those of an export, which no report of every metric has.
    private static let comparisons: Set = ["compare_previous.csv", "compare_rest.csv"]

    @Test("have the report's columns, rows and cells, and its number of plays")
    func cells() throws {
        let data = try LoadedData.sample()
        let wanted = try data.rows(by: "day,cdnRegion")
        #expect(Set(wanted.keys) == Self.files)
        let found = try data.readBack()
        #expect(Set(found.keys) == Self.readers)
        for (reader, files) in found {
            #expect(Set(files.keys) == Self.files.union(Self.comparisons), "\(reader)")
            for (name, file) in files where Self.files.contains(name) {
                let rows = try #require(wanted[name])
                #expect(!rows.isEmpty && file.rows.count == rows.count, "\(name) by \(reader)")
                for (row, wantedRow) in zip(file.rows, rows) {
                    #expect(Self.isSame(row, wantedRow, asText: reader == "SQLite"), "\(name) by \(reader): \(row)")
                }
                let plays = rows.compactMap { row -> Int? in
                    if case .number(let plays) = row["plays"] { Int(plays) } else { nil }
                }
                #expect(file.plays == (plays.isEmpty ? nil : plays.reduce(0, +)), "\(name) by \(reader)")
            }
        }
    }

    private static func isSame(_ row: ReadBack.Row, _ wanted: ReadBack.Row, asText: Bool) -> Bool {
        row.count == wanted.count
            && wanted.allSatisfy { column, cell in
                guard let own = row[column] else { return false }
                guard asText else { return own.isSame(cell) }
                if case .text(let text) = own { return cell.isSame(asText: text) }
                return false
            }
    }

    @Test("have columns of the types that their names tell, without a word about them")
    func types() throws {
        let found = try LoadedData.sample().readBack()
        for reader in ["DuckDB", "pandas", "Datasette", "LibreOffice"] {
            let files = try #require(found[reader])
            #expect(Set(files.keys) == Self.files.union(Self.comparisons), "\(reader)")
            for (name, file) in files where Self.files.contains(name) {
                let wanted = file.types.keys.map { column -> (String, String) in
                    switch column {
                    // SQLite has no type for days.
                    case "period": (column, reader == "Datasette" ? "text" : "date")
                    case "cdn", "cdn_region", "error_code", "phase": (column, "text")
                    default:
                        (column, column.hasSuffix("_ratio") || column.hasSuffix("_per_hour") ? "real" : "whole")
                    }
                }
                #expect(file.types == Dictionary(uniqueKeysWithValues: wanted), "\(name) by \(reader)")
            }
        }
    }

    /// A region, and its cell. As an error's domain it has `#1` after it, and so is no number.
    private static let nasty = [
        (#"a,"b""#, #"a,"b""#), ("=1+1", "'=1+1"), ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"), ("+x", "'+x"),
        ("-x", "'-x"), ("@x", "'@x"), ("-12.5", "-12.5"), ("'quoted'", "'quoted'"), (#""""#, #""""#),
        (",", ","), ("NULL", "NULL"), ("NA", "NA"), ("東京, Zürich", "東京, Zürich"), ("a;b", "a;b"),
    ]

    @Test("keep every text as it was sent, but for the apostrophe before what a spreadsheet would compute")
    func texts() throws {
        let events = try Self.nasty.map { region, _ in
            let text = String(decoding: try JSONEncoder().encode(region), as: UTF8.self)
            return SampleBatch.event(
                SampleBatch.newId(), #""cdnRegion":\#(text),"error":{"domain":\#(text),"code":1}"#)
        }
        let data = try LoadedData(body: SampleBatch.body(events))
        let found = try data.readBack()
        #expect(Set(found.keys) == Self.readers)
        let wanted = Set(Self.nasty.map(\.1) + ["(all)"])
        for (reader, files) in found {
            // Nobody's startup was measured, so that the histogram has no rows.
            for name in Self.files where name != "delivery.csv" && name != "histogram.csv" {
                let rows = try #require(files[name], "\(name) by \(reader)").rows
                let cells = rows.map { $0["cdn_region"]?.description ?? "no column" }
                #expect(Set(cells) == wanted, "\(name) by \(reader)")
            }
            let codes = try #require(files["failures.csv"]).rows.map { $0["error_code"]?.description ?? "no column" }
            #expect(Set(codes) == Set(Self.nasty.map { ($0 == "-12.5" ? "'-12.5" : $1) + "#1" }), "\(reader)")
        }
    }

    @Test("are opened in LibreOffice as the recipe for it says")
    func recipe() throws {
        let filter = "CSV:44,34,76,1,,1033,false,true"
        for path in ["Sources/qoe/qoe.docc/OtherTools.md", "Tests/ToolTests/read_back.py"] {
            let text = try String(contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
            #expect(text.contains(filter), "\(path)")
        }
    }

    @Test("agree with the archive as DuckDB reads it by the query that the queries' README shows")
    func archive() throws {
        let readme = try String(
            contentsOf: Checkout.root.appendingPathComponent("Queries/README.md"), encoding: .utf8)
        let query = try #require(readme.firstMatch(of: /```sql\n([\s\S]*?)```/)).output.1
        let data = try LoadedData.sample()
        let found = try ReadBack.duckDB(String(query), in: data.folder)
        let columns = ["measured", "startup_p50_ms", "startup_p95_ms"]
        let startup = try #require(data.rows(by: "cdnRegion")["startup.csv"])
        let wanted = startup.filter { $0["cdn_region"] != .text("(all)") }
        #expect(!wanted.isEmpty && found.count == wanted.count)
        for row in wanted {
            let own = try #require(found.first { $0["region"] == row["cdn_region"] })
            for column in columns {
                #expect(own[column] == row[column], "\(column) of \(row["cdn_region"]?.description ?? "")")
            }
        }
    }
}
