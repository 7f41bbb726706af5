import Foundation
import Testing
import TestSupport

@Suite("A server that is killed while it makes plays of reports")
struct KilledFoldTests {
    /// 2026-11-29T00:00:00Z, ms since 1970.
    private static let midnight: Int64 = 1_795_910_400_000
    /// Three hours lie between them, so that the plays of each day are a commit of their own.
    private static let plays = 4_000
    private static let step: Int64 = 3 * 3_600_000
    private static let kills = 50

    /// A data directory that has reports and no plays yet, as a server leaves it that dies before it has looked at any.
    private func fill(_ data: String) throws {
        let day = data + "/reports/day=2026-11-29"
        try FileManager.default.createDirectory(atPath: day, withIntermediateDirectories: true)
        var lines = ""
        for number in 0..<Self.plays {
            let received = Self.midnight + (Int64(number) - Int64(Self.plays)) * Self.step
            let states: [(String, Int64)] = [("s", 0), ("p", 400), ("r", 2_400), ("p", 2_900), ("e", 5_400)]
            let reports = states.enumerated().map { sn, state in
                #"{"ts":\#(received - 6_000 + state.1),"sn":\#(sn),"e":"ps","sta":"\#(state.0)","cid":"c","sid":"s\#(number)"}"#
            }
            lines += #"{"reports":[\#(reports.joined(separator: ","))],"receivedAt":\#(received),"requestId":""#
            lines += String(repeating: "0", count: 24) + String(10_000_000 + number) + "\"}\n"
        }
        let last = Self.midnight + 80_000
        lines += #"{"receivedAt":\#(last),"requestId":"\#(String(repeating: "1", count: 32))"}"# + "\n"
        let file = day + "/reports-main-0000000001.ndjson"
        try lines.write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try BuiltProgram.run("gzip", [file]).status == 0)
    }

    private func archivedBytes(_ data: String) throws -> Int {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: data).filter { $0.hasPrefix("archive/day=") }
        return paths.reduce(0) { sum, path in
            let size = try? FileManager.default.attributesOfItem(atPath: "\(data)/\(path)")[.size] as? Int
            return sum + (path.hasSuffix(".gz") ? size ?? 0 : 0)
        }
    }

    /// The names of the plays in the archive; of a torn end as much as can be read.
    private func archivedPlays(_ data: String) throws -> [Substring] {
        let archived = try BuiltProgram.run("sh", ["-c", "zcat \(data)/archive/*/*.gz"]).output
        return archived.split(separator: "\n").compactMap { $0.firstMatch(of: /"playId":"([^"]*)"/)?.1 }
    }

    @Test("archives and stores each play once, wherever it died between the two logs")
    func once() throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        try fill(data)
        var random = SeededGenerator(seed: 8)
        var between = 0
        for number in 0..<Self.kills {
            let before = try archivedBytes(data)
            let server = try ServerProcess(data: data)
            // Not before it has committed plays; and once in a while it stops in good order and notes how far it has come.
            try waitUntil("plays to be archived") { try archivedBytes(data) > before }
            usleep(.random(in: 0...8_000, using: &random))
            if number % 10 == 9 { #expect(server.stop() == 0) } else { server.kill() }
            let archived = try archivedPlays(data).count
            if archived > 0, archived < Self.plays { between += 1 }
        }
        #expect(between == Self.kills, "it came to its end after \(between)")
        let server = try ServerProcess(data: data)
        try waitUntil("the plays to be made") { try server.metric("qoe_cmcd_lag_bytes") == 0 }
        try server.waitForFollower()
        #expect(server.stop() == 0)

        let names = try archivedPlays(data)
        #expect(names.count == Self.plays && Set(names).count == Self.plays)
        let counts = try StoredPlays(data: data).counts()
        #expect(counts.count == Self.plays && counts.values.allSatisfy { $0 == 1 })
        let verify = try BuiltProgram("qoe").run(["verify", "--data", data])
        #expect(verify.status == 0, "\(verify.output)")
    }
}
