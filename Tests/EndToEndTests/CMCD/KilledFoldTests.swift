import Foundation
import Testing
import TestSupport

@Suite("A server that is killed while it makes plays of reports")
struct KilledFoldTests {
    /// 2026-11-29T00:00:00Z, ms since 1970.
    private static let midnight: Int64 = 1_795_910_400_000
    private static let plays = 3_000
    /// `QOE_FOLD_KILLS=50 make test` tries longer.
    private static let kills = ProcessInfo.processInfo.environment["QOE_FOLD_KILLS"].flatMap { Int($0) } ?? 8

    /// A data directory that has reports and no plays yet, as a server leaves it that dies before it has looked at any.
    private func fill(_ data: String) throws {
        let day = data + "/reports/day=2026-11-29"
        try FileManager.default.createDirectory(atPath: day, withIntermediateDirectories: true)
        var lines = ""
        for number in 0..<Self.plays {
            let received = Self.midnight + Int64(number) * 1_000
            let states: [(String, Int64)] = [("s", 0), ("p", 400), ("r", 2_400), ("p", 2_900), ("e", 5_400)]
            let reports = states.enumerated().map { sn, state in
                #"{"ts":\#(received - 6_000 + state.1),"sn":\#(sn),"e":"ps","sta":"\#(state.0)","cid":"c","sid":"s\#(number)"}"#
            }
            lines += #"{"reports":[\#(reports.joined(separator: ","))],"receivedAt":\#(received),"requestId":""#
            lines += String(repeating: "0", count: 24) + String(10_000_000 + number) + "\"}\n"
        }
        let last = Self.midnight + Int64(Self.plays) * 1_000 + 80_000
        lines += #"{"receivedAt":\#(last),"requestId":"\#(String(repeating: "1", count: 32))"}"# + "\n"
        let file = day + "/reports-main-0000000001.ndjson"
        try lines.write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try BuiltProgram.run("gzip", [file]).status == 0)
    }

    @Test("archives and stores each play once, wherever it died between the two logs")
    func once() throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        try fill(data)
        var random = SeededGenerator(seed: 8)
        for _ in 0..<Self.kills {
            let server = try ServerProcess(data: data)
            usleep(.random(in: 1_000...700_000, using: &random))
            server.kill()
        }
        let server = try ServerProcess(data: data)
        try waitUntil("the plays to be made") { try server.metric("qoe_cmcd_lag_bytes") == 0 }
        try server.waitForFollower()
        #expect(server.stop() == 0)

        let archived = try BuiltProgram.run("sh", ["-c", "zcat \(data)/archive/*/*.gz"]).output
        let names = archived.split(separator: "\n").compactMap { $0.firstMatch(of: /"playId":"([^"]*)"/)?.1 }
        #expect(names.count == Self.plays && Set(names).count == Self.plays)
        let counts = try StoredPlays(data: data).counts()
        #expect(counts.count == Self.plays && counts.values.allSatisfy { $0 == 1 })
        let verify = try BuiltProgram("qoe").run(["verify", "--data", data])
        #expect(verify.status == 0, "\(verify.output)")
    }
}
