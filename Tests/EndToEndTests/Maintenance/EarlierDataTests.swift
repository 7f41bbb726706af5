import Foundation
import TestSupport
import Testing

@Suite("The data directory of an earlier version")
struct EarlierDataTests {
    private let folder: TemporaryFolder
    private let data: String
    private let qoe = BuiltProgram("qoe")

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path("data")
        try Checkout.copyEarlierData(to: data)
    }

    /// What 0.1.0 itself said of all of its plays.
    private static let figures = [
        "plays": "741", "started": "722", "measured": "721", "startup_p50_ms": "441", "startup_p95_ms": "1584",
        "startup_within_target_ratio": "0.791956", "watched_ms": "17149446", "rebuffer_ratio": "0.000878",
        "stalls_per_hour": "2.099193", "failure_ratio": "0.012146", "exits_before_start_ratio": "0.005398",
        "sessions": "16", "data_per_session_mean_bytes": "232006944", "data_per_session_p50_bytes": "167363767",
        "data_per_session_p95_bytes": "677552799", "memory_p50_bytes": "233156357", "memory_p95_bytes": "281554687",
        "late": "0",
    ]

    private func expectFigures() throws {
        let report = try qoe.run(["report", "--data", data, "--format", "csv"])
        #expect(report.status == 0, "\(report.errors)")
        let lines = report.output.split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let all = try #require(lines.last { $0.contains("(all)") })
        let cells = Dictionary(uniqueKeysWithValues: zip(lines[0].map(String.init), all.map(String.init)))
        for (name, value) in Self.figures { #expect(cells[name] == value, "\(name)") }
    }

    private func expectWell() throws {
        let result = try qoe.run(["verify", "--data", data])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("742 plays, 74 repeats (1 with other content)"))
        #expect(result.output.contains("all is well"))
    }

    @Test("is served after its database was raised in place, said in one line, with all of its plays and their figures")
    func served() throws {
        let server = try ServerProcess(data: data)
        try server.waitForFollower()
        #expect(server.log.split(separator: "\n").count { $0.contains("database raised") } == 1, "\(server.log)")
        try expectFigures()
        try expectWell()
        #expect(server.stop() == 0)
        let again = try ServerProcess(data: data)
        #expect(!again.log.contains("database raised"))
        #expect(again.stop() == 0)
        #expect(try qoe.run(["rebuild", "--data", data]).status == 0)
        try expectFigures()
        try expectWell()
    }

    @Test("gets a database that was built beside its own, which need not be raised then")
    func beside() throws {
        let built = try qoe.run(["rebuild", "--data", data, "--beside"])
        #expect(built.status == 0, "\(built.errors)")
        #expect(built.output.hasPrefix("742 plays, 74 repeats (1 with other content)"), "\(built.output)")
        let server = try ServerProcess(data: data)
        try server.waitForFollower()
        #expect(try server.count(logged: "database put in place") == 1)
        #expect(try server.count(logged: "database raised") == 0)
        #expect(server.stop() == 0)
        try expectFigures()
        try expectWell()
    }

    @Test("is loaded into and pruned with a line about its database, and reported on with a line as long as nobody did")
    func commands() throws {
        let report = try qoe.run(["report", "--data", data])
        #expect(report.status == 78 && report.output.isEmpty)
        #expect(report.errors.contains("has layout 1, this program needs 5"), "\(report.errors)")
        #expect(report.errors.split(separator: "\n").count == 1)
        let prune = try qoe.run(["prune", "--data", data, "--keep-days", "36500"])
        #expect(prune.status == 0)
        #expect(prune.errors == "qoe: the database was raised in place from layout 1 to 5\n")
        try expectFigures()
        try expectWell()
    }
}
