import Foundation
import Platform
import Testing

@Suite("Texts of the platform")
struct TextTests {
    @Test("a JSON string reads back as the text that it was, whatever scalar is in it")
    func jsonReadsBack() throws {
        for value in Array(UInt32(0)...0x3FF) + [0x2027, 0x2028, 0x2029, 0x202A, 0xFEFF, 0xFFFF, 0x1_F3AC] {
            let text = "a" + String(try #require(Unicode.Scalar(value))) + "b"
            let json = "[" + JSONString.quoted(text) + "]"
            let back = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String])
            // Scalar by scalar: equal texts may be written differently.
            #expect(back.map { Array($0.unicodeScalars) } == [Array(text.unicodeScalars)], "scalar \(value)")
        }
    }

    @Test("a JSON string holds no control, neither those of ASCII nor those beyond, and no line separator")
    func jsonIsOneLine() {
        for value in Array(UInt32(0)...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029] {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let json = JSONString.quoted(String(scalar))
            #expect(json.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }, "scalar \(value)")
        }
        #expect(JSONString.quoted("\u{85}") == #""\u0085""# && JSONString.quoted("\u{A0}é") == "\"\u{A0}é\"")
        #expect(JSONString.quoted("\"\\\n") == #""\"\\\n""#)
    }

    @Test("hexadecimal digits have the value that they write, in either case, and nothing else has one")
    func hexadecimal() {
        for byte in UInt8.min...UInt8.max {
            let digit = String(Unicode.Scalar(byte))
            let expected = byte < 0x80 && digit != "+" && digit != "-" ? UInt8(digit, radix: 16) : nil
            #expect(Hexadecimal.value(of: byte) == expected, "byte \(byte)")
        }
        #expect(Hexadecimal.text([0, 10, 255]) == "000aff" && Hexadecimal.text(0xBEEF, digits: 6) == "00beef")
        #expect(Hexadecimal.text(.max, digits: 4) == "ffffffffffffffff" && Hexadecimal.text([]).isEmpty)
    }

    @Test("eight hexadecimal digits at once are the same as one by one")
    func eightDigits() {
        for value in [0, 1, 0x9ABC_DEF0, 0xFFFF_FFFF, 0x0123_4567, 0xA0A0_0A0A] as [UInt64] {
            let digits = Hexadecimal.digits(ofLow: value | 0xFFFF_FFFF_0000_0000)
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: digits >> UInt64(8 * $0)) }
            #expect(String(decoding: bytes, as: UTF8.self) == Hexadecimal.text(value, digits: 8))
            #expect(Hexadecimal.value(ofEight: digits) == value)
            for position in 0..<8 {
                for byte in [0x2F, 0x3A, 0x40, 0x47, 0x60, 0x67, 0xB0, 0xE1] as [UInt64] {
                    let wrong = digits & ~(0xFF << UInt64(8 * position)) | byte << UInt64(8 * position)
                    #expect(Hexadecimal.value(ofEight: wrong) == nil)
                }
            }
        }
    }
}
