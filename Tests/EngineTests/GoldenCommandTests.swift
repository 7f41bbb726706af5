import Foundation
import Testing
import TestSupport

@Suite("A report from ClickHouse", .engines, .serialized)
struct GoldenCommandTests {
    private struct Options: Decodable {
        var by: [String]
        var timeZone: String
        var targetMs: Int64
        var period: String
        var from: String?
        var to: String?

        var words: [String] {
            let dimensions = by + (period == "day" ? ["day"] : [])
            let range = from.flatMap { from in to.map { ["--from", from, "--to", $0] } } ?? []
            // A report without a dimension but the day's.
            let grouping = dimensions.isEmpty ? [] : ["--by", dimensions.joined(separator: ",")]
            return grouping + range + ["--time-zone", timeZone, "--target-ms", "\(targetMs)"]
        }
    }

    /// The options of a data set's golden reports, and some that no case has.
    private static func requests(_ dataSet: String) throws -> [[String]] {
        let folder = Checkout.cases.appendingPathComponent("reports/\(dataSet)").path
        var requests: [[String]] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)/report.json") else { continue }
            requests.append(try JSONDecoder().decode(Options.self, from: data).words)
        }
        guard dataSet == "regions-mixed" else { return requests }
        return requests + [
            ["--by", "hour", "--time-zone", "Asia/Kathmandu"],
            ["--by", "tag:lifecycle,network", "--where", "cdn!=fastly"],
            ["--by", "appVersion,errorCode", "--where", "cdnRegion=(unknown)"],
            ["--by", "videoId"],
            ["--by", "source", "--where", "tag:lifecycle!=new"],
        ]
    }

    private static let dataSets = [
        "alone", "empty", "envelope", "intervals-by-hand", "midnight", "mix", "odd", "rare", "regions-mixed",
        "time-zones", "tiny-by-hand",
    ]

    @Test(
        "is byte for byte the one from SQLite, for every golden case",
        arguments: EngineKind.running.flatMap { kind in dataSets.map { (kind, $0) } })
    func golden(_ kind: EngineKind, _ dataSet: String) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let input = Checkout.cases.appendingPathComponent("reports/\(dataSet)/input.ndjson").path
        let (plain, fed) = (FedData(folder.path("plain")), FedData(folder.path("fed"), store: try store.url()))
        try plain.done("load", ["--any-time", input])
        try fed.done("load", ["--any-time", input])
        let requests = try Self.requests(dataSet)
        #expect(!requests.isEmpty)
        try fed.expectSame(as: plain, options: requests)
        try fed.done("verify")
    }

    @Test("as a page and as a comparison says the same as the one from SQLite", arguments: EngineKind.running)
    func pages(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let input = Checkout.cases.appendingPathComponent("reports/regions-mixed/input.ndjson").path
        let (plain, fed) = (FedData(folder.path("plain")), FedData(folder.path("fed"), store: try store.url()))
        try plain.done("load", ["--any-time", input])
        try fed.done("load", ["--any-time", input])
        for words in [
            ["--format", "html"], ["--day", "2026-11-29", "--compare", "previous"],
            ["--by", "network", "--compare", "rest"], ["--compare", "rest", "--adjust", "network"],
            ["--day", "2026-11-29", "--compare", "previous", "--adjust", "network,appVersion"],
        ] {
            let text = try plain.done("report", words)
            #expect(!text.isEmpty)
            #expect(try fed.done("report", words) == text, "\(words)")
        }
    }

    @Test("is exported as from SQLite, at once and after more plays have come", arguments: EngineKind.running)
    func exports(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let input = Checkout.cases.appendingPathComponent("reports/regions-mixed/input.ndjson")
        let lines = try String(contentsOf: input, encoding: .utf8).split(separator: "\n")
        let (plain, fed) = (FedData(folder.path("plain")), FedData(folder.path("fed"), store: try store.url()))
        for (part, share) in [lines[..<(lines.count / 2)], lines[(lines.count / 2)...]].enumerated() {
            let file = folder.path("part\(part).ndjson")
            try share.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
            for data in [plain, fed] {
                try data.done("load", ["--any-time", file])
                try data.done("export", ["--output", data.path + "-export"])
            }
            let wanted = try FedData.files(in: plain.path + "-export")
            let found = try FedData.files(in: fed.path + "-export")
            for (name, text) in wanted where name.hasSuffix(".csv") { #expect(found[name] == text, "\(name)") }
            #expect(wanted.keys.count { $0.hasSuffix(".csv") } >= 7)
        }
    }

    @Test("tells the same of sampled sessions as the one from SQLite", arguments: EngineKind.running)
    func samples(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let events = [#"{"sample": "0.25", "a": "1"}"#, #"{"sample": "0.25"}"#, #"{"sample": "0.1"}"#, "{}", "null"]
            .map { #"{"videoId": "v", "stalls": 0, "stalledMs": 0, "watchedMs": 9, "ageMs": 0, "tags": \#($0)}"# }
        let line = #"{"receivedAt": 1795953600000, "body": {"events": [\#(events.joined(separator: ", "))]}}"#
        let file = folder.path("sampled.ndjson")
        try line.write(toFile: file, atomically: true, encoding: .utf8)
        let (plain, fed) = (FedData(folder.path("plain")), FedData(folder.path("fed"), store: try store.url()))
        for data in [plain, fed] { try data.done("load", ["--any-time", file]) }
        for words in [["--metric", "summary", "--format", "json"], []] {
            let text = try plain.done("report", words)
            #expect(text.contains(words.isEmpty ? "2 plays at 0.25" : #""sampled": {"0.25": 2, "0.1": 1}"#), "\(text)")
            #expect(try fed.done("report", words) == text)
        }
    }
}
