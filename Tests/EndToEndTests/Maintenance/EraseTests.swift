import Foundation
import Testing
import TestSupport

@Suite("Erasing a viewer")
struct EraseTests {
    private let folder: TemporaryFolder
    private let data: String
    private let qoe = BuiltProgram("qoe")
    private static let session = "viewer-0815"
    private static let mine = (0..<6).map { _ in SampleBatch.newId() }

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path("data")
    }

    private func run(_ words: String...) throws -> BuiltProgram.Result {
        try qoe.run([words[0], "--data", data] + words.dropFirst())
    }

    /// Three days of others' plays, each with two of the session's and an event of it that is rejected.
    private func requests() throws -> String {
        let lines = (0..<3).map { day in
            let others = (0..<20).map { SampleBatch.event(nil, #""sessionId":"other-\#($0)","cdn":"fastly""#) }
            let own = Self.mine[2 * day..<2 * day + 2].map {
                SampleBatch.event($0, #""sessionId":"\#(Self.session)","cdn":"only-mine""#)
            }
            let rejected = #"{"sessionId":"\#(Self.session)"}"#
            let body = SampleBatch.body(others + own + [rejected])
            return #"{"receivedAt":\#(1_795_948_200_000 + day * 86_400_000),"body":\#(body)}"#
        }
        try lines.joined(separator: "\n").write(toFile: folder.path("lines"), atomically: true, encoding: .utf8)
        return folder.path("lines")
    }

    private func load() throws {
        #expect(try run("load", "--any-time", requests()).status == 0)
    }

    private func expectGone(_ when: String = "") throws {
        #expect(try FolderSearch.files(of: data, with: Self.mine + [Self.session, "only-mine"]) == [], "\(when)")
        let verified = try run("verify")
        #expect(verified.status == 0, "\(when): \(verified.output)")
    }

    /// The rows of reports that are about others.
    private func others() throws -> [[Substring]] {
        try ["startup", "summary", "rebuffering", "sessions", "failures"].map { metric in
            let report = try run("report", "--metric", metric, "--by", "day,cdn", "--format", "csv")
            #expect(report.status == 0, "\(report.errors)")
            return report.output.split(whereSeparator: \.isNewline).filter {
                !$0.contains("only-mine") && !$0.contains("(all)")
            }
        }
    }

    @Test("takes them from every file, says which, and leaves others' reports as they were to the byte")
    func command() throws {
        try load()
        let before = try others()
        let dry = try run("erase", "--session", Self.session, "--dry-run")
        #expect(dry.status == 0 && dry.output.contains("erased 6 plays: 6 rows of the store, 6 lines in 3 files"))
        #expect(try run("plays", "--session", Self.session).status == 0)
        let erased = try run("erase", "--session", Self.session)
        #expect(erased.status == 0, "\(erased.errors)")
        #expect(
            erased.output.hasPrefix(
                "erased 6 plays: 6 rows of the store, 6 lines in 3 files of the archive, 3 lines in 3 files of the quarantine, "
            ))
        #expect(erased.output.contains("\narchive/day=2026-11-29/plays-main-0000000001.ndjson.gz\n"))
        try expectGone()
        #expect(try others() == before)
        #expect(try run("plays", "--session", Self.session).status == 1)
        #expect(try run("rebuild").status == 0)
        #expect(try others() == before)
        try load()
        #expect(try run("replay-rejected").status == 0)
        try expectGone("sent again")
    }

    @Test("is listed by the next export as what changed")
    func export() throws {
        try load()
        let output = folder.path("csv")
        #expect(try run("export", "--output", output, "--by", "cdn").status == 0)
        #expect(try run("erase", "--session", Self.session).status == 0)
        #expect(try run("export", "--output", output, "--by", "cdn").status == 0)
        let changes = try String(contentsOfFile: output + "/changes.csv", encoding: .utf8)
        #expect(changes.split(whereSeparator: \.isNewline).filter { $0.contains("only-mine") }.count > 3)
    }

    @Test("by nobody, by two at once, or by what is no name, is refused in one line")
    func usage() throws {
        try load()
        for words in [[], ["--session", "a", "--play", "b"], ["--play", "b"], ["--tag", "a"], ["--session", ""]] {
            let result = try qoe.run(["erase", "--data", data] + words)
            #expect(result.status == 64 && result.errors.split(separator: "\n").count == 1, "\(words) \(result.errors)")
        }
        #expect(try qoe.run(["erase", "--data", folder.path("nothing"), "--session", "a"]).status == 66)
    }

    @Test("beside a server under load takes nothing from others")
    func underLoad() throws {
        try load()
        let server = try ServerProcess(data: data)
        let load = PlayLoad(eventsPerBatch: 6)
        let group = load.start(port: server.port, connections: 4)
        let erased = try run("erase", "--session", Self.session)
        #expect(erased.status == 0 && erased.output.hasPrefix("erased 6 plays: 6 rows"), "\(erased.errors)")
        load.stop()
        group.wait()
        #expect(server.stop() == 0)
        try expectGone()
        #expect(!load.acknowledged.isEmpty)
        let stored = try run("plays", "--limit", "100000", "--format", "csv").output
        let words = Set(stored.split { $0 == "," || $0.isNewline })
        let missing = load.acknowledged.filter { !words.contains(Substring($0)) }
        #expect(missing == [])
    }

    @Test("of a hundred thousand plays takes hardly more memory of a server than of one")
    func memory() throws {
        let lines = (0..<100).map { number in
            let events = (0..<1_000).map { play in
                SampleBatch.event(SampleBatch.newId(), #""tags":{"all":"yes"},"cdn":"c\#(play)""#)
            }
            return #"{"receivedAt":\#(1_795_948_200_000 + number * 60_000),"body":\#(SampleBatch.body(events))}"#
        }
        let one = SampleBatch.body([SampleBatch.event(Self.mine[0], #""tags":{"one":"yes"}"#)])
        let file = folder.path("many")
        try (lines + [#"{"receivedAt":1795948200000,"body":\#(one)}"#]).joined(separator: "\n")
            .write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try run("load", "--any-time", file).status == 0)
        let server = try ServerProcess(data: data)
        #expect(try run("erase", "--tag", "one=yes").output.hasPrefix("erased 1 play:"))
        let before = server.peakBytes
        #expect(try run("erase", "--tag", "all=yes").output.hasPrefix("erased 100000 plays: 100000 rows"))
        let grown = server.peakBytes - before
        #expect(grown < 48 << 20, "\(grown) bytes")
        #expect(server.stop() == 0)
    }

    @Test("beside a server that is killed at random is finished by one that starts, and loses nothing of others")
    func killedServer() throws {
        try load()
        let load = PlayLoad(eventsPerBatch: 3)
        var random = SeededGenerator(seed: 7)
        for round in 0..<6 {
            let server = try ServerProcess(data: data)
            let group = load.start(port: server.port, connections: 2)
            let command = Process()
            command.executableURL = URL(fileURLWithPath: qoe.path)
            command.arguments = ["erase", "--data", data, "--play", Self.mine[round]]
            command.standardOutput = FileHandle.nullDevice
            command.standardError = FileHandle.nullDevice
            try command.runWithSignals()
            usleep(UInt32.random(in: 0...1_800_000, using: &random))
            server.signal(SIGKILL)
            _ = try server.waitForExit()
            // The command finds that nobody has the directory any more, and does it itself, unless it dies, too.
            if round % 2 == 0 { command.interrupt() }
            command.waitUntilExit()
            load.stop()
            group.wait()
        }
        let erased = try run("erase", "--session", Self.session)
        #expect(erased.status == 0, "\(erased.errors)")
        try expectGone()
        let stored = try run("plays", "--limit", "100000", "--format", "csv").output
        let words = Set(stored.split { $0 == "," || $0.isNewline })
        #expect(load.acknowledged.filter { !words.contains(Substring($0)) } == [])
    }

    @Test(
        "killed at any call is done by the next, and nothing of others is lost",
        arguments: ["rename", "fsync", "pwrite64"])
    func killed(call: String) throws {
        let tracing = [
            "--follow-forks", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
        ]
        var before: [[Substring]]?
        for number in stride(from: 1, to: 400, by: call == "pwrite64" ? 11 : 2) {
            try? FileManager.default.removeItem(atPath: data)
            try load()
            before = try before ?? others()
            let command = [qoe.path, "erase", "--data", data, "--session", Self.session]
            let killed = try BuiltProgram.run(
                "strace", tracing + ["inject=\(call):signal=KILL:when=\(number)"] + command)
            if killed.status == 0 { break }
            // Readers see one of two states.
            #expect(try others() == before, "\(call) \(number)")
            let again = try run("erase", "--session", Self.session)
            #expect(again.status == 0, "\(call) \(number): \(again.errors)")
            try expectGone("\(call) \(number)")
            #expect(try others() == before, "\(call) \(number)")
        }
    }
}
