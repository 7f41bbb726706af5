import Foundation
import Testing
import TestSupport

@Suite("A command that is killed")
struct KilledCommandTests {
    private let folder: TemporaryFolder
    private let data: String
    private let qoe = BuiltProgram("qoe")

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path("data")
    }

    /// A file of requests, one of each of four days.
    private func requests() throws -> String {
        let lines = (0..<4).map { day in
            let body = SampleBatch.body(ids: [SampleBatch.newId(), SampleBatch.newId()])
            return #"{"receivedAt":\#(1_582_970_400_000 + day * 86_400_000),"body":\#(body)}"#
        }
        try lines.joined(separator: "\n").write(toFile: folder.path("lines"), atomically: true, encoding: .utf8)
        return folder.path("lines")
    }

    /// Runs a command that is killed as it makes the numbered one of those calls.
    ///
    /// - Returns: whether it came so far.
    private func kill(_ words: [String], at call: String, _ number: Int) throws -> Bool {
        // Not as a daemon: the command ends with what was done to it.
        // Nor with a filter in the kernel, by which strace 6.1 injects signals now and then only.
        let strace = [
            "--follow-forks", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=KILL:when=\(number)",
        ]
        return try BuiltProgram.run("strace", strace + [qoe.path] + words).status != 0
    }

    private func expectWhole(_ when: String) throws {
        let verified = try qoe.run(["verify", "--data", data])
        // What a killed load has archived is loaded by the next start.
        let wrong = verified.output.split(separator: "\n").filter {
            $0.hasPrefix("wrong:") && !$0.contains("the database lacks the last") && !$0.contains("torn member")
                && !$0.contains("empty, where a file has") && !$0.contains("what was written last stands in")
        }
        #expect(wrong == [], "\(when)")
        let again = try qoe.run(["load", "--data", data, folder.path("lines")])
        #expect(again.status == 0, "\(when): \(again.errors)")
        let afterwards = try qoe.run(["verify", "--data", data])
        #expect(afterwards.status == 0, "\(when): \(afterwards.output)")
    }

    @Test(
        "while it makes files, at any call, leaves a manifest that misses none",
        arguments: ["mkdir", "pwrite64", "fsync", "fdatasync"])
    func load(call: String) throws {
        for number in 1...500 {
            try? FileManager.default.removeItem(atPath: data)
            guard try kill(["load", "--data", data, requests()], at: call, number) else { break }
            guard FileManager.default.fileExists(atPath: data + "/qoe.sqlite") else { continue }
            try expectWhole("\(call) \(number)")
        }
    }

    @Test(
        "while it removes files, at any call, leaves a manifest that misses none, and counts that agree",
        arguments: ["rename", "truncate", "pwrite64", "fdatasync", "unlink"])
    func prune(call: String) throws {
        for number in 1...500 {
            try? FileManager.default.removeItem(atPath: data)
            #expect(try qoe.run(["load", "--data", data, requests()]).status == 0)
            guard try kill(["prune", "--data", data, "--keep-days", "30", "--archive"], at: call, number) else { break }
            let verified = try qoe.run(["verify", "--data", data])
            #expect(verified.status == 0, "\(call) \(number): \(verified.output)")
            #expect(try qoe.run(["prune", "--data", data, "--keep-days", "30", "--archive"]).status == 0)
            let afterwards = try qoe.run(["verify", "--data", data])
            #expect(afterwards.status == 0, "\(call) \(number): \(afterwards.output)")
            #expect(LogFolder(data: data).files().count == 1)
        }
    }
}
