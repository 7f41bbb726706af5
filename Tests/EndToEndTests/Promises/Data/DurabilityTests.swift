import Foundation
import Testing
import TestSupport

@Suite("A 202")
struct DurabilityTests {
    private let folder: TemporaryFolder
    private var data: String { folder.path("data") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("is sent after its events are written and synced, with a new file's own name and its folder's")
    func order() throws {
        let recording = folder.path("calls")
        let server = try ServerProcess(
            data: data, wrapper: Strace.recorder("openat,pwrite64,fsync,fdatasync,sendmsg", to: recording))
        for _ in 0..<2 { #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202) }
        #expect(server.stop() == 0)
        try waitUntil("strace to end") { try String(contentsOfFile: recording, encoding: .utf8).contains("exit") }

        let archive = data + "/archive"
        let calls = try Strace.calls(in: recording).filter { $0.contains("<\(archive)") || $0.contains("HTTP/1.1 202") }
        let kinds = calls.compactMap { call -> String? in
            let name = call.prefix { $0 != "(" }
            guard call.contains(" = ") && !call.contains(" = -1"), name != "openat" else { return nil }
            if call.contains("HTTP/1.1 202") { return "202" }
            if call.contains("/.probe") { return nil }
            if call.contains("manifest>") { return "\(name) manifest" }
            if call.contains(".ndjson.gz>") { return "\(name) file" }
            return call.contains("/day=") ? "\(name) day" : "\(name) archive"
        }
        let first = [
            "pwrite64 file", "fsync file", "fsync day", "fsync archive", "pwrite64 manifest", "fdatasync manifest",
            "202",
        ]
        let second = ["pwrite64 file", "fdatasync file", "202"]
        // Before them the manifest is made; after them it is told what the file has, which nobody waits for.
        #expect(Array(kinds.drop { $0 != first[0] }) == first + second + ["pwrite64 manifest"])
    }

    @Test("outlives a kill that comes right after it, whatever is sent next")
    func killed() throws {
        var ids: [String] = []
        for _ in 0..<5 {
            let server = try ServerProcess(data: data)
            let id = SampleBatch.newId()
            #expect(try server.post(SampleBatch.body(ids: [id])).status == 202)
            ids.append(id)
            let half = try server.connect()
            try half.send("POST \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{")
            server.kill()
        }
        try expectKeptAfterStart(ids, in: data, sent: 5)
    }

    @Test("is worth the same after a rebuild that was killed, however often")
    func rebuildKilled() throws {
        let server = try ServerProcess(data: data)
        let load = PlayLoad(eventsPerBatch: 500)
        load.run(port: server.port, connections: 2, until: 10_000) { load.stop() }
        try server.waitForFollower()
        #expect(server.stop() == 0)
        let qoe = BuiltProgram("qoe")
        var random = SeededGenerator(seed: 3)
        for _ in 0..<8 {
            let rebuild = Process()
            rebuild.executableURL = URL(fileURLWithPath: qoe.path)
            rebuild.arguments = ["rebuild", "--data", data]
            rebuild.standardOutput = FileHandle.nullDevice
            rebuild.standardError = FileHandle.nullDevice
            try rebuild.runWithSignals()
            usleep(UInt32.random(in: 0...400_000, using: &random))
            kill(rebuild.processIdentifier, SIGKILL)
            rebuild.waitUntilExit()
        }
        #expect(try qoe.run(["rebuild", "--data", data]).status == 0)
        try expectKept(load.acknowledged, in: data, sent: load.sent)
        #expect(try qoe.run(["verify", "--data", data]).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: data).filter { $0.hasPrefix("qoe.") }
        #expect(names.sorted().first == "qoe.sqlite" && !names.contains { $0.contains("rebuilt") })
    }
}
