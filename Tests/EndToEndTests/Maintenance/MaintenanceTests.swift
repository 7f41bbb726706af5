import Foundation
import Testing
import TestSupport

@Suite("The commands that mend a data directory")
struct MaintenanceTests {
    private let folder: TemporaryFolder
    private let data: String
    private let qoe = BuiltProgram("qoe")

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path("data")
    }

    private static let good = #"{"videoId":"v1","stalls":0,"stalledMs":0,"watchedMs":20000}"#

    private func run(_ words: String...) throws -> BuiltProgram.Result {
        try qoe.run([words[0], "--data", data] + words.dropFirst())
    }

    private func load(_ body: String, at time: String = "2026-11-29T10:00:00Z") throws {
        try body.write(toFile: folder.path("body.json"), atomically: true, encoding: .utf8)
        #expect(try run("load", "--any-time", "--received-at", time, folder.path("body.json")).status == 0)
    }

    @Test("find all well beside a server under load")
    func verifyUnderLoad() throws {
        let server = try ServerProcess(data: data)
        let port = server.port
        let load = PlayLoad(eventsPerBatch: 6)
        let group = DispatchGroup()
        group.enter()
        Thread.detachNewThread {
            load.run(port: port, connections: 4, until: .max) {}
            group.leave()
        }
        for _ in 0..<3 {
            let result = try run("verify")
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(result.output.hasSuffix("all is well\n"))
        }
        load.stop()
        group.wait()
        #expect(load.acknowledged.count > 0)
    }

    @Test("name damage by file and bytes, and end with 1")
    func verifyDamage() throws {
        try load(#"{"events":[\#(Self.good)]}"#)
        let file = data + "/archive/day=2026-11-29/plays-main-0000000001.ndjson.gz"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        let result = try run("verify")
        #expect(result.status == 1)
        let position = "archive/day=2026-11-29/plays-main-0000000001.ndjson.gz: bytes 0–\(bytes.count)"
        #expect(result.output.contains("wrong: \(position)"))
    }

    @Test("judge rejected events again, once, and say what became of them")
    func replay() throws {
        try load(#"{"context":{"sessionId":"s1"},"events":[{},\#(Self.good)]}"#)
        let rejected = try run("replay-rejected")
        #expect(rejected.status == 0)
        #expect(
            rejected.output
                == "1 rejected events: 0 accepted now, 0 replayed before, 1 rejected again (missing 1)\n")
        let other = try run("replay-rejected", "--code", "bad_format")
        #expect(other.output == "0 rejected events: 0 accepted now, 0 replayed before, 0 rejected again\n")
        let wrong = try run("replay-rejected", "--code", "nonsense")
        #expect(wrong.status == 64 && wrong.errors.contains("stalled_without_stalls"))
    }

    @Test("remove old days, and tell how many plays and files they were")
    func prune() throws {
        try load(#"{"events":[\#(Self.good)]}"#, at: "2020-02-29T10:00:00Z")
        try load(#"{"events":[\#(Self.good)]}"#, at: String(Int(Date().timeIntervalSince1970) * 1_000))
        let result = try run("prune", "--keep-days", "30", "--archive")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("removed 1 play of days before "))
        #expect(result.output.contains(" 1 file ("))
        #expect(LogFolder(data: data).days().count == 1)
        let verified = try run("verify")
        #expect(verified.status == 0, "\(verified.output)")
        #expect(try run("prune").status == 64)
        #expect(try run("prune", "--keep-days", "0").status == 64)
    }

    @Test("leave a directory alone that a server has, and one that is none")
    func refused() throws {
        let server = try ServerProcess(data: data)
        for words in [["replay-rejected"], ["prune", "--keep-days", "1"]] {
            let busy = try qoe.run([words[0], "--data", data] + words.dropFirst())
            #expect(busy.status == 75 && busy.errors.contains("is in use"))
            let none = try qoe.run([words[0], "--data", folder.path("none")] + words.dropFirst())
            #expect(none.status == 66)
        }
        #expect(server.stop() == 0)
        #expect(try qoe.run(["verify", "--data", folder.path("none")]).status == 66)
        #expect(!FileManager.default.fileExists(atPath: folder.path("none")))
    }
}
