import Gzip
import TestSupport
import Testing

@Suite("The compressor")
struct GzipCompressorTests {
    @Test("makes the same member of pieces as of the whole")
    func pieces() {
        let compressor = GzipCompressor(level: 1)
        let bytes = Samples.lines(100_000)
        let whole = compressor.member(bytes)
        compressor.begin(expecting: 3)
        for start in stride(from: 0, to: bytes.count, by: 777) {
            compressor.append(bytes[start..<min(start + 777, bytes.count)].span.bytes)
        }
        #expect([UInt8](compressor.finish()) == whole)
    }

    @Test("forgets a member that was not finished")
    func abandoned() throws {
        let compressor = GzipCompressor(level: 1)
        compressor.begin()
        compressor.append(Samples.lines(50_000).span.bytes)
        let member = compressor.member(Samples.lines(10))
        #expect(try Gunzip.inflate(member, limit: 100) == Samples.lines(10))
        #expect(member == GzipCompressor(level: 1).member(Samples.lines(10)))
    }

    @Test("takes a level out of range as the nearest", arguments: [(-5, 1), (0, 1), (99, 9)])
    func levels(asked: Int32, taken: Int32) {
        let bytes = Samples.lines(20_000)
        #expect(GzipCompressor(level: asked).member(bytes) == GzipCompressor(level: taken).member(bytes))
    }

    @Test("grows its buffer for what does not shrink")
    func incompressible() throws {
        var random = SeededGenerator(seed: 3)
        let bytes = (0..<400_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let compressor = GzipCompressor(level: 1)
        compressor.begin()
        compressor.append(bytes.span.bytes)
        #expect(try Gunzip.inflate([UInt8](compressor.finish()), limit: bytes.count) == bytes)
    }
}
