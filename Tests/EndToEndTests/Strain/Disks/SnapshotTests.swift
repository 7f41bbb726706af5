import Foundation
import Testing
import TestSupport

extension UnderStrain {
    @Suite("a copy of the data directory under load")
    struct SnapshotTests {
        private let folder: TemporaryFolder
        private let load = PlayLoad(eventsPerBatch: 6)

        init() throws {
            folder = try TemporaryFolder()
        }

        private func copy(_ data: String, to name: String) throws -> String {
            let path = folder.path(name)
            let result = try BuiltProgram.run("cp", ["-r", data, path])
            #expect(result.status == 0 || result.errors.contains("No such file"), "\(result.errors)")
            return path
        }

        @Test("at any instant holds every play acknowledged by then, and serves as it is")
        func atomic() throws {
            let server = try ServerProcess(data: folder.path("data"))
            let players = load.start(port: server.port, connections: 4)
            var copies: [(path: String, acknowledged: [String])] = []
            var random = SeededGenerator(seed: 7)
            for number in 0..<6 {
                let next = load.acknowledged.count + Int.random(in: 1...400, using: &random)
                try waitUntil("more plays") { load.acknowledged.count >= next }
                // A process that stands still while it is copied is what a file system's snapshot is.
                server.signal(SIGSTOP)
                let acknowledged = load.acknowledged
                copies.append((try copy(server.dataDirectory, to: "copy\(number)"), acknowledged))
                server.signal(SIGCONT)
            }
            load.stop()
            #expect(players.wait(timeout: .now() + 30) == .success)
            #expect(server.stop() == 0)
            for copy in copies {
                try expectKeptAfterStart(copy.acknowledged, in: copy.path, sent: load.sent)
                let verified = try BuiltProgram("qoe").run(["verify", "--data", copy.path])
                #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
            }
        }

        @Test("by cp alone, while the files change, is good once it is rebuilt")
        func plainCopy() throws {
            let server = try ServerProcess(data: folder.path("data"))
            let players = load.start(port: server.port, connections: 4)
            var copies: [(path: String, acknowledged: [String])] = []
            for number in 0..<4 {
                let next = load.acknowledged.count + 300
                try waitUntil("more plays") { load.acknowledged.count >= next }
                let acknowledged = load.acknowledged
                copies.append((try copy(server.dataDirectory, to: "copy\(number)"), acknowledged))
            }
            load.stop()
            #expect(players.wait(timeout: .now() + 30) == .success)
            #expect(server.stop() == 0)
            for copy in copies {
                let rebuilt = try BuiltProgram("qoe").run(["rebuild", "--data", copy.path])
                #expect(rebuilt.status == 0, "\(rebuilt.errors)")
                try expectKeptAfterStart(copy.acknowledged, in: copy.path, sent: load.sent)
                let verified = try BuiltProgram("qoe").run(["verify", "--data", copy.path])
                #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
            }
        }
    }
}
