import Foundation
import Gzip
import Testing

@Suite("A gzip bomb", .serialized)
struct GzipBombTests {
    /// So large that what other tests do meanwhile does not matter.
    private static let limit = 64 << 20

    @Test("of 1 GiB of zeros is refused, and costs less than twice the limit")
    func oneStream() throws {
        let compressor = GzipCompressor(level: 9)
        let zeros = [UInt8](repeating: 0, count: 16 << 20)
        compressor.begin()
        for _ in 0..<64 { zeros.withUnsafeBytes { compressor.append($0) } }
        try refuse([UInt8](compressor.finish()))
    }

    @Test("of a thousand members is refused as well")
    func manyMembers() throws {
        let member = GzipCompressor(level: 9).member([UInt8](repeating: 0, count: 1 << 20))
        try refuse([UInt8]((0..<1_024).flatMap { _ in member }))
    }

    private func refuse(_ bomb: [UInt8]) throws {
        #expect(bomb.count < 2 << 20)
        // Sets the peak back to what is held now.
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = try peakBytes()
        #expect(throws: GzipError.tooLarge(limit: Self.limit)) { try Gunzip.inflate(bomb, limit: Self.limit) }
        #expect(try peakBytes() - before < 2 * Self.limit)
    }

    /// The most memory that this process has had at once since the peak was last set back.
    private func peakBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let number = line.split { $0 == " " || $0 == "\t" }.dropFirst().first
        return try #require(number.flatMap { Int($0) }) << 10
    }
}
