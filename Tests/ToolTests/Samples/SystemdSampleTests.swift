import Foundation
import TestSupport
import Testing

@Suite("The sample units for systemd", .tools)
struct SystemdSampleTests {
    private static let units = [
        ("systemd", "qoe.service"), ("timer", "qoe-export.service"), ("timer", "qoe-export.timer"),
        ("timer", "qoe-failed@.service"),
    ]

    @Test("are units that systemd takes without a word", arguments: units)
    func verify(sample: String, unit: String) throws {
        let folder = try SampleConfigFolder(sample)
        if unit.hasSuffix(".service"), !unit.contains("@") {
            try folder.edit(unit, [("/usr/local/bin/qoe", BuiltProgram("qoe").path)])
        }
        let result = try BuiltProgram.run("systemd-analyze", ["verify", "--man=no", folder.path(unit)])
        #expect(result.status == 0)
        #expect(result.errors.isEmpty, "\(result.errors)")
    }

    @Test(
        "leave a service little to do harm with: 1.5 of 10 at most",
        arguments: units.filter { $0.1.hasSuffix(".service") && !$0.1.contains("@") })
    func exposure(sample: String, unit: String) throws {
        let folder = try SampleConfigFolder(sample)
        let result = try BuiltProgram.run(
            "systemd-analyze", ["security", "--offline=yes", "--threshold=15", "--no-pager", folder.path(unit)])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test("start the program with words that it knows")
    func words() throws {
        for (sample, unit) in Self.units where unit.hasSuffix(".service") && !unit.contains("@") {
            let text = try SampleConfigFolder(sample).text(unit)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
            let words = line.split(separator: " ").dropFirst().map(String.init)
            let help = try BuiltProgram("qoe").run([words[0], "--help"])
            #expect(help.status == 0, "there is no qoe \(words[0])")
            for word in words.dropFirst() where word.hasPrefix("--") {
                #expect(help.output.contains("  \(word) "), "qoe \(words[0]) has no \(word)")
            }
            for variable in text.matches(of: /Environment=(QOE_[A-Z_]+)=/) {
                #expect(help.output.contains("[\(variable.output.1)]"), "qoe \(words[0]) reads no \(variable.output.1)")
            }
        }
    }

    @Test("wake the export once a night")
    func calendar() throws {
        let timer = try SampleConfigFolder("timer").text("qoe-export.timer")
        let line = try #require(timer.split(separator: "\n").first { $0.hasPrefix("OnCalendar=") })
        let result = try BuiltProgram.run(
            "systemd-analyze", ["calendar", "--iterations=2", String(line.dropFirst("OnCalendar=".count))])
        #expect(result.status == 0)
        #expect(result.output.matches(of: /03:15:00 UTC/).count >= 2, "\(result.output)")
    }

    @Test("forbid no system call that a server makes, nor memory that is written and then run")
    func systemCalls() throws {
        let folder = try TemporaryFolder()
        let trace = folder.path("trace")
        let server = try ServerProcess(
            data: folder.path("data"), wrapper: ["strace", "--daemonize", "--follow-forks", "-qq", "-o", trace])
        for _ in 0..<3 {
            #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202)
            #expect(try server.post(#"{"events":[3]}"#).status == 400)
        }
        #expect(try server.admin("/readyz").status == 200)
        try server.waitForFollower()
        #expect(server.stop() == 0)

        let text = try String(contentsOfFile: trace, encoding: .utf8)
        let started = try #require(text.firstRange(of: "execve(")).upperBound
        let calls = text[started...].matches(of: /^\d+ +([a-z_0-9]+)\(/.anchorsMatchLineEndings())
        var made = Set(calls.map { String($0.output.1) })
        // SQLite's, as root alone.
        if geteuid() == 0 { made.remove("fchown") }
        #expect(made.contains("fdatasync") && made.contains("accept"))
        let service = try SampleConfigFolder("systemd").text("qoe.service")
        var allowed: Set<String> = []
        for line in service.split(separator: "\n") where line.hasPrefix("SystemCallFilter=") {
            let value = line.dropFirst("SystemCallFilter=".count)
            for set in value.drop(while: { $0 == "~" }).split(separator: " ") {
                let calls = try Self.calls(of: String(set))
                if value.hasPrefix("~") { allowed.subtract(calls) } else { allowed.formUnion(calls) }
            }
        }
        #expect(made.subtracting(allowed) == [])
        let executable = text[started...].split(separator: "\n").filter { line in
            (line.contains("mprotect(") && line.contains("PROT_EXEC"))
                || (line.contains("mmap(") && line.contains("PROT_WRITE|PROT_EXEC"))
        }
        #expect(executable == [])
    }

    /// The calls of one of systemd's sets, those of the sets in it too.
    private static func calls(of set: String) throws -> Set<String> {
        let result = try BuiltProgram.run("systemd-analyze", ["syscall-filter", "--no-pager", set])
        try #require(result.status == 0, "\(result.errors)")
        var calls: Set<String> = []
        for line in result.output.split(separator: "\n") where line.hasPrefix("    ") {
            let word = line.trimmingCharacters(in: .whitespaces)
            if word.hasPrefix("@") {
                calls.formUnion(try Self.calls(of: word))
            } else if !word.hasPrefix("#") {
                calls.insert(word)
            }
        }
        // What every filter of systemd lets through.
        return set == "@system-service" ? calls.union(try Self.calls(of: "@default")) : calls
    }
}

/// The files of one `qoe sample-config`, in a folder of their own, to be changed where they name this machine's things.
struct SampleConfigFolder {
    let folder: TemporaryFolder

    init(_ name: String) throws {
        folder = try TemporaryFolder()
        let result = try BuiltProgram("qoe").run(["sample-config", name, "--output", folder.path])
        try #require(result.status == 0, "\(result.errors)")
    }

    func path(_ file: String) -> String { folder.path(file) }

    func text(_ file: String) throws -> String {
        try String(contentsOfFile: path(file), encoding: .utf8)
    }

    /// Changes a file. Every text that is to be replaced must be there.
    func edit(_ file: String, _ changes: [(old: String, new: String)]) throws {
        var text = try text(file)
        for change in changes {
            try #require(text.contains(change.old), "\(file) has no \(change.old)")
            text = text.replacingOccurrences(of: change.old, with: change.new)
        }
        try text.write(toFile: path(file), atomically: true, encoding: .utf8)
    }
}
