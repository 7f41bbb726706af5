import PlaybackEvents
import TestSupport
import Testing

@Suite("The decoder, fed with damaged bodies")
struct FuzzTests {
    /// What a mutation puts in: pieces of JSON and of the contract, and what is none of either.
    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "\\u0000", "null", "true", "-", "0",
            "1e999999999", "-1e400", "9007199254740993", "1.0", ".", "e", "\n", " ", "(", "\"a\":1,", "\"stalls\":0,",
            "\"events\":[", "\"tags\":{", "\"context\":{", "{}", "[[[[[[[[[[[[[[[[[[", "\u{FEFF}", "é", "😀", "\u{0}",
            "\u{7f}",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x80], [0xF4, 0x90, 0x80, 0x80]]

    /// Small enough to be damaged a thousand times.
    private static let bodies = ValidationCase.all.map(\.body).filter { (1...1_500).contains($0.count) }

    /// Letters and digits become others: most such bodies stay JSON.
    private static func altered(_ body: [UInt8], with random: inout SeededGenerator) -> [UInt8] {
        var body = body
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let position = Int.random(in: 0..<body.count, using: &random)
            let others: String
            switch body[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): others = "0123456789.eE-"
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): others = "abcduvSMT_(0é"
            default: continue
            }
            body.replaceSubrange(
                position...position, with: Array(String(others.randomElement(using: &random) ?? "0").utf8))
        }
        return body
    }

    private static func mutated(_ body: [UInt8], with random: inout SeededGenerator) -> [UInt8] {
        var body = body
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let position = Int.random(in: 0...body.count, using: &random)
            let end = min(body.count, position + Int.random(in: 0...12, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: body.replaceSubrange(position..<end, with: [])
            case 1: body.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: position)
            case 2: body.replaceSubrange(position..<end, with: pieces.randomElement(using: &random) ?? [])
            case 3: body.insert(contentsOf: body[position..<end], at: Int.random(in: 0...body.count, using: &random))
            case 4 where position < body.count: body[position] = UInt8.random(in: 0...255, using: &random)
            default: body.removeLast(Int.random(in: 0...min(3, body.count), using: &random))
            }
        }
        return body
    }

    @Test("neither crashes nor loses an event, and finds the same bad byte as a plain reader", arguments: 0..<4)
    func holdsInvariants(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var broken = 0
        var taken = 0
        for round in 0..<5_000 {
            let original = Self.bodies[round / 2 % Self.bodies.count]
            let body = round % 2 == 0 ? Self.mutated(original, with: &random) : Self.altered(original, with: &random)
            let reference = ReferenceJSON.fault(in: body)
            let outcome = Result { () throws(RequestError) in
                try Request.decode(body, regionHeader: Array("hdr".utf8))
            }
            switch outcome {
            case .success(let batch):
                taken += 1
                #expect(reference == nil)
                try BatchInvariants.expect(batch, of: body)
            case .failure(let fault):
                broken += 1
                #expect(fault.offset == reference, "\(String(decoding: body, as: UTF8.self))")
                #expect(fault.offset == nil || fault.code == .invalidJSON)
                #expect(fault.message.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            }
        }
        // Neither kind is a rare guest.
        #expect(taken > 1_000 && broken > 1_000)
    }

    @Test("survives any bytes at all")
    func survivesNoise() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let body = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(Request.fault(of: body)?.offset == ReferenceJSON.fault(in: body))
        }
    }
}
