import Foundation
import TestSupport
import Testing

@Suite("Several servers")
struct SeveralServersTests {
    private let folder: TemporaryFolder
    private let qoe = BuiltProgram("qoe")

    init() throws {
        folder = try TemporaryFolder()
    }

    private struct Request: Decodable {
        var receivedAt: Int64
    }

    /// Requests of two simulated days, in the order of their receipt, and a few that are bad.
    private func requests() throws -> [(receivedAt: Int64, line: String)] {
        let made = try BuiltProgram("qoe-simulate").run(["--output", folder.path("made"), "--sessions", "60"])
        try #require(made.status == 0, "\(made.errors)")
        var requests: [(Int64, String)] = []
        for line in try String(contentsOfFile: folder.path("made"), encoding: .utf8).split(separator: "\n") {
            let time = try JSONDecoder().decode(Request.self, from: Data(line.utf8)).receivedAt
            requests.append((time, String(line)))
            // Another app, of which an event in three is rejected.
            if requests.count % 20 == 0 {
                let events = [#"{"videoId":"v","stalls":0,"stalledMs":0,"watchedMs":9000}"#, "{}"]
                let body = #"{"events":[\#(events.joined(separator: ","))]}"#
                requests.append((time + 1, #"{"receivedAt":\#(time + 1),"body":\#(body)}"#))
            }
        }
        return requests.sorted { $0.0 < $1.0 }
    }

    private func load(_ lines: [(receivedAt: Int64, line: String)], into name: String, node: String) throws {
        let path = folder.path(name + ".lines")
        let text = lines.sorted { $0.receivedAt < $1.receivedAt }.map(\.line).joined(separator: "\n")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let loaded = try qoe.run(["load", "--data", folder.path(name), "--node", node, path])
        try #require(loaded.status == 0, "\(loaded.errors)")
    }

    private func files(_ names: [String]) -> [String] {
        names.flatMap { name in
            ["archive", "rejected"].flatMap { LogFolder(data: folder.path(name), $0).files() }
        }
    }

    /// Every file of a report, and what people read of delivery.
    private func report(_ name: String) throws -> [String: String] {
        let output = folder.path(name + ".report")
        try? FileManager.default.removeItem(atPath: output)
        let common = ["report", "--data", folder.path(name), "--by", "day,cdnRegion"]
        for words in [["--format", "csv"], ["--format", "json"], ["--format", "markdown"]] {
            let made = try qoe.run(common + ["--metric", "all", "--output", output] + words)
            try #require(made.status == 0, "\(made.errors)")
        }
        var files: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: output) {
            files[file] = try String(contentsOfFile: output + "/" + file, encoding: .utf8)
        }
        return files
    }

    @Test("loaded into one directory report, byte for byte, what one server would that had got everything, and once")
    func together() throws {
        let all = try requests()
        var (one, first, second) = (all, [all[0]], [all[0]])
        (first, second) = ([], [])
        for (index, request) in all.enumerated() {
            if index % 2 == 0 { first.append(request) } else { second.append(request) }
            // Sent again to the other server, since the answer was lost.
            guard index % 10 == 0, let body = request.line.firstRange(of: #","body""#) else { continue }
            let time = request.receivedAt + 1_500
            let again = (time, #"{"receivedAt":\#(time)"# + request.line[body.lowerBound...])
            one.append(again)
            second.append(again)
        }
        try load(one, into: "one", node: "main")
        try load(first, into: "first", node: "a")
        try load(second, into: "second", node: "b")

        let central = folder.path("central")
        // The second server's files first: the time of receipt decides, not the order of the words.
        let loaded = try qoe.run(["load", "--data", central] + files(["second", "first"]))
        #expect(loaded.status == 0, "\(loaded.errors)")
        let expected = try report("one")
        #expect(expected.count >= 24)
        func expectSame() throws {
            let found = try report("central")
            #expect(found.keys.sorted() == expected.keys.sorted())
            for (name, text) in expected { #expect(found[name] == text, "\(name) differs") }
            let verified = try qoe.run(["verify", "--data", central])
            #expect(verified.status == 0, "\(verified.output)")
        }
        try expectSame()

        let again = try qoe.run(["load", "--data", central] + files(["first", "second"]))
        #expect(again.status == 0 && again.output.contains("0 new plays, 0 repeats, 0 rejected"), "\(again.output)")
        #expect(again.output.contains("of archives that are here already"))
        try expectSame()
        #expect(try qoe.run(["rebuild", "--data", central]).status == 0)
        try expectSame()

        // From cold storage: the files alone, through a pipe, into a directory of their own.
        let cold = try BuiltProgram.run(
            "sh", ["-c", #"cat "$@" | "$0" load --data "$QOE_COLD" -"#, qoe.path] + LogFolder(data: central).files(),
            environment: ["QOE_COLD": folder.path("cold")])
        #expect(cold.status == 0, "\(cold.errors)")
        let summary = try report("cold")["summary.csv"]
        #expect(summary == expected["summary.csv"])
    }
}
