import TestSupport
import Testing

@testable import HTTPServing

@Suite("Mutated bytes")
struct FuzzTests {
    /// What chance does to bytes, the same in every run.
    private struct Dice {
        private var generator: SeededGenerator

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

        /// Bytes that parsers stumble over, changed into, put into and cut out of the given ones.
        mutating func mutate(_ bytes: inout [UInt8]) {
            let odd = Array("\r\n \t:;,%0x/?#\0\u{1}\u{7F}aZ9".utf8) + [0x80, 0xFF]
            for _ in 0...below(4) where !bytes.isEmpty {
                let position = below(bytes.count)
                switch below(5) {
                case 0: bytes[position] = odd[below(odd.count)]
                case 1: bytes.insert(odd[below(odd.count)], at: position)
                case 2: bytes.remove(at: position)
                case 3:
                    let length = below(min(40, bytes.count - position)) + 1
                    bytes.insert(contentsOf: Array(bytes[position..<position + length]), at: below(bytes.count))
                default: bytes.removeSubrange(position..<min(position + below(20), bytes.count))
                }
            }
        }

        mutating func cuts(_ bytes: [UInt8]) -> [Int] {
            (0...below(4)).map { _ in below(bytes.count + 1) }.sorted()
        }
    }

    @Test("never crash the head parser, and what it lets through obeys the rules", arguments: 1...4)
    func heads(seed: UInt64) {
        var dice = Dice(seed: seed)
        let seeds =
            acceptedHeads.map { Array(($0.0.replacing("\n", with: "\r\n") + "\r\n\r\n").utf8) }
            + refusedHeads.map { Array($0.0.utf8) }
        for _ in 0..<4_000 {
            var bytes = seeds[dice.below(seeds.count)]
            dice.mutate(&bytes)
            #expect(outcome(of: bytes, cutting: []) == outcome(of: bytes, cutting: dice.cuts(bytes)), "\(bytes)")
            var parser = HTTPHeadParser(peer: .loopback)
            if let head = try? bytes.withUnsafeBytes({ try parser.parse($0) }) {
                #expect(breach(head) == nil, "\(bytes)")
            }
        }
    }

    /// The first rule that a head breaks which the parser let through, looked for in its bytes in another way.
    private func breach(_ head: HTTPRequestHead) -> String? {
        let text = String(decoding: head.fields.bytes, as: UTF8.self).unicodeScalars
        if text.contains(where: { ($0.value < 32 && !"\r\n\t".unicodeScalars.contains($0)) || $0.value == 127 }) {
            return "control"
        }
        let lines = head.fields.bytes.split(separator: 13, omittingEmptySubsequences: false).dropFirst()
        if lines.contains(where: { $0.first != 10 || $0.dropFirst().contains(10) }) { return "line end" }
        func count(_ name: String) -> Int { head.fields.allBytes(name).count }
        if count("host") > 1 || (count("host") == 0 && head.version == .http11) { return "Host" }
        if count("content-length") + count("transfer-encoding") > 1 { return "framing" }
        switch head.framing {
        case .chunked where count("transfer-encoding") == 0 || head.version == .http10: return "chunked"
        case .length where count("content-length") == 0: return "length"
        default: break
        }
        if head.path != "*" && !head.path.hasPrefix("/") { return "path" }
        if head.path.utf8.contains(0) || head.query.contains(where: { ($0.name + $0.value).utf8.contains(0) }) {
            return "NUL"
        }
        return nil
    }

    @Test("never crash the chunk decoder, and come to the same however they are cut", arguments: 1...4)
    func chunks(seed: UInt64) {
        var dice = Dice(seed: seed)
        let seeds = [
            "5\r\nhello\r\n0\r\n\r\n", "1;a=b\r\nx\r\nA\r\n0123456789\r\n0;z\r\nA: b\r\nC:\r\n\r\n", "ffffffff\r\nabc",
            "7fffffffffffffff\r\nabc", "0\r\n\r\n",
        ].map { Array($0.utf8) }
        for _ in 0..<4_000 {
            var bytes = seeds[dice.below(seeds.count)]
            dice.mutate(&bytes)
            let whole = decode(bytes, cutting: [])
            #expect(decode(bytes, cutting: dice.cuts(bytes)) == whole, "\(bytes)")
            #expect(decode(bytes, cutting: Array(bytes.indices)) == whole, "\(bytes)")
            if case .body(let body, let used) = whole { #expect(body.count + 5 <= used && used <= bytes.count) }
        }
    }
}
