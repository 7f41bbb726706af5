import Foundation
import Testing
import TestSupport

@Suite("qoe check")
struct CheckTests {
    @Test("prints a line for people for each broken level, and for each level when it is asked")
    func lines() throws {
        let folder = try TemporaryFolder()
        let qoe = BuiltProgram("qoe")
        let data = folder.path("data")
        let body = #"{"events": [{"videoId": "v", "cdnRegion": "eu", "stalls": 0, "stalledMs": 0, "watchedMs": 1000}]}"#
        try body.write(toFile: folder.path("play.json"), atomically: false, encoding: .utf8)
        let load = [
            "load", "--any-time", "--data", data, "--received-at", "2026-11-29T12:00:00Z", folder.path("play.json"),
        ]
        #expect(try qoe.run(load).status == 0)
        let levels = folder.path("levels.txt")
        try "plays > 1 by cdnRegion\nfailure_ratio < 0.5\n".write(toFile: levels, atomically: false, encoding: .utf8)

        let words = ["check", "--data", data, "--slo", levels, "--day", "2026-11-29"]
        let broken = "broken: plays > 1 by cdnRegion (2026-11-29, eu): plays is 1\n"
        let some = try qoe.run(words)
        #expect(some.status == 1)
        #expect(some.output == broken)
        let all = try qoe.run(words + ["--all"])
        #expect(all.status == 1)
        #expect(
            all.output == broken
                + "uncertain: failure_ratio < 0.5 (2026-11-29): failure_ratio is 0, 95 % interval ? to ?\n")
        // No plays are a failure, unless they are meant.
        let none = ["check", "--data", data, "--slo", levels, "--last", "1h"]
        let missing = try qoe.run(none)
        #expect(missing.status == 1)
        #expect(missing.output.split(separator: "\n").allSatisfy { $0.hasPrefix("no plays: ") })
        #expect(try qoe.run(none + ["--allow-empty"]).status == 0)
        let json = try qoe.run(words + ["--format", "json", "--all"])
        #expect(json.status == 1 && json.output.contains(#""outcome": "uncertain""#))
    }
}
