import Archive
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The log's reader")
struct LogReaderTests {
    let fixture: LogFixture
    let file = "day=2026-11-30/plays-main-0000000001.ndjson.gz"
    let second = "day=2026-11-30/plays-main-0000000002.ndjson.gz"

    init() throws {
        fixture = try LogFixture(made: true)
    }

    private var reader: LogReader { LogReader(directory: fixture.paths.archive) }

    @Test("has nothing to read in an empty log, or one that isn't there")
    func nothing() throws {
        #expect(try reader.next(after: .beginning, maxBytes: 100) == nil)
        #expect(try LogReader(directory: fixture.folder.path("none")).next(after: .beginning, maxBytes: 100) == nil)
        #expect(try reader.bytes(after: .beginning) == 0)
    }

    @Test("returns whole commits, as many as begin below the bound, and the place behind them")
    func chunks() throws {
        let members = [["a", "bb"], ["ccc"], ["dddd"]].map { LogFixture.member($0) }
        try fixture.write(members.flatMap { $0 }, file)
        let reader = reader
        let first = try #require(try reader.next(after: .beginning, maxBytes: 6))
        #expect(String(decoding: first.lines, as: UTF8.self) == "a\nbb\nccc\n")
        #expect(first.start == LogPosition(segment: 1, offset: 0))
        #expect(first.end == LogPosition(segment: 1, offset: Int64(members[0].count + members[1].count)))
        let next = try #require(try reader.next(after: first.end, maxBytes: 0))
        #expect(String(decoding: next.lines, as: UTF8.self) == "dddd\n")
        #expect(next.start == first.end)
        #expect(try reader.next(after: next.end, maxBytes: 6) == nil)
        // A place may be read again, forward or back.
        #expect(try reader.next(after: first.start, maxBytes: 6)?.lines == first.lines)
        #expect(try reader.next(after: first.end, maxBytes: 6)?.lines == next.lines)
    }

    @Test("reads nothing after the end that it is told")
    func upTo() throws {
        let members = ["a", "b", "c"].map { LogFixture.member([$0]) }
        try fixture.write(members[0] + members[1], file)
        try fixture.write(members[2], second)
        let length = Int64(members[0].count)
        let ends: [(LogPosition, [String])] = [
            (.beginning, []), (LogPosition(segment: 1, offset: 0), []),
            (LogPosition(segment: 1, offset: length), ["a"]),
            (LogPosition(segment: 1, offset: 2 * length), ["a", "b"]),
            (LogPosition(segment: 2, offset: 0), ["a", "b"]),
            (LogPosition(segment: 2, offset: length), ["a", "b", "c"]),
        ]
        for (end, texts) in ends {
            for maxBytes in [1, 100] {
                let content = try LogFixture.follow(reader, upTo: end, maxBytes: maxBytes)
                #expect(content.texts == texts, "up to \(end)")
                #expect(content.damage == [])
            }
        }
    }

    @Test("waits before what is not whole yet, wherever a write has come to")
    func growing() throws {
        let first = LogFixture.member(["a"])
        let next = LogFixture.member(["b", "c"])
        let reader = reader
        for length in 0..<next.count {
            try fixture.write(first + next[..<length], file)
            let content = try LogFixture.follow(reader)
            #expect(content.texts == ["a"])
            #expect(content.end.offset == Int64(first.count))
            #expect(content.damage == [])
            #expect(try reader.next(after: content.end, maxBytes: 100) == nil)
        }
        try fixture.write(first + next, file)
        #expect(try LogFixture.follow(reader).texts == ["a", "b", "c"])
    }

    @Test("reads what replaces a write that was undone")
    func undone() throws {
        let first = LogFixture.member(["a"])
        let torn = LogFixture.member((0..<50).map { "torn \($0)" })
        let next = LogFixture.member((0..<50).map { "play \($0)" })
        let reader = reader
        try fixture.write(first + torn[..<70], file)
        let content = try LogFixture.follow(reader)
        #expect(content.texts == ["a"])
        try fixture.write(first + next, file)
        #expect(try LogFixture.follow(reader, from: content.end).texts.count == 50)
    }

    @Test(
        "follows a committer that writes meanwhile, in order and without a gap, told the end or not",
        arguments: [true, false])
    func beside(isTold: Bool) throws {
        var configuration = LogFixture.unsynced
        configuration.segmentBytes = 3_000
        try fixture.withCommitter(configuration) { committer in
            let threads = Threads()
            let total = Mutex(0)
            for thread in 0..<3 {
                threads.start {
                    for index in 0..<300 {
                        try? committer.commit(
                            LogFixture.play("\(thread)-\(index) " + String(repeating: "x", count: index)))
                        total.withLock { $0 += 1 }
                    }
                }
            }
            let reader = reader
            var content = LogFixture.Content()
            while content.texts.count < 900 {
                let done = total.withLock { $0 }
                let end = isTold ? committer.end(of: .plays) : nil
                let more = try LogFixture.follow(reader, from: content.end, upTo: end, maxBytes: 500)
                content.texts += more.texts
                content.end = more.end
                #expect(more.damage == [])
                if !isTold { #expect(content.texts.count >= done) }
            }
            threads.join()
            for thread in 0..<3 {
                let own = content.texts.filter { $0.hasPrefix("\(thread)-") }.map { $0.split(separator: " ")[0] }
                #expect(own == (0..<300).map { "\(thread)-\($0)" })
            }
            #expect(content.end == committer.end(of: .plays))
        }
    }

    @Test("passes over damage and names its bytes, in an old file and in the last one")
    func damage() throws {
        let members = (0..<4).map { LogFixture.member(["play \($0)"]) }
        let length = Int64(members[0].count)
        try fixture.write(members.flatMap { $0 }, file)
        try fixture.alter(file) { $0[members[0].count + 13] ^= 8 }
        let expected = LogDamage(file: "archive/" + file, range: length..<2 * length, kind: .badMember)
        for isLast in [true, false] {
            if !isLast { try fixture.write(LogFixture.member(["later"]), second) }
            let content = try fixture.follow()
            #expect(content.texts == ["play 0", "play 2", "play 3"] + (isLast ? [] : ["later"]))
            #expect(content.damage == [expected])
        }
        #expect("\(expected)" == "archive/\(file): bytes \(length)–\(2 * length): bad member")
    }

    @Test("tells zeros, foreign bytes and torn members in the middle of the log apart")
    func kinds() throws {
        let a = LogFixture.member(["a"])
        let pieces: [([UInt8], LogDamage.Kind)] = [
            ([UInt8](repeating: 0, count: 40), .zeros), (Array("no gzip at all".utf8), .garbage),
            (Array(a.dropLast(3)), .tornMember), (a.dropLast(12) + [UInt8](repeating: 0, count: 40), .tornMember),
        ]
        for (piece, kind) in pieces {
            try fixture.write(a + piece, file)
            try fixture.write(LogFixture.member(["b"]), second)
            let content = try fixture.follow()
            #expect(content.texts == ["a", "b"])
            let range = Int64(a.count)..<Int64(a.count + piece.count)
            #expect(content.damage == [LogDamage(file: "archive/" + file, range: range, kind: kind)])
            // The place behind a damaged tail is stored, so that it is told once.
            #expect(try fixture.follow(from: LogPosition(segment: 1, offset: range.upperBound)).damage == [])
        }
    }

    @Test("passes over a damaged tail of the last file when it is told that the end lies behind")
    func committedTail() throws {
        let members = ["a", "b"].map { LogFixture.member([$0]) }
        try fixture.write(members.flatMap { $0 }, file)
        try fixture.alter(file) { $0[members[0].count + 12] ^= 1 }
        let end = LogPosition(segment: 1, offset: Int64(2 * members[0].count))
        #expect(try fixture.follow().damage == [])
        let content = try LogFixture.follow(reader, upTo: end)
        #expect(content.texts == ["a"])
        #expect(content.damage.map(\.range) == [end.offset / 2..<end.offset])
        #expect(content.end == end)
    }

    @Test("goes on in the next file where its own is gone, empty or shorter than its place")
    func gone() throws {
        for sequence in [3, 5, 6] {
            let member = LogFixture.member(["file \(sequence)"])
            try fixture.write(member, "day=2026-11-30/plays-main-000000000\(sequence).ndjson.gz")
        }
        try fixture.write([], "day=2026-11-30/plays-main-0000000004.ndjson.gz")
        #expect(try fixture.follow().texts == ["file 3", "file 5", "file 6"])
        #expect(try fixture.follow(from: LogPosition(segment: 2, offset: 77)).texts == ["file 3", "file 5", "file 6"])
        #expect(try fixture.follow(from: LogPosition(segment: 3, offset: 5_000)).texts == ["file 5", "file 6"])
        #expect(try fixture.follow(from: LogPosition(segment: 6, offset: 5_000)).texts == [])
        #expect(try fixture.follow(from: LogPosition(segment: .max, offset: .max)).texts == [])
        #expect(try fixture.follow(from: LogPosition(segment: -1, offset: -1)).texts.count == 3)
    }

    @Test("orders files by their number alone, whatever their day or node")
    func order() throws {
        let names = [
            "day=2026-12-02/plays-a-0000000001", "day=2026-12-01/plays-b-0000000002",
            "day=2026-12-02/plays-a-0000000010",
            "day=2026-11-30/plays-z-0000000011", "day=2026-12-01/plays-a-12345678901",
        ]
        for (index, name) in names.enumerated() {
            try fixture.write(LogFixture.member(["\(index)"]), name + ".ndjson.gz")
        }
        #expect(try fixture.follow().texts == ["0", "1", "2", "3", "4"])
    }

    @Test("takes a directory with a slash at its end as well")
    func slash() throws {
        try fixture.write(LogFixture.member(["a"]), file)
        #expect(try LogFixture.follow(LogReader(directory: fixture.paths.archive + "/")).texts == ["a"])
    }

    @Test("reads commits larger than its buffers, byte for byte")
    func large() throws {
        let text = (0..<200_000).map { "\($0 * 7_919 % 1_000_003)" }.joined(separator: ",")
        try fixture.commit(["small", text, "small too"])
        #expect(try fixture.follow(maxBytes: 10).texts == ["small", text, "small too"])
    }

    @Test("never crashes and never invents a line, whatever is done to the files")
    func randomBytes() throws {
        var random = SeededGenerator(seed: 31)
        let texts = (0..<30).map { "play \($0)" }
        for _ in 0..<150 {
            for part in 0..<3 {
                var bytes = texts[part * 10..<part * 10 + 10].flatMap { LogFixture.member([$0]) }
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let from = Int.random(in: 0..<bytes.count, using: &random)
                    let count = Int.random(in: 0...min(30, bytes.count - from), using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes.removeSubrange(from..<from + count)
                    case 1: bytes.insert(contentsOf: bytes[from..<from + count], at: from)
                    case 2: bytes[from] ^= UInt8.random(in: 1...255, using: &random)
                    default: for index in from..<from + count { bytes[index] = 0 }
                    }
                    if bytes.isEmpty { bytes = [0] }
                }
                try fixture.write(bytes, "day=2026-11-30/plays-main-000000000\(part + 1).ndjson.gz")
            }
            let content = try fixture.follow(maxBytes: Int.random(in: 1...300, using: &random))
            #expect(content.texts.allSatisfy { texts.contains($0) })
            // Every byte is either read or named: what is read and what is damaged adds up.
            let report = try ArchiveVerifier(fixture.paths).verify()
            #expect(report.plays.lines == content.texts.count)
            let named = report.findings.compactMap { if case .damage(let damage) = $0 { damage } else { nil } }
            #expect(content.damage == named || content.damage == named.dropLast())
        }
    }
}
