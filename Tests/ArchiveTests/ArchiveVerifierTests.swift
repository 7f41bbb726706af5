import Archive
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The verifier")
struct ArchiveVerifierTests {
    let fixture: LogFixture
    let file = "day=2026-11-30/plays-main-0000000001.ndjson.gz"
    let a = LogFixture.member(["a"])

    init() throws {
        fixture = try LogFixture(made: true)
    }

    private func findings() throws -> [ArchiveFinding] {
        try ArchiveVerifier(fixture.paths).verify().findings
    }

    private func damage(_ range: Range<Int>, _ kind: LogDamage.Kind, folder: String = "archive/") -> ArchiveFinding {
        let range = Int64(range.lowerBound)..<Int64(range.upperBound)
        return .damage(LogDamage(file: folder + file, range: range, kind: kind))
    }

    @Test("counts files, members, lines and bytes of a good archive, and finds nothing")
    func good() throws {
        var configuration = LogFixture.unsynced
        configuration.segmentBytes = 70
        try fixture.withCommitter(configuration) { committer in
            for index in 0..<5 {
                try committer.commit(
                    LogLines(
                        plays: Array("play \(index)\nsame\n".utf8), rejected: index == 3 ? Array("x\n".utf8) : [],
                        receivedAt: LogFixture.noon))
            }
        }
        let seen = Mutex<[String]>([])
        let last = Mutex<Int64>(0)
        let report = try ArchiveVerifier(fixture.paths).verify { kind, lines in
            seen.withLock { $0.append("\(kind) \(lines.count)") }
        } progress: { done, total in
            #expect(done <= total)
            last.withLock { #expect($0 < done) }
            last.withLock { $0 = done }
        }
        #expect(report.findings == [])
        #expect(report.plays.files == (try fixture.files().count))
        #expect(report.plays.members == 5)
        #expect(report.plays.lines == 10)
        #expect(report.plays.lineBytes == 60)
        #expect(report.plays.end == (try fixture.follow().end))
        #expect(report.rejected.lines == 1)
        #expect(last.withLock { $0 } == report.plays.bytes + report.rejected.bytes)
        #expect(seen.withLock { $0 } == Array(repeating: "plays 12", count: 5) + ["rejected 2"])
    }

    @Test("finds nothing wrong in an empty data directory")
    func empty() throws {
        #expect(try ArchiveVerifier(fixture.paths).verify() == ArchiveReport())
    }

    @Test("names a torn tail")
    func tornTail() throws {
        try fixture.write(a + a.dropLast(5), file)
        #expect(try findings() == [damage(a.count..<2 * a.count - 5, .tornMember)])
    }

    @Test("names a tail of zeros")
    func zeroTail() throws {
        try fixture.write(a + [UInt8](repeating: 0, count: 100), file)
        #expect(try findings() == [damage(a.count..<a.count + 100, .zeros)])
    }

    @Test("names a member with a flipped byte, wherever the byte is", arguments: [0, 1, 2, 11, -1, -5])
    func flipped(index: Int) throws {
        try fixture.write(a + a + a, file)
        try fixture.alter(file) { $0[a.count + (index < 0 ? a.count + index : index)] ^= 0x10 }
        let kind: LogDamage.Kind = (0...1).contains(index) ? .garbage : .badMember
        #expect(try findings() == [damage(a.count..<2 * a.count, kind)])
    }

    @Test("names a hole between members, of zeros or of something else")
    func hole() throws {
        try fixture.write(a + [UInt8](repeating: 0, count: 9) + a + Array("hole".utf8) + a, file)
        #expect(
            try findings() == [
                damage(a.count..<a.count + 9, .zeros), damage(2 * a.count + 9..<2 * a.count + 13, .garbage),
            ])
    }

    @Test("names a bad byte of the quarantine too")
    func rejected() throws {
        let file = "day=2026-11-30/rejected-main-0000000001.ndjson.gz"
        try fixture.write(a + a, file, .rejected)
        try fixture.alter(file, .rejected) { $0[12] ^= 1 }
        let damage = LogDamage(file: "rejected/" + file, range: 0..<Int64(a.count), kind: .badMember)
        #expect(try findings() == [.damage(damage)])
    }

    @Test("names an empty file and missing files, but no pruned ones")
    func files() throws {
        for sequence in [4, 5, 7, 9] {
            try fixture.write(a, "day=2026-11-30/plays-main-000000000\(sequence).ndjson.gz")
        }
        try fixture.write([], "day=2026-11-30/plays-main-0000000012.ndjson.gz")
        let day = try #require(UTCDay("2026-11-29"))
        let names = (1...3).map { SegmentName(kind: .plays, node: .standard, sequence: $0, day: day) }
        try fixture.directory().manifest.append(names.map { .made($0) } + names.map { .removed($0, lines: 1) })
        #expect(
            try findings() == [
                .missing(.plays, 6...6), .missing(.plays, 8...8), .missing(.plays, 10...11),
                .emptyFile("archive/day=2026-11-30/plays-main-0000000012.ndjson.gz"),
            ])
    }

    @Test("names what does not belong there, hidden files apart")
    func strangers() throws {
        try fixture.write(a, file)
        let names = [
            "day=2026-11-30/plays-main-1.ndjson.gz", "day=2026-12-01/plays-main-0000000001.ndjson.gz",
            "day=2026-11-30/rejected-main-0000000002.ndjson.gz", "day=2026-02-30/plays-main-0000000003.ndjson.gz",
            "other/plays-main-0000000004.ndjson.gz",
        ]
        for name in names + [".hidden", "day=2026-11-30/.nfs01"] { try fixture.write(a, name) }
        let found = Set(try findings().map { "\($0)" })
        let expected =
            names[..<4].map { "archive/\($0): does not belong there" } + ["archive/other: does not belong there"]
        #expect(found == Set(expected))
    }

    @Test("names a member whose last line does not end, and an empty one")
    func unended() throws {
        let bytes = a + LogFixture.unended("b") + a + LogFixture.unended("")
        try fixture.write(bytes, file)
        let length = LogFixture.unended("b").count
        #expect(
            try findings() == [
                .unendedLine(file: "archive/" + file, range: Int64(a.count)..<Int64(a.count + length)),
                .unendedLine(
                    file: "archive/" + file, range: Int64(2 * a.count + length)..<Int64(bytes.count)),
            ])
    }

    @Test("takes a write under way for none of these")
    func beside() throws {
        try fixture.withCommitter { committer in
            let threads = Threads()
            threads.start {
                for index in 0..<400 { try? committer.commit(LogFixture.play("play \(index)")) }
            }
            var lines = 0
            while lines < 400 {
                let report = try ArchiveVerifier(fixture.paths).verify()
                #expect(report.findings == [])
                #expect(report.plays.lines >= lines)
                lines = report.plays.lines
            }
            threads.join()
        }
    }

    @Test("names a bad last member beside a server too")
    func badTailBeside() throws {
        try fixture.withCommitter { committer in
            try committer.commit(LogFixture.play("a"))
            try committer.commit(LogFixture.play("a"))
            try fixture.alter(file) { $0[a.count + 12] ^= 1 }
            #expect(try findings() == [damage(a.count..<2 * a.count, .badMember)])
        }
    }
}
