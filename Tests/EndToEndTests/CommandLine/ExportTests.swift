import Foundation
import Testing
import TestSupport

@Suite("qoe export")
struct ExportTests {
    @Test("ends with 73 where an export of another kind is, leaves it as it is, and replaces it when it is told to")
    func otherKind() throws {
        let folder = try TemporaryFolder()
        let qoe = BuiltProgram("qoe")
        let data = folder.path("data")
        let body = #"{"events": [{"videoId": "v", "cdnRegion": "=1", "stalls": 0, "stalledMs": 0, "watchedMs": 1000}]}"#
        try body.write(toFile: folder.path("play.json"), atomically: false, encoding: .utf8)
        #expect(try qoe.run(["load", "--data", data, folder.path("play.json")]).status == 0)
        let export = ["export", "--data", data, "--output", folder.path("csv")]
        #expect(try qoe.run(export).output == "1 day, 1 computed anew, 0 cells changed\n")
        let summary = try String(contentsOfFile: folder.path("csv/summary.csv"), encoding: .utf8)
        #expect(summary.contains(",'=1,1,"))

        let refused = try qoe.run(export + ["--by", "network"])
        #expect(refused.status == 73)
        #expect(
            refused.errors == "qoe: \(folder.path("csv")) holds an export of groups by cdnRegion, "
                + "not groups by network: name another folder, or put this one in its place with --replace\n")
        #expect(try String(contentsOfFile: folder.path("csv/summary.csv"), encoding: .utf8) == summary)

        let other = folder.path("other")
        #expect(try qoe.run(["load", "--data", other, folder.path("play.json")]).status == 0)
        let elsewhere = try qoe.run(["export", "--data", other, "--output", folder.path("csv")])
        #expect(elsewhere.status == 73 && elsewhere.errors.contains("an export of another data directory or store: "))
        // The same directory by another name.
        #expect(try qoe.run(["export", "--data", data + "/../data/", "--output", folder.path("csv")]).status == 0)

        #expect(try qoe.run(export + ["--by", "network", "--replace"]).status == 0)
        let replaced = try String(contentsOfFile: folder.path("csv/summary.csv"), encoding: .utf8)
        #expect(replaced.hasPrefix("period,network,"))
    }
}
