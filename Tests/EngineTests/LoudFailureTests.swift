import Foundation
import Testing
import TestSupport

@Suite("What is wrong with a ClickHouse store", .serialized)
struct LoudFailureTests {
    /// A command that fails, with nothing on standard output and one line beside it.
    private func failure(
        _ data: FedData, _ command: String, _ words: [String] = [], environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let result = try data.run(command, words, environment: environment)
        #expect(result.status != 0, sourceLocation: sourceLocation)
        #expect(result.output.isEmpty, "\(result.output)", sourceLocation: sourceLocation)
        let lines = result.errors.split(separator: "\n", omittingEmptySubsequences: true)
        #expect(lines.count == 1, "\(result.errors)", sourceLocation: sourceLocation)
        return result.errors
    }

    private static let input = Checkout.cases.appendingPathComponent("reports/tiny-by-hand/input.ndjson").path

    @Test("is a shard that does not answer: report, export and check name it, and write nothing", .cluster)
    func missingShard() throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(.sharded)
        let fed = FedData(folder.path("fed"), store: try store.url())
        try fed.done("load", ["--any-time", Self.input])
        let levels = folder.path("levels")
        try "startup_within_target_ratio > 0.1\n".write(toFile: levels, atomically: true, encoding: .utf8)
        try store.engines.kill(node: 2)
        defer { try? store.engines.start(node: 2) }
        let shard = "127.0.0.1:\(try store.engines.port("tcp2"))"
        for (command, words) in [
            ("report", []), ("report", ["--metric", "all", "--format", "csv", "--output", folder.path("out")]),
            ("export", ["--output", folder.path("export")]), ("check", ["--slo", levels]),
        ] {
            let words = words as [String]
            let text = try failure(fed, command, words)
            #expect(text.contains(shard), "\(command): \(text)")
        }
        for name in ["out", "export"] {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(name))) ?? []
            #expect(files.filter { $0.hasSuffix(".csv") } == [])
        }
    }

    @Test("is a user that is not known or a password that is wrong", .engines, arguments: EngineKind.running)
    func credentials(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let stranger = FedData(folder.path("fed"), store: try store.url(user: "stranger"))
        #expect(try failure(stranger, "report").contains("stranger"))
        guard kind != .today else { return }
        let team = FedData(folder.path("fed"), store: try store.url(user: "team"))
        let text = try failure(team, "report", environment: ["QOE_CLICKHOUSE_PASSWORD": "wrong"])
        #expect(text.contains("team") && !text.contains("wrong "), "\(text)")
        let good = try team.run("report", [], environment: ["QOE_CLICKHOUSE_PASSWORD": "a secret"])
        #expect(good.status == 0, "\(good.errors)")
    }

    @Test("is a database that is not there, or has no tables", .engines, arguments: EngineKind.running)
    func noTables(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind, isCreated: false)
        let fed = FedData(folder.path("fed"), store: try store.url())
        let text = try failure(fed, "report")
        #expect(text.contains(store.database) && text.contains("qoe store create"), "\(text)")
        for port in kind.ports { try store.engines.answer("CREATE DATABASE \(store.database)", from: port) }
        #expect(try failure(fed, "report").contains("qoe store create"))
        #expect(try failure(fed, "load", ["--any-time", Self.input]).contains("qoe store create"))
    }

    @Test("is a layout of another version of this program", .engines, arguments: EngineKind.running)
    func otherLayout(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        for port in kind.ports {
            let columns = try store.rows("SELECT version + 1, store, cluster FROM {db}.layout LIMIT 1", from: port)
            let row = try #require(columns.first)
            _ = try store.rows(
                "INSERT INTO {db}.layout (version, store, cluster) VALUES (\(row[0]), '\(row[1])', '\(row.count > 2 ? row[2] : "")')",
                from: port)
        }
        let fed = FedData(folder.path("fed"), store: try store.url())
        #expect(try failure(fed, "report").contains("layout"))
    }

    @Test("is a server that is too old, or none of ClickHouse", .engines, arguments: EngineKind.running)
    func oldServer(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let proxy = try FaultyProxy(before: try store.engines.port(kind.ports[0]), ["old"])
        let fed = FedData(folder.path("fed"), store: try store.url(ports: [proxy.port]))
        let text = try failure(fed, "report")
        #expect(text.contains("1.1") && text.contains("18.16"), "\(text)")
    }

    @Test("is a query that reads more rows than it may", .engines, arguments: EngineKind.running)
    func bounds(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let fed = FedData(folder.path("fed"), store: try store.url())
        try fed.done("load", ["--any-time", Self.input])
        let url = try store.url() + (kind.cluster == nil ? "?" : "&") + "rows=3"
        let text = try failure(FedData(fed.path, store: url), "report")
        #expect(text.contains("rows"), "\(text)")
    }
}
