import Foundation
import TestSupport
import Testing

@Suite("qoe-simulate")
struct ProgramTests {
    private let program = BuiltProgram("qoe-simulate")

    @Test(
        "says in one line what is wrong with its options",
        arguments: [
            ([], "--to URL or --output FILE"),
            (["--output", "a", "--to", "http://localhost"], "exclude each other"),
            (["--output", "a.gz"], "gzip"),
            (["--output", "a", "--days", "0"], "1 to 366"),
            (["--output", "a", "--from", "2026-02-30"], "2026-11-28"),
            (["--output", "a", "--lifecycle", "pool"], "reuse_pool"),
            (["--output", "a", "--speed", "slow"], "max or real"),
            (["--output", "a", "--speed", "real"], "--to"),
            (["--to", "localhost:8080"], "http://127.0.0.1:8080"),
            (["--output", "a", "--session", "3"], "did you mean --sessions?"),
        ])
    func usage(arguments: [String], says: String) throws {
        let result = try program.run(arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains(says), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(result.output.isEmpty)
    }

    @Test("writes the same lines into a file and to standard output, and no other file")
    func output() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("plays.ndjson")
        let options = ["--sessions", "3", "--seed", "5", "--days", "1"]
        let filed = try program.run(["--output", path] + options)
        #expect(filed.status == 0)
        #expect(filed.output.isEmpty)
        #expect(filed.errors.contains("sessions"))
        let printed = try program.run(["--output=-"] + options)
        #expect(printed.status == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == printed.output)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["plays.ndjson"])
    }

    @Test("says that it can't write, and that nothing answers")
    func unavailable() throws {
        let folder = try TemporaryFolder()
        let nowhere = try program.run(["--output", folder.path("no/such/folder"), "--sessions", "1"])
        #expect(nowhere.status == 73)
        let silent = try program.run(["--to", "http://127.0.0.1:1", "--sessions", "1"])
        #expect(silent.status == 69)
        #expect(silent.errors.contains("is the server running?"))
    }

    @Test("tells its version, and every option in its help")
    func help() throws {
        #expect(try program.run(["--version"]).output.hasPrefix("qoe-simulate "))
        let help = try program.run(["--help"]).output
        for option in ["to", "output", "sessions", "seed", "days", "from", "lifecycle", "write-key", "speed"] {
            #expect(help.contains("--\(option) "))
        }
        #expect(help.contains("QOE_WRITE_KEY"))
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
}
