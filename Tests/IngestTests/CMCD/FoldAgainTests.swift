import Archive
import Foundation
import Ingest
import PlaybackEvents
import Testing
import TestSupport

@Suite("Plays from reports, made anew")
struct FoldAgainTests {
    /// Noon, four days ago.
    private static let noon = (Int64(Date().timeIntervalSince1970) / 86_400 - 4) * 86_400_000 + 43_200_000
    private let folder: TemporaryFolder
    private var data: String { folder.path("data") }

    init() throws {
        folder = try TemporaryFolder()
        var file = #"{"receivedAt":\#(Self.noon - 1),"body":\#(SampleBatch.body([SampleBatch.event()]))}"# + "\n"
        for number in 0..<12 {
            let start = Self.noon + Int64(number) * 100_000
            let states: [(String, Int64)] = [("s", 0), ("p", 400), ("e", 5_400)]
            let reports = states.enumerated().map { sn, state in
                #"sta=\#(state.0),sn=\#(sn),ts=\#(start + state.1),sid=\"s\#(number)\",cid=\"c\""#
            }
            file += #"{"receivedAt":\#(start + 6_000),"cmcd":"\#(reports.joined(separator: #"\n"#))"}"# + "\n"
        }
        file += #"{"receivedAt":\#(Self.noon + 5_000_000),"body":\#(SampleBatch.body([SampleBatch.event()]))}"# + "\n"
        try file.write(toFile: folder.path("lines"), atomically: false, encoding: .utf8)
        try qoe("load", folder.path("lines"))
    }

    @discardableResult
    private func qoe(_ command: String, _ more: String...) throws -> String {
        let result = try BuiltProgram("qoe").run([command, "--data", data] + more)
        #expect(result.status == 0, "\(command): \(result.errors)\(result.output)")
        return result.output
    }

    private func lines() throws -> [String] {
        var lines: [String] = []
        _ = try ArchiveVerifier(DataPaths(data)).verify(visit: { kind, bytes in
            if kind == .plays { lines += bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) } }
        })
        return lines
    }

    /// Puts other lines into the archive's only file, as another rule would have written them.
    private func rewrite(_ change: ([String]) -> [String]) throws {
        let list = try SegmentList(directory: DataPaths(data).archive, kind: .plays)
        let path = list.path(of: try #require(list.segments.first))
        try #require(list.segments.count == 1)
        let text = change(try lines()).map { $0 + "\n" }.joined()
        try text.write(toFile: folder.path("text"), atomically: false, encoding: .utf8)
        let zipped = try BuiltProgram.run("sh", ["-c", "gzip -c \(folder.path("text")) > \(path)"])
        #expect(zipped.status == 0)
    }

    @Test("are the same where no rule has changed")
    func unchanged() throws {
        let before = try lines()
        let said = try qoe("fold", "--again", "--into", folder.path("new"))
        #expect(
            said == "12 plays of reports before, 12 after, 0 changed, 0 left since their reports are not all there\n")
        try qoe("rebuild", "--archive", folder.path("new"))
        #expect(try lines() == before && before.count == 14)
        #expect(FileManager.default.fileExists(atPath: data + "/archive.before/manifest"))
        #expect(try qoe("verify").contains("all is well"))
    }

    @Test("keep their places, and what is missing comes back, beside other lines as they are")
    func mended() throws {
        let right = try lines()
        try rewrite { lines in
            // One has another figure, one is missing, and one is of no reports at all.
            lines.filter { !$0.contains(#""sessionId":"s7""#) }.map { line in
                line.contains(#""sessionId":"s3""#)
                    ? line.replacing(#""watchedMs":5000"#, with: #""watchedMs":4000"#) : line
            }
        }
        try #require(try lines() != right)
        let said = try qoe("fold", "--again", "--into", folder.path("new"))
        #expect(
            said == "11 plays of reports before, 12 after, 2 changed, 0 left since their reports are not all there\n")
        try qoe("rebuild", "--archive", folder.path("new"))
        let after = try lines()
        let (mine, others) = (
            after.filter { !$0.contains(#""sessionId":"s7""#) }, right.filter { !$0.contains(#""sessionId":"s7""#) }
        )
        #expect(mine == others)
        #expect(after.sorted() == right.sorted())
        #expect(try qoe("verify").contains("all is well"))
    }

    @Test("are those of the archive alone behind the place up to which they are known to be archived")
    func behindThePlaces() throws {
        let right = try lines()
        try rewrite { lines in
            lines.filter { !$0.contains(#""sessionId":"s7""#) }.map { line in
                line.contains(#""sessionId":"s3""#)
                    ? line.replacing(#""watchedMs":5000"#, with: #""watchedMs":4000"#) : line
            }
        }
        // As a server leaves it that is killed before it notes how far it has come.
        var positions = try #require(try FoldPositions.read(DataPaths(data)))
        (positions.from, positions.written) = (.beginning, .beginning)
        try positions.write(DataPaths(data))
        let said = try qoe("fold", "--again", "--into", folder.path("new"))
        #expect(
            said == "11 plays of reports before, 11 after, 1 changed, 0 left since their reports are not all there\n")
        try qoe("rebuild", "--archive", folder.path("new"))
        #expect(try lines() == right.filter { !$0.contains(#""sessionId":"s7""#) })
    }

    @Test("are left as they are where their reports are gone")
    func pruned() throws {
        let before = try lines()
        let list = try SegmentList(directory: DataPaths(data).reports, kind: .reports)
        try FileManager.default.removeItem(atPath: list.path(of: try #require(list.segments.first)))
        let said = try qoe("fold", "--again", "--into", folder.path("new"))
        #expect(
            said == "12 plays of reports before, 12 after, 0 changed, 12 left since their reports are not all there\n")
        let other = try BuiltProgram("qoe").run(["fold", "--data", data, "--again", "--into", folder.path("new")])
        #expect(other.status == 74 && other.errors.contains("Directory not empty"))
        try qoe("rebuild", "--archive", folder.path("new"))
        #expect(try lines() == before)
    }

    @Test("need a folder of the same directory, and words that say what is wanted")
    func refused() throws {
        let usage = try BuiltProgram("qoe").run(["fold", "--data", data, "--into", folder.path("new")])
        #expect(usage.status == 64 && usage.errors.contains("--again"))
        let rebuild = try BuiltProgram("qoe").run(["rebuild", "--data", data, "--archive", folder.path("nothing")])
        #expect(rebuild.status == 74 && rebuild.errors.contains("of which it is no copy"))
        #expect(try lines().count == 14)
    }

    @Test("can't be made once reports are pruned, which takes old files and leaves those that are needed")
    func prune() throws {
        #expect(try !qoe("prune", "--keep-days", "36500", "--reports", "36500").contains("reports"))
        // The newest file stays, whatever its day.
        #expect(try !qoe("prune", "--keep-days", "36500", "--reports", "0").contains("reports"))
        let later = Self.noon + 3 * 86_400_000
        let report = #"sta=p,sn=0,ts=\#(later),sid=\"z\",cid=\"c\""#
        try #"{"receivedAt":\#(later),"cmcd":"\#(report)"}"#.write(
            toFile: folder.path("more"), atomically: false, encoding: .utf8)
        try qoe("load", folder.path("more"))
        #expect(try qoe("prune", "--keep-days", "36500", "--reports", "0").contains(" of players' reports"))
        #expect(try qoe("verify").contains("all is well"))
    }
}
