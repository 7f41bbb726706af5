import PlaybackEvents
import TestSupport
import Testing

@testable import Archive

@Suite("A compacted file of which lines are erased and whose first member doesn't say where its commits stood")
struct CompactedErasureTests {
    private let fixture: LogFixture
    private let file = "day=2026-11-30/plays-main-0000000001.ndjson.gz"
    /// Every place between two commits of the file.
    private let positions: [LogPosition]
    private let texts: [String]
    private static let commits = 120

    /// Enough for three members.
    init() throws {
        let fixture = try LogFixture()
        var random = SeededGenerator(seed: 5)
        func digits(_ count: Int) -> String {
            (0..<count / 16).map { _ in String(UInt64.random(in: 0 ... .max, using: &random), radix: 16) }.joined()
        }
        let common = digits(18_000)
        let texts = (0..<Self.commits).map { "<\($0)>" + common + digits(2_000) }
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
        let compactor = try LogCompactor(fixture.directory(), freeBytes: { _ in nil })
        let segment = try #require(SegmentList(directory: fixture.paths.archive, kind: .plays).segments.first)
        guard case .compacted = try compactor.compact(segment) else { throw CancellationError() }
    }

    /// What may be wrong with the first member.
    enum Damage: String, CaseIterable, Sendable {
        case name, length, field
        /// The member itself can't be read any more.
        case flag, magic

        /// Turns one bit of a file.
        func turn(_ bytes: inout [UInt8]) {
            let position =
                switch self {
                case .magic: 0
                case .flag: 3
                case .name: 12
                case .length: 14
                case .field: 40
                }
            bytes[position] ^= 4
        }

        var isLost: Bool { self == .flag || self == .magic }
    }

    /// Erases the commits of these numbers; gives what was made and where each commit's member was said to end.
    private func erase(_ numbers: Set<Int>) throws -> (made: LogEraser.Made, ends: [Int: LogPosition]) {
        let eraser = LogEraser(fixture.paths, files: LogFixture.unsynced.files)
        let segment = try #require(SegmentList(directory: fixture.paths.archive, kind: .plays).segments.first)
        var ends: [Int: LogPosition] = [:]
        let made = try eraser.make(segment) { member in
            var changed = 0
            let lines = String(decoding: member.lines, as: UTF8.self).split(separator: "\n").map { line in
                let number = line.prefix { $0 != ">" }.dropFirst()
                guard let number = Int(number) else { return String(line) }
                ends[number] = member.end
                guard numbers.contains(number) else { return String(line) }
                changed += 1
                return "{}"
            }
            return changed == 0 ? nil : ([Array(lines.map { $0 + "\n" }.joined().utf8)], changed)
        }
        try eraser.replace(segment)
        return (made, ends)
    }

    private func expected(_ erased: Set<Int>) -> [String] {
        texts.indices.map { erased.contains($0) ? "{}" : texts[$0] } + ["day 1", "day 2"]
    }

    @Test("loses those lines and no other, keeps every later place, and says what is wrong", arguments: Damage.allCases)
    func erases(damage: Damage) throws {
        try fixture.alter(file) { damage.turn(&$0) }
        let (made, ends) = try erase([3, 100])
        let lost = texts.indices.prefix { ends[$0] == nil }
        #expect(lost.isEmpty != damage.isLost)
        #expect(made.changed == (damage.isLost ? 1 : 2))
        if damage.isLost {
            #expect(made.damage.count == 1 && made.notes.isEmpty)
        } else if damage == .name {
            // What it says has a check of its own.
            #expect(made.damage.isEmpty && made.notes.isEmpty)
        } else {
            #expect(made.notes.count == 1 && made.notes[0].hasPrefix("archive/\(file): bytes 0–"), "\(made.notes)")
        }
        // Each line lies before the end of its member, by the places that the file had when it was first written.
        for (number, end) in ends {
            #expect(end >= positions[number + 1] && end <= positions[Self.commits], "\(number)")
        }
        let all = Array(expected([3, 100]).dropFirst(lost.count))
        #expect(try fixture.follow().texts == all)
        for index in [60, 75, 100, 101, 119, 120] {
            #expect(
                try fixture.follow(from: positions[index]).texts == Array(expected([3, 100])[index...]),
                "from \(index)")
        }
        let later = try fixture.follow(from: LogPosition(segment: 2, offset: 0)).texts
        #expect(later == ["day 1", "day 2"])
    }

    @Test("is still a compacted file when only others of its lines go", arguments: Damage.allCases)
    func others(damage: Damage) throws {
        try fixture.alter(file) { damage.turn(&$0) }
        let (made, _) = try erase([100])
        #expect(made.changed == 1 && made.notes.isEmpty)
        #expect(try fixture.follow(from: positions[100]).texts == Array(expected([100])[100...]))
        #expect(try fixture.follow(from: positions[119]).texts == Array(expected([100])[119...]))
        // Whoever verifies it is told, as before.
        #expect(try ArchiveVerifier(fixture.paths).verify().findings.isEmpty == (damage == .name))
    }
}
