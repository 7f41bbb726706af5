import Foundation
import Testing
import TestSupport

@Suite("The command line of qoe")
struct CommandLineTests {
    private static let qoe = BuiltProgram("qoe")
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func play(_ name: String = "play.json") throws -> String {
        let path = folder.path(name)
        try #"{"events": [{"videoId": "v", "stalls": 0, "stalledMs": 0, "watchedMs": 1000}]}"#
            .write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    private var commands: [String] {
        get throws {
            let overview = try Self.qoe.run(["--help"]).output.split(separator: "\n")
            return overview.drop { $0 != "commands:" }.dropFirst().prefix { $0.hasPrefix("  ") }
                .map { String($0.dropFirst(2).prefix { $0 != " " }) }
        }
    }

    @Test("helps within a hundred columns, whichever way it is asked")
    func help() throws {
        let commands = try commands
        #expect(commands.count > 4)
        for command in commands {
            let help = try Self.qoe.run([command, "--help"])
            #expect(help.status == 0)
            #expect(try Self.qoe.run(["help", command]).output == help.output)
            #expect(try Self.qoe.run([command, "-h"]).output == help.output)
            for line in help.output.split(separator: "\n") {
                #expect(line.count <= 100, "\(command) --help: \(line)")
            }
        }
    }

    @Test("does not call it success when a result could not be written")
    func lostResult() throws {
        let data = folder.path("data")
        #expect(try Self.qoe.run(["load", "--data", data, try play()]).status == 0)
        for words in ["--help", "report --help", "report --data \(data)", "load --data \(data) \(try play())"] {
            for target in ["/dev/full", "&-"] {
                let result = try BuiltProgram.run("sh", ["-c", "\(Self.qoe.path) \(words) >\(target)"])
                #expect(result.status == 74, "qoe \(words) >\(target)")
                #expect(result.errors.hasPrefix("qoe: can't write to standard output: "))
            }
        }
    }

    @Test("writes into no file of its own when it is started without its standard streams")
    func closedStreams() throws {
        let data = folder.path("data")
        let bad = folder.path("bad.json")
        try "x".write(toFile: bad, atomically: false, encoding: .utf8)
        let command = "\(Self.qoe.path) load --data \(data) \(bad) \(try play())"
        let result = try BuiltProgram.run("sh", ["-c", "\(command) <&- >&- 2>&-"])
        #expect(result.status == 74)
        let lock = try String(contentsOfFile: "\(data)/lock", encoding: .utf8)
        #expect(!lock.contains("qoe"))
        #expect(!lock.contains("requests"))
        let verified = try Self.qoe.run(["verify", "--data", data])
        #expect(verified.status == 0, "\(verified.output)")
    }

    @Test("makes nothing where there is nothing to make a database of")
    func nothingToRebuild() throws {
        let result = try Self.qoe.run(["rebuild", "--data", folder.path("nowhere")])
        #expect(result.status == 66)
        #expect(result.errors.contains("there is no archive in \(folder.path("nowhere"))"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("nowhere")))
    }

    @Test("tells who is in the way, in one line, and to try later")
    func busy() throws {
        let server = try ServerProcess(data: folder.path("data"))
        for words in [
            ["serve", "--data", folder.path("data"), "--listen", ":0", "--admin-listen", ":0"],
            ["load", "--data", folder.path("data"), try play()],
            ["rebuild", "--data", folder.path("data")],
            ["serve", "--data", folder.path("other"), "--listen", ":\(server.port)", "--admin-listen", ":0"],
            ["serve", "--data", folder.path("other"), "--listen", ":0", "--admin-listen", ":\(server.port)"],
        ] {
            let result = try Self.qoe.run(words)
            #expect(result.status == 75, "\(words)")
            #expect(result.errors.split(separator: "\n").count == 1)
            #expect(result.errors.contains("in use"))
        }
    }

    @Test("names the variable, not the option, when a report's time zone comes from the environment")
    func zone() throws {
        let result = try Self.qoe.run(
            ["report", "--data", folder.path("data")], environment: ["QOE_TIME_ZONE": "Europe/Stokholm"])
        #expect(result.status == 78)
        #expect(result.errors.hasPrefix("qoe: QOE_TIME_ZONE: unknown time zone 'Europe/Stokholm': did you mean"))
    }

    @Test("refuses beside an experiment what says nothing of one")
    func experiment() throws {
        let words = ["report", "--data", folder.path("data"), "--compare", "tag:arm=a", "--sequential", "--since"]
        let values = [
            "day": "today", "from": "2026-11-01", "last": "7d", "by": "cdn", "adjust": "network",
            "metric": "startup", "sort": "plays", "limit": "2", "percentiles": "75", "error-classes": "none.txt",
        ]
        for (name, value) in values {
            let result = try Self.qoe.run(words + ["2026-11-01", "--\(name)", value])
            #expect(result.status == 64, "\(name)")
            #expect(result.errors.contains("leave --\(name) out"), "\(result.errors)")
        }
    }

    @Test("says in one line what is wrong, however the words are made")
    func oneLine() throws {
        let filters = (0..<3_000).flatMap { ["--where", "cdn!=\($0)"] }
        for (words, status) in [
            (["load", "--data", folder.path("data"), "no\nsuch\nfile"], 66), (["a\nb"], 64),
            (["report", "--data", folder.path("data")] + filters, 64),
        ] {
            let result = try Self.qoe.run(words)
            #expect(Int(result.status) == status)
            #expect(result.errors.split(separator: "\n").count == 1)
        }
    }

    @Test(
        "takes no time that no calendar has for a time of receipt",
        arguments: [
            "2026-02-30T00:00:00Z", "2026-11-29T24:00:00Z", "2026-11-29T18:00:60Z", "-1", "253402300800000", "today",
        ])
    func noTime(text: String) throws {
        let result = try Self.qoe.run(
            ["load", "--data", folder.path("data"), "--received-at", text, try play()])
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("qoe: --received-at \"\(text)\" should be a time such as"))
    }

    @Test("loads what standard input holds, compressed or not, as received now")
    func standardInput() throws {
        let data = folder.path("data")
        let loaded = try Self.qoe.run(
            ["load", "--data", data, "-"], input: try String(contentsOfFile: try play(), encoding: .utf8))
        #expect(loaded.status == 0)
        let pipe = try BuiltProgram.run(
            "sh", ["-c", "gzip <\(try play()) | \(Self.qoe.path) load --data \(data) -"])
        #expect(pipe.output == "1 request with 1 event: 1 new play, 0 repeats, 0 rejected\n")
        let report = try Self.qoe.run(["report", "--data", data, "--format", "csv"])
        #expect(report.output.contains(",(all),2,"))
        let bad = try Self.qoe.run(["load", "--data", data, "-"], input: "x")
        #expect(bad.status == 65)
        #expect(bad.errors.hasPrefix("qoe: standard input: invalid_json: "))
    }

    @Test("takes receipts that are mistakes as a rule only when any time is asked for")
    func anyTime() throws {
        let line = folder.path("line.ndjson")
        let body = try String(contentsOfFile: try play(), encoding: .utf8)
        try "{\"receivedAt\": 1796000000, \"body\": \(body)}\n".write(toFile: line, atomically: false, encoding: .utf8)
        let load = ["load", "--data", folder.path("data")]
        let refused = try Self.qoe.run(load + [line])
        #expect(refused.status == 65)
        #expect(refused.errors.hasPrefix("qoe: \(line): received on 1970-01-21: before 2000 (receivedAt is in ms"))
        #expect(refused.output.contains("0 new plays") && refused.output.contains("1 request not taken"))
        #expect(try Self.qoe.run(load + ["--any-time", line]).output.contains("1 new play"))
        let option = try Self.qoe.run(load + ["--received-at", "2999-01-01T00:00:00Z", try play()])
        #expect(option.status == 64)
        #expect(option.errors.contains("should lie between 2000 and tomorrow, unless --any-time is said"))
    }
}
