import Gzip
import TestSupport
import Testing

@Suite("Gunzip")
struct GunzipTests {
    private let limit = 8 << 20

    @Test("gives back what was compressed", arguments: [0, 1, 100, 32_768, 70_000, 3_000_000])
    func roundTrip(count: Int) throws {
        let bytes = Samples.lines(count)
        for level: Int32 in [1, 6, 9] {
            let member = GzipCompressor(level: level).member(bytes)
            #expect(try Gunzip.inflate(member, limit: limit) == bytes)
        }
    }

    @Test("reads all members, empty ones too")
    func members() throws {
        let compressor = GzipCompressor(level: 1)
        let parts = [Samples.lines(500), [], Samples.lines(40_000), Samples.lines(1)]
        let file = parts.flatMap { compressor.member($0) }
        #expect(try Gunzip.inflate(file, limit: limit) == parts.flatMap { $0 })
    }

    @Test("calls every beginning of a file truncated, unless it ends with a member")
    func truncated() throws {
        let compressor = GzipCompressor(level: 1)
        let first = compressor.member(Samples.lines(300))
        let file = first + compressor.member(Samples.lines(200))
        for count in 0..<file.count where count != first.count {
            #expect(throws: GzipError.truncated) { try Gunzip.inflate(Array(file[..<count]), limit: limit) }
        }
        #expect(try Gunzip.inflate(Array(file[..<first.count]), limit: limit) == Samples.lines(300))
    }

    @Test("refuses bytes after the last member", arguments: [[0], [0, 0, 0, 0], [0x1f, 0x8c], Array("garbage".utf8)])
    func trailing(garbage: [UInt8]) {
        let file = GzipCompressor(level: 1).member(Samples.lines(100)) + garbage
        #expect {
            try Gunzip.inflate(file, limit: limit)
        } throws: {
            if case GzipError.invalid = $0 { true } else { false }
        }
    }

    @Test(
        "refuses what is not gzip",
        arguments: ["x", "{\"events\": []}", "\u{78}\u{1}\u{4b}\u{4}\u{0}", "PK\u{3}\u{4}", "\u{1f}\u{1f}\u{8}\u{0}"])
    func foreign(text: String) {
        #expect {
            try Gunzip.inflate(Array(text.utf8), limit: limit)
        } throws: {
            if case GzipError.invalid = $0 { true } else { false }
        }
    }

    @Test("takes exactly the limit, and not a byte more")
    func exactLimit() throws {
        let member = GzipCompressor(level: 1).member(Samples.lines(100_000))
        #expect(try Gunzip.inflate(member, limit: 100_000).count == 100_000)
        #expect(throws: GzipError.tooLarge(limit: 99_999)) { try Gunzip.inflate(member, limit: 99_999) }
        #expect(throws: GzipError.tooLarge(limit: 0)) { try Gunzip.inflate(member, limit: 0) }
    }

    @Test("believes no length that a trailer claims")
    func lyingTrailer() throws {
        var member = GzipCompressor(level: 1).member(Samples.lines(1_000))
        for index in member.indices.suffix(4) { member[index] = 0xff }
        #expect {
            try Gunzip.inflate(member, limit: 1 << 40)
        } throws: {
            if case GzipError.invalid = $0 { true } else { false }
        }
    }

    @Test("changes nothing in silence, whichever byte is flipped")
    func flips() {
        let bytes = Samples.lines(2_000)
        let member = GzipCompressor(level: 1).member(bytes)
        for index in member.indices {
            for bit in 0..<8 {
                var flipped = member
                flipped[index] ^= 1 << UInt8(bit)
                // Time, flags for speed and the system's name say nothing about the content.
                if let inflated = try? Gunzip.inflate(flipped, limit: limit) { #expect(inflated == bytes) }
            }
        }
    }

    @Test("takes no random bytes behind a good beginning for a member")
    func randomTail() {
        var random = SeededGenerator(seed: 7)
        let member = GzipCompressor(level: 1).member(Samples.lines(200))
        for _ in 0..<2_000 {
            let kept = Int(random.next() % UInt64(member.count))
            let file = member[..<kept] + (0..<64).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(throws: (any Error).self) { try Gunzip.inflate(Array(file), limit: limit) }
        }
    }
}

/// Bytes to compress, the same in every run.
enum Samples {
    /// So many bytes of lines that look like plays.
    static func lines(_ count: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 1)
        var bytes: [UInt8] = []
        while bytes.count < count {
            let play = random.next()
            let line =
                "{\"playId\":\"\(play)\",\"videoId\":\"v\(play % 50)\",\"stalls\":\(play % 3),\"watchedMs\":\(play % 60_000)}\n"
            bytes += Array(line.utf8)
        }
        return Array(bytes[..<count])
    }
}
