import Foundation
import Synchronization
import Testing
import TestSupport

@Suite("A node of the cluster that is killed", .cluster, .serialized)
struct KillNodeTests {
    /// Plays into a server as long as something happens to the cluster.
    private static func feed(_ server: ServerProcess, during incident: () throws -> Void) throws {
        let group = DispatchGroup()
        let port = server.port
        let isOver = Flag()
        Thread.inGroup(group) {
            for seed in 1...200 where !isOver.isSet {
                _ = try BuiltProgram("qoe-simulate").run([
                    "--to", "http://127.0.0.1:\(port)", "--sessions", "30", "--seed", "\(seed)",
                ])
            }
        }
        defer {
            isOver.set()
            group.wait()
        }
        try incident()
    }

    @Test(
        "while a server takes plays in costs none and repeats none",
        arguments: [EngineKind.sharded, .replicated],
        [
            // The node that is spoken to, the other shard, one after the other.
            [1], [2], [1, 2],
        ])
    func serving(_ kind: EngineKind, _ nodes: [Int]) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let fed = FedData(folder.path("fed"), store: try store.url())
        let server = try ServerProcess(data: fed.path, options: fed.store)
        try Self.feed(server) {
            for node in nodes {
                try waitUntil("plays in the store") {
                    try server.metric("qoe_plays_loaded_total") ?? 0 > 100
                }
                try store.engines.kill(node: node)
                let taken = try server.metric("qoe_events_accepted_total") ?? 0
                try waitUntil("plays taken meanwhile") {
                    try server.metric("qoe_events_accepted_total") ?? 0 > taken + 50
                }
                try store.engines.start(node: node)
            }
        }
        try server.waitForFollower(seconds: 120)
        #expect(server.stop() == 0)
        try fed.expectSame(as: fed.rebuiltInSQLite(in: folder))
        try fed.done("verify")
    }

    @Test(
        "while an archive is loaded lets the load wait for it and end well",
        arguments: [EngineKind.sharded, .replicated])
    func loading(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let input = folder.path("plays.ndjson")
        let simulated = try BuiltProgram("qoe-simulate").run(["--output", input, "--sessions", "4000", "--seed", "7"])
        try #require(simulated.status == 0, "\(simulated.errors)")
        let fed = FedData(folder.path("fed"), store: try store.url())
        let group = DispatchGroup()
        let result = Finished()
        Thread.inGroup(group) {
            let loaded = try fed.run("load", ["--any-time", input])
            result.value.withLock { $0 = loaded }
        }
        try waitUntil("the first rows") {
            try store.rows("SELECT count() > 0 FROM {db}.stored_plays").first == ["1"]
        }
        for node in [2, 1] {
            try store.engines.kill(node: node)
            usleep(300_000)
            try store.engines.start(node: node)
        }
        group.wait()
        let loaded = try #require(result.value.withLock { $0 })
        try #require(loaded.status == 0, "\(loaded.errors)")
        let plain = FedData(folder.path("plain"))
        try plain.done("load", ["--any-time", input])
        try fed.expectSame(as: plain)
    }

    @Test("leaves the replicated shards whole: the report is the same without it")
    func replica() throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(.replicated)
        let input = Checkout.cases.appendingPathComponent("reports/regions-mixed/input.ndjson").path
        let (plain, fed) = (FedData(folder.path("plain")), FedData(folder.path("fed"), store: try store.url()))
        try plain.done("load", ["--any-time", input])
        try fed.done("load", ["--any-time", input])
        try store.engines.settle()
        for node in [1, 4] {
            try store.engines.kill(node: node)
            defer { try? store.engines.start(node: node) }
            try fed.expectSame(as: plain)
        }
    }
}

/// Says to one thread what happened on another.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}

/// What a command came to on another thread.
private final class Finished: Sendable {
    let value = Mutex<BuiltProgram.Result?>(nil)
}
