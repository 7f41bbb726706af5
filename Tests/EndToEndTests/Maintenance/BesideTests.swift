import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A database that is rebuilt beside a server")
struct BesideTests {
    private let folder: TemporaryFolder
    private let data: String
    private let qoe = BuiltProgram("qoe")

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path("data")
    }

    /// The databases in a directory; a reader may leave an empty log beside one.
    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter {
            $0.hasPrefix("qoe.sqlite") && !$0.hasPrefix("qoe.sqlite-")
        }
    }

    private func report(_ path: String) throws -> String {
        let report = try qoe.run(["report", "--data", path, "--format", "json", "--metric", "summary"])
        #expect(report.status == 0, "\(report.errors)")
        return report.output
    }

    @Test("is put in place at its next start, which then loads what has come since")
    func beside() throws {
        let server = try ServerProcess(data: data)
        func post() throws { #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202) }
        for _ in 0..<20 { try post() }
        try server.waitForFollower()
        let built = try qoe.run(["rebuild", "--data", data, "--beside"])
        #expect(built.status == 0, "\(built.errors)")
        #expect(built.output.hasPrefix("20 plays, 0 repeats"), "\(built.output)")
        for _ in 0..<3 { try post() }
        try server.waitForFollower()
        #expect(server.stop() == 0)
        let before = try report(data)

        let next = try ServerProcess(data: data)
        try next.waitForFollower()
        #expect(try next.count(logged: "database put in place") == 1)
        #expect(try next.metric("qoe_plays_loaded_total") == 23)
        #expect(next.stop() == 0)
        #expect(try names(data) == ["qoe.sqlite"])
        #expect(try report(data) == before)
        let verified = try qoe.run(["verify", "--data", data])
        #expect(verified.status == 0, "\(verified.output)")
    }

    @Test("has nothing twice and lacks nothing while plays come in, whenever that was")
    func busy() throws {
        let server = try ServerProcess(data: data)
        let group = DispatchGroup()
        let isOver = Atomic(false)
        let sent = Atomic(0)
        let port = server.port
        Thread.inGroup(group) {
            let connection = try LoopbackConnection(port: port)
            while !isOver.load(ordering: .relaxed) {
                let body = SampleBatch.body(ids: (0..<20).map { _ in SampleBatch.newId() })
                guard try connection.post(ServerProcess.eventsPath, Array(body.utf8)).status == 202 else { continue }
                sent.add(20, ordering: .relaxed)
            }
        }
        for _ in 0..<5 {
            let built = try qoe.run(["rebuild", "--data", data, "--beside"])
            #expect(built.status == 0, "\(built.errors)")
        }
        isOver.store(true, ordering: .relaxed)
        group.wait()
        #expect(server.stop() == 0)
        let next = try ServerProcess(data: data)
        try next.waitForFollower()
        #expect(try next.count(logged: "database put in place") == 1)
        #expect(sent.load(ordering: .relaxed) > 0)
        #expect(try next.metric("qoe_plays_loaded_total") == Double(sent.load(ordering: .relaxed)))
        #expect(try next.metric("qoe_plays_duplicate_total") == 0)
        #expect(next.stop() == 0)
        let verified = try qoe.run(["verify", "--data", data])
        #expect(verified.status == 0, "\(verified.output)")
    }

    @Test("serves a database of a layout that no program raises, as soon as it starts anew")
    func otherLayout() throws {
        let lines = SampleBatch.body(ids: [SampleBatch.newId(), SampleBatch.newId()])
        try lines.write(toFile: folder.path("lines"), atomically: true, encoding: .utf8)
        #expect(try qoe.run(["load", "--data", data, folder.path("lines")]).status == 0)
        let before = try report(data)
        let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 99')"
        #expect(try BuiltProgram.run("python3", ["-c", script, data + "/qoe.sqlite"]).status == 0)
        #expect(try qoe.run(["report", "--data", data]).status == 78)
        #expect(try qoe.run(["rebuild", "--data", data, "--beside"]).status == 0)
        let server = try ServerProcess(data: data)
        #expect(server.stop() == 0)
        #expect(try report(data) == before)
    }

    @Test(
        "is there, or the one before it is, whatever the call at which a start is killed that puts it in place",
        arguments: ["unlink", "rename", "fsync"])
    func killed(call: String) throws {
        let lines = SampleBatch.body(ids: (0..<5).map { _ in SampleBatch.newId() })
        try lines.write(toFile: folder.path("lines"), atomically: true, encoding: .utf8)
        #expect(try qoe.run(["load", "--data", data, folder.path("lines")]).status == 0)
        let before = try report(data)
        #expect(try qoe.run(["rebuild", "--data", data, "--beside"]).status == 0)
        let copy = folder.path("copy")
        var ends = 0
        for number in 1...200 {
            try? FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: data, toPath: copy)
            // Without the filter in the kernel: with it, strace 6.1 injects signals now and then only.
            let inject = [
                "--follow-forks", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                "inject=\(call):signal=KILL:when=\(number)",
            ]
            let words = ["load", "--data", copy, folder.path("lines")]
            let wasKilled = try BuiltProgram.run("strace", inject + [qoe.path] + words).status != 0
            let again = try qoe.run(words)
            #expect(again.status == 0, "\(call) \(number): \(again.errors)")
            #expect(try names(copy) == ["qoe.sqlite"], "\(call) \(number)")
            #expect(try report(copy) == before, "\(call) \(number)")
            let verified = try qoe.run(["verify", "--data", copy])
            #expect(verified.status == 0, "\(call) \(number): \(verified.output)")
            if !wasKilled { break }
            ends = number
        }
        #expect(ends >= (call == "rename" ? 1 : 5))
    }

    @Test("goes with the embedded store alone")
    func usage() throws {
        let shared = try qoe.run(["rebuild", "--data", data, "--beside", "--store", "clickhouse://127.0.0.1:1/qoe"])
        #expect(shared.status == 64 && shared.errors.contains("--beside goes with neither"), "\(shared.errors)")
        #expect(try qoe.run(["rebuild", "--data", data, "--beside"]).status == 66)
    }
}
