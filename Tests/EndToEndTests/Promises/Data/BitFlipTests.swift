import Foundation
import Testing
import TestSupport

/// What `qoe verify` is for: whatever bit of the database has changed, no report that differs is called well.
@Suite("A bit that flips in the database")
struct BitFlipTests {
    /// `make soak` asks for more, and for other ones each time.
    private static let flips = ProcessInfo.processInfo.environment["QOE_BIT_FLIPS"].flatMap { Int($0) } ?? 60

    private let folder: TemporaryFolder
    private let qoe = BuiltProgram("qoe")
    private var data: String { folder.path("data") }
    private var database: URL { URL(fileURLWithPath: data + "/qoe.sqlite") }

    /// Some hundred plays with everything that the database has a table for.
    init() throws {
        folder = try TemporaryFolder()
        let start: Int64 = 1_795_948_200_000  // 2026-11-29T10:30:00Z
        var random = SeededGenerator(seed: 11)
        var lines: [String] = []
        for request in 0..<120 {
            let receivedAt = start + Int64(request) * 400_000
            let events = (0..<4).map { index in Self.event(request, index, &random) }
            let sender =
                #"{"senderId":"sender-\#(request % 9)","sequence":\#(request / 9),"made":\#(request),"dropped":1,"rejected":0}"#
            let batch =
                #"{"context":{"sessionId":"s\#(request % 40)","cdn":"c\#(request % 3)","network":"wifi"},"sender":\#(sender),"events":[\#(events.joined(separator: ","))]}"#
            lines.append(#"{"receivedAt":\#(receivedAt),"body":\#(batch)}"#)
        }
        try lines.joined(separator: "\n").write(toFile: folder.path("plays"), atomically: true, encoding: .utf8)
        let loaded = try qoe.run(["load", "--data", data, folder.path("plays")])
        #expect(loaded.status == 0, "\(loaded.errors)")
        #expect(!FileManager.default.fileExists(atPath: database.path + "-wal"))
    }

    private static func event(_ request: Int, _ index: Int, _ random: inout SeededGenerator) -> String {
        // Now and then one that is rejected.
        if request % 17 == 3, index == 0 { return "{}" }
        let stalls = Int.random(in: 0...2, using: &random)
        var members = [
            #""videoId":"clip-\#(Int.random(in: 0..<30, using: &random))""#, #""stalls":\#(stalls)"#,
            #""stalledMs":\#(stalls * 700)"#, #""watchedMs":\#(Int.random(in: 2_000...90_000, using: &random))"#,
            #""cdnRegion":"region-\#(Int.random(in: 0..<6, using: &random))""#,
            #""playerStalls":\#(stalls),"playerStalledMs":\#(stalls * 690)"#,
        ]
        // A few come twice, some with other content.
        let number = request * 4 + index - (index == 3 && request % 5 == 4 ? 12 : 0)
        let id = String(format: "01930000-0000-7000-8000-%012d", number)
        if index != 1 { members.append(#""playId":"\#(id)""#) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: break
        case 1: members.append(#""ageMs":\#(Int.random(in: 8_000_000...90_000_000, using: &random))"#)
        default: members.append(#""ageMs":\#(Int.random(in: 0...60_000, using: &random))"#)
        }
        if Int.random(in: 0..<10, using: &random) > 0 {
            members.append(#""startupMs":\#(Int.random(in: 80...4_000, using: &random))"#)
        }
        if Int.random(in: 0..<5, using: &random) > 0 {
            members.append(#""avgBitrate":\#(Int.random(in: 300_000...9_000_000, using: &random))"#)
        } else {
            members.append(#""bytes":\#(Int.random(in: 0...40_000_000, using: &random))"#)
        }
        if Int.random(in: 0..<8, using: &random) == 0 {
            members.append(#""error":{"domain":"Network","code":\#(Int.random(in: 1..<5, using: &random))}"#)
        }
        members.append(#""memoryBytes":\#(Int.random(in: 50_000_000...400_000_000, using: &random))"#)
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The files of all reports, nil where they can't be made.
    private func reports(_ name: String) throws -> [String: Data]? {
        let result = try qoe.run([
            "report", "--data", data, "--by", "day,cdnRegion", "--metric", "all", "--format", "csv", "--output",
            folder.path(name),
        ])
        guard result.status == 0 else { return nil }
        var files: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path(name)) {
            files[file] = try Data(contentsOf: URL(fileURLWithPath: folder.path(name) + "/" + file))
        }
        return files
    }

    private func verify() throws -> BuiltProgram.Result { try qoe.run(["verify", "--data", data]) }

    @Test("is found by verify whenever it changes a report or keeps it from being made")
    func flips() throws {
        let sound = try Data(contentsOf: database)
        let before = try #require(try reports("before"))
        #expect(before.count >= 7)
        #expect(try verify().status == 0)
        let used = sound.indices.filter { sound[$0] != 0 }
        let isSoak = ProcessInfo.processInfo.environment["QOE_BIT_FLIPS"] != nil
        let seed = isSoak ? UInt64(Date().timeIntervalSince1970) : 7
        var random = SeededGenerator(seed: seed)
        var changed = 0
        for number in 0..<Self.flips {
            // Most of so small a file is empty: every other bit is one of a byte that is not.
            let byte =
                number % 2 == 0
                ? Int.random(in: sound.indices, using: &random) : used[Int.random(in: used.indices, using: &random)]
            let bit = UInt8.random(in: 0..<8, using: &random)
            var flipped = sound
            flipped[byte] ^= 1 << bit
            try flipped.write(to: database)
            let after = try reports("after")
            try? FileManager.default.removeItem(atPath: folder.path("after"))
            let result = try verify()
            if after != before {
                changed += 1
                #expect(
                    result.status != 0 && result.status < 128 && !result.output.contains("all is well"),
                    "bit \(bit) of byte \(byte), seed \(seed): verify says \(result.status), \(result.output)\(result.errors)"
                )
            }
            for companion in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.path + companion) }
        }
        try sound.write(to: database)
        #expect(try verify().status == 0)
        // Else the flips have shown nothing.
        #expect(changed >= Self.flips / 10, "\(changed) of \(Self.flips) changed a report")
        if isSoak { SoakPlan.report("\(changed) of \(Self.flips) bits changed a report, each was found") }
    }
}
