import Archive
import Glibc
import Gzip
import Synchronization
import TestSupport
import Testing

@Suite("Compaction")
struct CompactionTests {
    private let fixture: LogFixture
    private let file = "day=2026-11-30/plays-main-0000000001.ndjson.gz"
    /// Every place between two commits of the first file.
    private let positions: [LogPosition]
    private static let commits = 120
    /// The text of each commit.
    private let texts: [String]

    /// Three days: the first has enough commits for three members, which resemble each other, and nothing in themselves.
    init() throws {
        let fixture = try LogFixture()
        var random = SeededGenerator(seed: 5)
        func digits(_ count: Int) -> String {
            (0..<count / 16).map { _ in String(UInt64.random(in: 0 ... .max, using: &random), radix: 16) }.joined()
        }
        let common = digits(18_000)
        let texts = (0..<Self.commits).map { _ in common + digits(2_000) }
        positions = try fixture.withCommitter { committer in
            var positions = [LogPosition(segment: 1, offset: 0)]
            for text in texts {
                try committer.commit(LogFixture.play(text))
                positions.append(committer.end(of: .plays))
            }
            for day in 1...2 {
                try committer.commit(LogFixture.play("day \(day)", at: LogFixture.noon + Int64(day) * LogFixture.dayMs))
            }
            return positions
        }
        self.texts = texts
        self.fixture = fixture
    }

    private static let third = UTCDay(holding: LogFixture.noon + 3 * LogFixture.dayMs)

    private func candidates(
        before day: UTCDay = third, readUpTo position: LogPosition = LogPosition(segment: 9, offset: 0)
    ) throws -> [String] {
        try LogCompactor(fixture.directory()).candidates(.plays, before: day, readUpTo: position).map(\.path)
    }

    @discardableResult
    private func compact(
        _ files: FileCalls = LogFixture.unsynced.files, free: Int64? = nil,
        isOver: @escaping @Sendable () -> Bool = { false }
    ) throws -> LogCompactor.Outcome {
        let directory = try fixture.directory(files)
        let compactor = LogCompactor(directory, freeBytes: { _ in free }, isOver: isOver)
        let position = LogPosition(segment: 9, offset: 0)
        return try compactor.compact(
            try #require(try compactor.candidates(.plays, before: Self.third, readUpTo: position).first))
    }

    private var allTexts: [String] { texts + ["day 1", "day 2"] }

    // MARK: What is in the file

    @Test("keeps every line in its place, in less room, under the same name; zcat sees no difference")
    func lines() throws {
        let before = try fixture.zcat()
        let manifest = try fixture.read("manifest")
        let size = Int64(try fixture.read(file).count)
        guard case .compacted(size, let after) = try compact() else { throw Failed() }
        #expect(after < size)
        #expect(after == Int64(try fixture.read(file).count))
        #expect(try fixture.zcat() == before)
        #expect(try fixture.inflated() == allTexts)
        #expect(try fixture.follow().texts == allTexts)
        #expect(try fixture.files().count == 3)
        #expect(try fixture.read("manifest") == manifest)
        let report = try ArchiveVerifier(fixture.paths).verify()
        #expect(report.findings == [])
        #expect(report.plays.lines == Self.commits + 2)
        #expect(report.plays.members == 5)
        #expect(report.plays.end == (try fixture.follow().end))
    }

    @Test("leaves every place where it was, to begin at and to end at")
    func everyPlace() throws {
        try compact()
        let reader = LogReader(directory: fixture.paths.archive)
        var generator = SeededGenerator(seed: 35)
        let indices = [0, 1, 2, 50, 51, 52, 53, 54, 55, 75, 104, 105, 106, 107, 108, 118, 119, 120]
        for index in indices.shuffled(using: &generator) {
            let position = positions[index]
            let rest = try LogFixture.follow(reader, from: position)
            #expect(rest.texts == Array(allTexts[index...]), "from \(position)")
            #expect(rest.damage == [])
            let first = try LogFixture.follow(reader, upTo: position)
            #expect(first.texts == Array(texts[..<index]), "up to \(position)")
            #expect(first.end == (index == 0 ? .beginning : position))
        }
        let (from, to) = (positions[7], positions[60])
        #expect(try LogFixture.follow(reader, from: from, upTo: to, maxBytes: 1).texts == Array(texts[7..<60]))
        #expect(try reader.next(after: to, upTo: to, maxBytes: 1) == nil)
    }

    @Test("keeps a reader that has the file open at its place")
    func openReader() throws {
        let reader = LogReader(directory: fixture.paths.archive)
        let first = try #require(try reader.next(after: .beginning, maxBytes: 1))
        try compact()
        #expect(try LogFixture.follow(reader, from: first.end).texts == Array(allTexts[1...]))
    }

    @Test("keeps commits without a line, and such as are a member by themselves")
    func empty() throws {
        let parts = [["a"], [], ["b", "c"]].map { LogFixture.member($0) }
        try fixture.write(parts.flatMap { $0 }, file)
        try compact()
        let end = Int64(parts[0].count + parts[1].count)
        #expect(try fixture.follow(from: LogPosition(segment: 1, offset: end)).texts.first == "b")
        #expect(try fixture.follow(from: LogPosition(segment: 1, offset: Int64(parts[0].count))).texts.first == "b")
        #expect(try fixture.follow().texts == ["a", "b", "c", "day 1", "day 2"])
    }

    // MARK: Which files

    @Test("is for closed files that all have read, but the newest two")
    func choice() throws {
        #expect(try candidates() == [file])
        #expect(try candidates(before: UTCDay(holding: LogFixture.noon)) == [])
        #expect(try candidates(readUpTo: LogPosition(segment: 1, offset: 1 << 40)) == [])
        try fixture.withCommitter { committer in
            try committer.commit(LogFixture.play("day 3", at: LogFixture.noon + 3 * LogFixture.dayMs))
        }
        #expect(try candidates() == [file, "day=2026-12-01/plays-main-0000000002.ndjson.gz"])
        let damaged = "plays-main-0000000001.ndjson.gz.100-200"
        try fixture.write([1], "../damaged/\(damaged)")
        #expect(try candidates() == ["day=2026-12-01/plays-main-0000000002.ndjson.gz"])
    }

    @Test("happens once")
    func once() throws {
        try compact()
        let compactor = LogCompactor(try fixture.directory())
        let list = try SegmentList(directory: fixture.paths.archive, kind: .plays)
        let compacted = try list.segments.map { try compactor.isCompacted($0) }
        #expect(compacted == [true, false, false])
    }

    @Test("leaves a file with damage, one whose last line does not end, and one for which there is no room")
    func left() throws {
        let needed = Int64(try fixture.read(file).count) + LogCompactor.reserveBytes
        let full = try compact(free: 100)
        #expect(full == .noRoom(needed: needed, free: 100))
        let interrupted = try compact(isOver: { true })
        #expect(interrupted == .interrupted)
        let whole = try fixture.read(file)
        try fixture.alter(file) { $0[1_000] ^= 1 }
        guard case .left(let reason) = try compact() else { throw Failed() }
        #expect(reason.contains("bad member"))
        try fixture.write(whole + LogFixture.unended("x"), file)
        guard case .left(let other) = try compact() else { throw Failed() }
        #expect(other.contains("does not end in LF"))
        try fixture.write(whole, file)
        #expect(try fixture.inflated() == allTexts)
        #expect(try hidden() == [])
    }

    private func hidden() throws -> [String] {
        var names: [String] = []
        guard let folder = opendir(fixture.paths.archive + "/day=2026-11-30") else { return names }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("."), name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    // MARK: Failures

    @Test(
        "leaves the old file or the new one, whichever of its calls fails",
        arguments: [ScriptedDisk.Call.write, .sync])
    func failing(call: ScriptedDisk.Call) throws {
        let old = try fixture.read(file)
        var failures = 0
        for number in 1...6 {
            try fixture.write(old, file)
            let disk = ScriptedDisk()
            let directory = try fixture.directory(disk.files)
            let compactor = LogCompactor(directory, freeBytes: { _ in nil })
            disk.fail(call, number, number % 2 == 0 && call == .write ? .short(100, then: ENOSPC) : .error(EIO))
            let segment = try #require(
                try SegmentList(directory: fixture.paths.archive, kind: .plays).segments.first)
            do {
                _ = try compactor.compact(segment)
            } catch {
                failures += 1
            }
            #expect(try hidden() == [])
            #expect(try fixture.inflated() == allTexts)
            #expect(try ArchiveVerifier(fixture.paths).verify().findings == [])
        }
        #expect(failures > 0)
    }

    @Test("that a crash has ended leaves something hidden, which the next start removes")
    func leftover() throws {
        try fixture.write([0x1f, 0x8b], "day=2026-11-30/.plays-main-0000000001.ndjson.gz.compacting")
        #expect(try ArchiveVerifier(fixture.paths).verify().findings == [])
        #expect(try fixture.follow().texts == allTexts)
        _ = try fixture.directory()
        #expect(try hidden() == [])
        try compact()
        #expect(try fixture.follow().texts == allTexts)
    }

    @Test("is followed by a log that goes on, and by pruning that counts the lines")
    func goesOn() throws {
        try compact()
        try fixture.commit(["more"])
        #expect(try fixture.follow().texts == allTexts + ["more"])
        let directory = try fixture.directory()
        let day = UTCDay(holding: LogFixture.noon + LogFixture.dayMs)
        #expect(
            try LogPruner(directory).prune(.plays, before: day, readUpTo: LogPosition(segment: 9, offset: 0)).files == 1
        )
        #expect(directory.manifest.manifest[.plays].removedLines == Int64(Self.commits))
        #expect(try ArchiveVerifier(fixture.paths).verify().findings == [])
    }

    @Test("of a file that has become the log's last appends nothing to it, and goes on behind its places")
    func last() throws {
        try compact()
        for file in try fixture.files().dropFirst() { unlink(fixture.paths.archive + "/" + file) }
        let end = try fixture.withCommitter { committer in
            #expect(committer.end(of: .plays) == positions.last)
            try committer.commit(LogFixture.play("more"))
            return committer.end(of: .plays)
        }
        #expect(end.segment == 4)
        #expect(try fixture.follow().texts == texts + ["more"])
    }

    @Test("with a byte flipped in a member loses that member's lines, named by file and bytes, and no place behind it")
    func damagedMember() throws {
        try compact()
        try fixture.alter(file) { $0[$0.count / 2] ^= 1 }
        let rest = try fixture.follow()
        #expect(rest.damage.count == 1)
        #expect(rest.texts.count < allTexts.count && rest.texts.count > 2)
        #expect(rest.texts == allTexts.filter(rest.texts.contains))
        #expect(try fixture.follow(from: positions[115]).texts == Array(allTexts[115...]))
        let findings = try ArchiveVerifier(fixture.paths).verify().findings
        #expect(findings.contains { if case .damage = $0 { true } else { false } }, "\(findings)")
    }

    @Test("with a byte flipped in what says where commits stood loses no line, and verify names it")
    func damagedField() throws {
        try compact()
        // Behind the header's fixed part, the check and the length.
        try fixture.alter(file) { $0[30] ^= 1 }
        #expect(try fixture.follow().texts == allTexts)
        #expect(try fixture.follow(from: positions[115]).texts == Array(allTexts[115...]))
        let findings = try ArchiveVerifier(fixture.paths).verify().findings
        #expect(findings.contains { if case .misplacedMember = $0 { true } else { false } }, "\(findings)")
    }

    private struct Failed: Error {}
}
