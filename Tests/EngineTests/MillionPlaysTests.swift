import Foundation
import Testing
import TestSupport

@Suite("A million simulated plays", .cluster, .serialized)
struct MillionPlaysTests {
    @Test("give the same reports from SQLite, from two shards, from two replicated shards and from today's engine")
    func million() throws {
        let folder = try TemporaryFolder()
        let input = folder.path("plays.ndjson")
        let simulated = try BuiltProgram("qoe-simulate").run([
            "--output", input, "--sessions", "27500", "--seed", "1", "--days", "7",
        ])
        try #require(simulated.status == 0, "\(simulated.errors)")
        let plain = FedData(folder.path("plain"))
        try plain.done("load", ["--any-time", input])
        let requests = [
            ["--by", "day,cdnRegion"], ["--by", "tag:lifecycle,network", "--time-zone", "Europe/Stockholm"],
        ]
        let wanted = try requests.map(plain.reports)
        let summary = try #require(try plain.reports()["summary.csv"])
        let plays = summary.split(separator: "\r\n").last?.split(separator: ",")[2]
        #expect(try #require(plays.flatMap { Int($0) }) > 1_000_000)
        for kind in EngineKind.allCases {
            let store = try EngineStore(kind)
            let fed = FedData(folder.path(kind.rawValue), store: try store.url())
            try fed.done("load", ["--any-time", input])
            try store.engines.settle()
            // One grouping is enough to see what the others have in store.
            for (words, texts) in zip(requests, wanted).prefix(kind == .sharded ? 2 : 1) {
                let found = try fed.reports(words)
                for (name, text) in texts { #expect(found[name] == text, "\(kind.rawValue): \(name) \(words)") }
            }
            if kind != .today {
                let counts = try EngineShards(store).plays()
                #expect(counts.allSatisfy { $0 > 400_000 }, "one shard has nearly all: \(counts)")
            }
        }
    }
}

/// What each shard of a store holds.
struct EngineShards {
    let store: EngineStore

    init(_ store: EngineStore) {
        self.store = store
    }

    func plays() throws -> [Int] {
        try ["http1", "http2"].map { port in
            let rows = try store.rows("SELECT count() FROM {db}.stored_plays FINAL", from: port)
            return Int(rows.first?.first ?? "") ?? -1
        }
    }
}
