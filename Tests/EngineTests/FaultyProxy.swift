import Foundation
import Testing
import TestSupport

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
