import Gzip
import TestSupport
import Testing

@Suite("The line compressor")
struct LineCompressorTests {
    private let compressor = LineCompressor()

    private func expectRoundTrip(_ bytes: [UInt8], _ comment: Comment? = nil) throws {
        let member = compressor.member(bytes)
        #expect(try Gunzip.inflate(member, limit: max(1, bytes.count)) == bytes, comment)
        #expect(member.count <= bytes.count + bytes.count / 8 + 32, comment)
    }

    @Test("gives back lines of any number", arguments: [0, 1, 3, 4, 5, 17, 100, 32_768, 70_000, 3_000_000])
    func lines(count: Int) throws {
        try expectRoundTrip(Samples.lines(count))
    }

    @Test("makes lines smaller than zlib's fast level does")
    func size() {
        let bytes = Samples.lines(500_000)
        #expect(compressor.member(bytes).count < GzipCompressor(level: 1).member(bytes).count)
    }

    @Test("gives back any bytes: zlib finds no fault in a thousand odd inputs")
    func fuzz() throws {
        var random = SeededGenerator(seed: 7)
        for round in 0..<1_000 {
            try expectRoundTrip(oddBytes(using: &random), "round \(round)")
        }
    }

    /// Bytes of a random kind: noise, few different bytes, lines that change a little or a lot, long runs.
    private func oddBytes(using random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0...(1 << Int.random(in: 2...13, using: &random)), using: &random)
        let alphabet = Int.random(in: 1...256, using: &random)
        let edges = Array("\",\n{}:a0".utf8)
        var bytes: [UInt8] = []
        while bytes.count < count {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.append(UInt8(Int.random(in: 0..<alphabet, using: &random)))
            case 1: bytes.append(edges[Int.random(in: 0..<edges.count, using: &random)])
            case 2 where !bytes.isEmpty:
                let length = Int.random(in: 1...min(bytes.count, 700), using: &random)
                let start = Int.random(in: 0...bytes.count - length, using: &random)
                bytes += bytes[start..<start + length]
            case 3 where !bytes.isEmpty:
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            case 4 where bytes.count > 8: bytes += bytes.suffix(Int.random(in: 1...8, using: &random))
            default: bytes += Samples.lines(Int.random(in: 1...300, using: &random))
            }
        }
        return bytes
    }

    @Test("gives back what is further apart than deflate reaches")
    func distance() throws {
        let line = Samples.lines(400)
        for gap in [32_366, 32_367, 32_368, 32_369, 32_768, 40_000] {
            try expectRoundTrip(line + [UInt8](repeating: 0x20, count: gap) + line)
        }
    }

    @Test("gives back repetitions of every length")
    func lengths() throws {
        for length in 1...600 {
            let run = [UInt8](repeating: 0x61, count: length)
            try expectRoundTrip(run + [0x0A] + run + [0x0A, 0x62])
        }
    }

    @Test("keeps codes within deflate's fifteen bits, however uneven the bytes are")
    func unevenCounts() throws {
        // Counts like Fibonacci's numbers make the deepest code.
        var (count, last) = (1, 1)
        var bytes: [UInt8] = []
        for byte in 0..<26 {
            bytes += [UInt8](repeating: UInt8(0xC0 - byte), count: count)
            (count, last) = (count + last, count)
        }
        var random = SeededGenerator(seed: 3)
        bytes.shuffle(using: &random)
        try expectRoundTrip(bytes)
    }

    @Test("makes the same bytes of the same lines, whatever it made before")
    func determinism() {
        let first = compressor.member(Samples.lines(5_000))
        _ = compressor.member([UInt8](repeating: 7, count: 100_000))
        #expect(compressor.member(Samples.lines(5_000)) == first)
        #expect(LineCompressor().member(Samples.lines(5_000)) == first)
    }

    @Test("takes a member in pieces, beyond what was expected")
    func pieces() throws {
        let bytes = Samples.lines(200_000)
        compressor.begin(expecting: 10)
        for start in stride(from: 0, to: bytes.count, by: 7_777) {
            compressor.append(bytes[start..<min(start + 7_777, bytes.count)].span.bytes)
        }
        #expect([UInt8](compressor.finish()) == compressor.member(bytes))
    }
}
