import Foundation
import Gzip
import Testing

/// Each bomb goes off in a process of its own, where no other test takes memory meanwhile.
@Suite("A gzip bomb")
struct GzipBombTests {
    private static let limit = 8 << 20

    @Test("of 1 GiB of zeros is refused, and costs less than twice the limit")
    func oneStream() async {
        await #expect(processExitsWith: .success) {
            let compressor = GzipCompressor(level: 9)
            let zeros = [UInt8](repeating: 0, count: 16 << 20)
            compressor.begin()
            for _ in 0..<64 { compressor.append(zeros.span.bytes) }
            try Self.refuse([UInt8](compressor.finish()))
        }
    }

    @Test("of a thousand members is refused as well")
    func manyMembers() async {
        await #expect(processExitsWith: .success) {
            let member = GzipCompressor(level: 9).member([UInt8](repeating: 0, count: 1 << 20))
            try Self.refuse([UInt8]((0..<1_024).flatMap { _ in member }))
        }
    }

    private static func refuse(_ bomb: [UInt8]) throws {
        #expect(bomb.count < 2 << 20)
        // Sets the peak back to what is held now.
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = try peakBytes()
        #expect(throws: GzipError.tooLarge(limit: limit)) { try Gunzip.inflate(bomb, limit: limit) }
        #expect(try peakBytes() - before < 2 * limit)
    }

    /// The most memory that this process has had at once since the peak was last set back.
    private static func peakBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let number = line.split { $0 == " " || $0 == "\t" }.dropFirst().first
        return try #require(number.flatMap { Int($0) }) << 10
    }
}
