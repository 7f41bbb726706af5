import Foundation
import TestSupport
import Testing

@Suite("A store of which each insert may fail", .engines, .serialized)
struct ReplayTests {
    private static let faults = ["lost", "unsent", "twice", "half", "refused"]

    /// Plays as a server takes them in: a chunk for every few requests.
    private static func feed(_ server: ServerProcess, seed: Int) throws {
        let simulated = try BuiltProgram("qoe-simulate").run([
            "--to", "http://127.0.0.1:\(server.port)", "--sessions", "40", "--seed", "\(seed)",
        ])
        try #require(simulated.status == 0, "\(simulated.errors)")
    }

    @Test(
        "has every play once when inserts are answered twice or not at all, and connections are reset",
        arguments: EngineKind.running)
    func faults(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        // A chunk has up to four inserts, which have to go well one after the other.
        let proxy = try FaultyProxy(
            before: try store.engines.port(kind.ports[0]),
            Self.faults.flatMap { [$0] + Array(repeating: "pass", count: 4) })
        let fed = FedData(folder.path("fed"), store: try store.url(ports: [proxy.port]))
        let server = try ServerProcess(data: fed.path, options: fed.store)
        var seed = 0
        while seed < 12, !Self.faults.allSatisfy({ proxy.counts[$0, default: 0] > 0 }) {
            seed += 1
            try Self.feed(server, seed: seed)
            try server.waitForFollower()
        }
        #expect(server.stop() == 0)
        #expect(Self.faults.allSatisfy { proxy.counts[$0, default: 0] > 0 }, "\(proxy.counts)")
        try fed.expectSame(as: fed.rebuiltInSQLite(in: folder))
        try fed.done("verify")
    }

    @Test("goes on with the chunk that a killed server had begun", arguments: EngineKind.running)
    func killedServer(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let port = try store.engines.port(kind.ports[0])
        let path = folder.path("fed")
        for seed in 1...3 {
            // The answer to the second insert of a chunk never comes, so the server dies with half a chunk done.
            let proxy = try FaultyProxy(before: port, ["pass", "lost", "lost", "lost", "lost", "lost"])
            let fed = FedData(path, store: try store.url(ports: [proxy.port]))
            let server = try ServerProcess(data: path, options: fed.store)
            try Self.feed(server, seed: seed)
            try waitUntil("an answer to be lost") { proxy.counts["lost", default: 0] > 0 }
            server.kill()
        }
        let fed = FedData(path, store: try store.url())
        let server = try ServerProcess(data: path, options: fed.store)
        try server.waitForFollower()
        #expect(server.stop() == 0)
        try fed.expectSame(as: fed.rebuiltInSQLite(in: folder))
        try fed.done("verify")
    }
}

/// A host that fails by a script: `faulty_proxy.py` before one of an engine's servers.
final class FaultyProxy {
    let port: Int
    private let process = Process()
    private let folder: TemporaryFolder

    /// - Parameter faults: what happens to one INSERT after the other, round and round.
    init(before server: Int, _ faults: [String]) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "python3", Checkout.root.appendingPathComponent("Tests/EngineTests/faulty_proxy.py").path, "\(server)",
                folder.path("port"),
            ] + faults
        process.standardInput = FileHandle.nullDevice
        try process.runWithSignals()
        var taken: Int?
        try waitUntil("the proxy") {
            taken = (try? String(contentsOfFile: folder.path("port"), encoding: .utf8)).flatMap { Int($0) }
            return taken != nil
        }
        port = try #require(taken)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// How often each fault was done.
    var counts: [String: Int] {
        let text = (try? String(contentsOfFile: folder.path("port.counts"), encoding: .utf8)) ?? ""
        return Dictionary(
            text.split(separator: "\n").map { line in
                let parts = line.split(separator: " ")
                return (String(parts[0]), Int(parts[1]) ?? 0)
            }, uniquingKeysWith: +)
    }
}
