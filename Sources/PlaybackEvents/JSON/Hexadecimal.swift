/// Hexadecimal digits, read in any case, written in lower case.
enum Hexadecimal {
    static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The value of eight digits, the first in the lowest byte; nil when one is none.
    @inline(__always)
    static func value(ofEight word: UInt64) -> UInt64? {
        let highs = ByteWord.highs
        let lower = word | ByteWord.every(0x20)
        // With all bytes below 0x80, adding 0x80 - n marks those that are at least n.
        let decimal = (word &+ ByteWord.every(0x80 - 0x30)) & ~(word &+ ByteWord.every(0x80 - 0x3A))
        let letter = (lower &+ ByteWord.every(0x80 - 0x61)) & ~(lower &+ ByteWord.every(0x80 - 0x67))
        guard word & highs == 0, (decimal | letter) & highs == highs else { return nil }
        let letters = (letter & highs) &>> 7
        var value = ((word & ByteWord.every(0x0F)) &+ letters &* 9).byteSwapped
        value = (value | value &>> 4) & 0x00FF_00FF_00FF_00FF
        value = (value | value &>> 8) & 0x0000_FFFF_0000_FFFF
        return (value | value &>> 16) & 0xFFFF_FFFF
    }

    /// The eight digits of the lower 32 bits, the first in the lowest byte.
    @inline(__always)
    static func digits(ofLow value: UInt64) -> UInt64 {
        var word = value & 0xFFFF_FFFF
        word = (word | word &<< 16) & 0x0000_FFFF_0000_FFFF
        word = (word | word &<< 8) & 0x00FF_00FF_00FF_00FF
        word = (word | word &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
        // A nibble of 10 or more carries into the bit above it when 6 is added.
        let letters = ((word &+ ByteWord.every(6)) &>> 4) & ByteWord.ones
        return (word &+ ByteWord.every(0x30) &+ letters &* 39).byteSwapped
    }
}
