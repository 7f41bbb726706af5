import Foundation
import Testing
import TestSupport

@Suite("Two ingest servers that feed one store", .engines, .serialized)
struct SeveralServersTests {
    @Test("give the reports that one server gives which took all the requests", arguments: EngineKind.running)
    func reports(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let input = Checkout.cases.appendingPathComponent("reports/regions-mixed/input.ndjson")
        let lines = try String(contentsOf: input, encoding: .utf8).split(separator: "\n")
        let plain = FedData(folder.path("plain"))
        try plain.done("load", ["--any-time", input.path])
        let url = try store.url()
        for (number, name) in ["a", "b"].enumerated() {
            let file = folder.path("\(name).ndjson")
            // A balancer gives every other request to each.
            let share = lines.enumerated().filter { $0.offset % 2 == number }.map(\.element)
            try share.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
            let fed = FedData(folder.path(name), store: url)
            try fed.done("load", ["--any-time", "--node", name, file])
        }
        let reader = FedData(folder.path("a"), store: url)
        try reader.expectSame(as: plain)
        for name in ["a", "b"] { try FedData(folder.path(name), store: url).done("verify") }
    }

    @Test("keep the plays of both when one is rebuilt, and are told apart by name", arguments: EngineKind.running)
    func rebuild(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let url = try store.url()
        for (number, name) in ["a", "b"].enumerated() {
            let ids = (0..<10).map { _ in SampleBatch.newId() }
            let file = folder.path("\(name).json")
            try SampleBatch.body(ids: ids).write(toFile: file, atomically: true, encoding: .utf8)
            try FedData(folder.path(name), store: url)
                .done("load", ["--any-time", "--node", name, "--received-at", "2026-11-29T12:0\(number):00Z", file])
        }
        try FedData(folder.path("a"), store: url).done("rebuild", ["--node", "a"])
        try store.engines.settle()
        #expect(try store.rows("SELECT count() FROM {db}.plays") == [["20"]])
        let third = folder.path("c.json")
        try SampleBatch.body(ids: [SampleBatch.newId()]).write(toFile: third, atomically: true, encoding: .utf8)
        let result = try FedData(folder.path("c"), store: url).run("load", ["--any-time", "--node", "b", third])
        #expect(result.status != 0 && result.errors.contains("another data directory"), "\(result.errors)")
    }
}
