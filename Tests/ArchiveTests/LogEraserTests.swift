import Foundation
import Gzip
import PlaybackEvents
import TestSupport
import Testing

@testable import Archive

@Suite("A padded member")
struct PaddedMemberTests {
    private let text = Array(String(repeating: "{\"a\":1}\n", count: 40).utf8)

    @Test(
        "has any length that is asked for, and inflates to the same",
        arguments: Array(0...40) + [8_190, 8_191, 8_192, 8_193, 8_194, 8_195, 8_200, 65_535, 70_001, 1_000_003])
    func lengths(missing: Int) throws {
        for member in [LineCompressor().member(text), GzipCompressor(level: 9).member(text)] {
            let padded = try #require(PaddedMember.padded(member, to: member.count + missing))
            #expect(padded.count == member.count + missing)
            #expect(try Gunzip.inflate(padded, limit: 1 << 20) == text)
            // What follows is met where it begins.
            #expect(try Gunzip.inflate(padded + member, limit: 1 << 20) == text + text)
        }
    }

    @Test("is taken by gzip itself")
    func gzip() throws {
        let folder = try TemporaryFolder()
        let member = LineCompressor().member(text)
        var file: [UInt8] = []
        for missing in [0, 1, 5, 6, 300, 9_000, 80_000] {
            file += try #require(PaddedMember.padded(member, to: member.count + missing))
        }
        try Data(file).write(to: URL(fileURLWithPath: folder.path("a.gz")))
        let result = try BuiltProgram.run("zcat", [folder.path("a.gz")])
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(result.output == String(repeating: String(decoding: text, as: UTF8.self), count: 7))
    }

    @Test("is none where the member is longer already")
    func tooLong() {
        let member = LineCompressor().member(text)
        #expect(PaddedMember.padded(member, to: member.count - 1) == nil)
    }
}

@Suite("A log of which lines are erased")
struct LogEraserTests {
    private let log: LogFixture
    private var eraser: LogEraser { LogEraser(log.paths, files: LogFixture.unsynced.files) }

    init() throws {
        log = try LogFixture()
    }

    private func segment() throws -> SegmentName {
        try #require(SegmentList(directory: log.paths.archive, kind: .plays).segments.first)
    }

    /// Replaces lines that contain a text.
    private func make(_ text: String, by other: String = "{}") throws -> LogEraser.Made {
        try eraser.make(segment()) { member in
            let lines = String(decoding: member.lines, as: UTF8.self).split(separator: "\n")
            let changed = lines.count { $0.contains(text) }
            if changed == 0 { return nil }
            let new = lines.map { ($0.contains(text) ? other : String($0)) + "\n" }.joined()
            return ([Array(new.utf8)], changed)
        }
    }

    private let texts = (0..<30).map { #"{"n":\#($0),"x":"\#(String(repeating: "ab", count: $0))"}"# }

    @Test("keeps the place of every other line, its length, and what gzip makes of it")
    func positions() throws {
        try log.commit(texts)
        let before = try log.files().map { try log.read($0).count }
        let members = try log.follow(maxBytes: 1)
        #expect(try make("\"n\":7,").changed == 1)
        // Until it takes the other's place, nothing is to be seen of it.
        #expect(try log.follow() == log.follow(maxBytes: 1) && log.follow().texts == texts)
        try eraser.replace(segment())
        #expect(try log.files().map { try log.read($0).count } == before)
        var expected = texts
        expected[7] = "{}"
        let after = try log.follow(maxBytes: 1)
        #expect(after.texts == expected && after.end == members.end && after.damage.isEmpty)
        #expect(try ArchiveVerifier(log.paths).verify().findings.isEmpty)
        // A start takes it for whole, and goes on.
        try log.commit(["{\"n\":30}"])
        #expect(try log.follow().texts == expected + ["{\"n\":30}"])
    }

    @Test("is followed from any place within, by a reader that had the old file open as well")
    func readers() throws {
        try log.commit(texts)
        let reader = LogReader(directory: log.paths.archive)
        let first = try #require(try reader.next(after: .beginning, maxBytes: 1))
        _ = try make("\"n\":7,")
        try eraser.replace(segment())
        let rest = try LogFixture.follow(reader, from: first.end)
        #expect(rest.texts == Array(texts.dropFirst()))
        #expect(try log.follow(from: first.end).texts.count == texts.count - 1)
    }

    @Test("is as it was when the process dies before the new file has its place, and nothing is left")
    func leftovers() throws {
        try log.commit(texts)
        _ = try make("\"n\":7,")
        let folder = log.paths.archive + "/" + (try segment().folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
        #expect(try ArchiveVerifier(log.paths).verify().findings.isEmpty)
        try eraser.removeMade()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        // To be put into its place once more is no fault.
        try eraser.replace(segment())
        #expect(try log.follow().texts == texts)
    }

    /// Text that can't be compressed: so many random numbers, the same in every run.
    private static func digits(_ numbers: Int) -> String {
        var generator = SeededGenerator(seed: 34)
        return (0..<numbers).map { _ in String(generator.next()) }.joined()
    }

    @Test("is left alone where a line would become longer than there is room for")
    func tooLong() throws {
        try log.commit(texts)
        let random = Self.digits(4_000)
        #expect(throws: LogEraser.TooLong.self) { try make("\"n\":7,", by: random) }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: log.paths.archive + "/" + segment().folder).count == 1)
    }

    @Test("takes two members for one where a line is too long for its own, but not where a reader stands")
    func joined() throws {
        try log.commit(texts)
        let random = Self.digits(3)
        let size = try log.read(log.files()[0]).count
        #expect(try make("\"n\":0,", by: random).changed == 1)
        try eraser.replace(segment())
        #expect(try log.read(log.files()[0]).count == size)
        #expect(try log.follow().texts == [random] + texts.dropFirst())
        #expect(try ArchiveVerifier(log.paths).verify().plays.members < texts.count)
        let positions = try Set(1...texts.count).reduce(into: Set<LogPosition>()) { positions, _ in
            var position = positions.max() ?? .beginning
            if let chunk = try LogReader(directory: log.paths.archive).next(after: position, maxBytes: 1) {
                position = chunk.end
            }
            positions.insert(position)
        }
        let careful = LogEraser(log.paths, positions: [.plays: positions], files: LogFixture.unsynced.files)
        #expect(throws: LogEraser.TooLong.self) {
            try careful.make(segment()) { member in
                let text = String(decoding: member.lines, as: UTF8.self)
                return text.contains("\"n\":9,") ? ([Array((random + "\n").utf8)], 1) : nil
            }
        }
    }

    @Test("goes on in a new file once its files are closed")
    func closedFiles() throws {
        try log.withCommitter { committer in
            try committer.commit(LogFixture.play("a"))
            try committer.closeFiles()
            try committer.commit(LogFixture.play("b"))
            #expect(committer.snapshot().commits == 2)
        }
        #expect(try log.files().count == 2)
        #expect(try log.follow().texts == ["a", "b"])
    }

    @Test("loses what was set aside of the days, and of no others")
    func damaged() throws {
        try log.commit(["a"])
        let name = try segment()
        let other = "plays-main-0000000009.ndjson.gz.0-9"
        for file in ["\(name.file).10-20", other] {
            try Data([1]).write(to: URL(fileURLWithPath: log.paths.damaged + "/" + file))
        }
        #expect(try eraser.removeDamaged(of: []) == [])
        try log.directory().manifest.append([
            .made(SegmentName(kind: .plays, node: .standard, sequence: 9, day: UTCDay(number: 1)))
        ])
        #expect(try eraser.removeDamaged(of: [name.day]) == ["damaged/\(name.file).10-20"])
        #expect(try log.paths.damagedFiles() == [other])
    }
}

@Suite("The folder of erasures")
struct EraseFolderTests {
    private let log: LogFixture
    private var folder: EraseFolder { EraseFolder(log.paths, files: LogFixture.unsynced.files) }

    init() throws {
        log = try LogFixture(made: true)
    }

    private let targets: [ErasureTarget] = [
        .session(Array("a \"b\" é".utf8)), .play(Identifier128(high: 1, low: 2)),
        .tag(name: Array("viewer".utf8), value: Array("x=y".utf8)),
    ]

    @Test("gives requests back as they were left, and knows which are still to be done")
    func requests() throws {
        #expect(try !folder.hasRequests && folder.requests().isEmpty)
        let requests = targets.map { EraseFolder.Request($0) }
        for request in requests { try folder.add(request) }
        #expect(Set(try folder.requests().map(\.target)) == Set(targets) && folder.hasRequests)
        // What was planned comes first, whatever its name.
        for request in requests {
            try folder.write("plan", request.id, .plan)
            #expect(try folder.requests().first?.id == request.id)
            try folder.remove(request.id, .plan)
        }
        for request in requests { try folder.remove(request.id, .request) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: log.paths.erase).isEmpty)
    }

    @Test("remembers who was erased without a name")
    func tombstones() throws {
        #expect(try folder.tombstones().isEmpty)
        for target in targets { #expect(try folder.add(target).contains(target)) }
        let read = try folder.tombstones()
        #expect(targets.allSatisfy { read.contains($0) } && !read.contains(.session(Array("c".utf8))))
        let text = try String(contentsOfFile: log.paths.erase + "/tombstones", encoding: .utf8)
        #expect(!text.contains("viewer") && text.split(separator: "\n").count == 4)
        // Another directory's hashes are others.
        #expect(Tombstones(targets[0]).hashes != read.hashes)
    }

    @Test("is refused where it can't be understood, rather than let anybody come back")
    func damage() throws {
        _ = try folder.add(targets[0])
        let path = log.paths.erase + "/tombstones"
        let whole = try String(contentsOfFile: path, encoding: .utf8)
        for text in ["", "nonsense\n", String(whole.dropLast(3)), whole + "session xyz\n"] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(throws: FileError.self, "\(text)") { try folder.tombstones() }
        }
        try whole.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(atPath: log.paths.erase + "/secret")
        #expect(throws: FileError.self) { try folder.tombstones() }
    }
}
