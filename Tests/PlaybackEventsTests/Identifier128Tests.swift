import PlaybackEvents
import TestSupport
import Testing

@Suite("An identifier of 128 bits")
struct Identifier128Tests {
    @Test("is written in lower case, and read back in any")
    func isWritten() throws {
        let id = Identifier128(high: 0x0193_a6b0_0000_7abc, low: 0x8def_0000_0000_0001)
        #expect(id.uuidText == "0193a6b0-0000-7abc-8def-000000000001")
        #expect(id.hexadecimalText == "0193a6b000007abc8def000000000001")
        var random = SeededGenerator(seed: 9)
        let ids = (0..<500).map { _ in Identifier128(high: random.next(), low: random.next()) }
        let texts = ids.map { Bool.random(using: &random) ? $0.uuidText : $0.uuidText.uppercased() }
        let batch = try Request.decode(Request.body(events: texts.map { Request.event("\"playId\":\"\($0)\"") }))
        #expect(batch.plays.map(\.playId) == ids)
    }

    @Test("has no other digits than hexadecimal ones, and its dashes in their places")
    func isStrict() throws {
        let sound = Array("0193a6b0-0000-7abc-8def-000000000001".utf8)
        for position in sound.indices {
            for byte in UInt8(0x20)...0x7E where byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
                var text = sound
                text[position] = byte
                let isDash = [8, 13, 18, 23].contains(position)
                let isLegal = isDash ? byte == UInt8(ascii: "-") : "0123456789abcdefABCDEF".utf8.contains(byte)
                let event = Request.event("\"playId\":\"\(String(decoding: text, as: UTF8.self))\"")
                #expect(try Request.decode(Request.body(events: [event])).rejections.isEmpty == isLegal)
            }
        }
        for text in ["é193a6b0-0000-7abc-8def-00000000000", "0193a6b0-0000-7abc-8def-00000000001"] {
            let event = Request.event("\"playId\":\"\(text)\"")
            #expect(try Request.decode(Request.body(events: [event])).rejections.map(\.code) == [.badFormat])
        }
    }
}
