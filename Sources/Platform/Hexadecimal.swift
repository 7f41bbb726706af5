/// Hexadecimal digits, read in any case, written in lower case.
package enum Hexadecimal {
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The value of eight digits, the first in the lowest byte; nil when one is none.
    @inlinable @inline(__always)
    package static func value(ofEight word: UInt64) -> UInt64? {
        let highs = every(0x80)
        let lower = word | every(0x20)
        // With all bytes below 0x80, adding 0x80 - n marks those that are at least n.
        let decimal = (word &+ every(0x80 - 0x30)) & ~(word &+ every(0x80 - 0x3A))
        let letter = (lower &+ every(0x80 - 0x61)) & ~(lower &+ every(0x80 - 0x67))
        guard word & highs == 0, (decimal | letter) & highs == highs else { return nil }
        let letters = (letter & highs) &>> 7
        var value = ((word & every(0x0F)) &+ letters &* 9).byteSwapped
        value = (value | value &>> 4) & 0x00FF_00FF_00FF_00FF
        value = (value | value &>> 8) & 0x0000_FFFF_0000_FFFF
        return (value | value &>> 16) & 0xFFFF_FFFF
    }

    /// The eight digits of the lower 32 bits, the first in the lowest byte.
    @inlinable @inline(__always)
    package static func digits(ofLow value: UInt64) -> UInt64 {
        var word = value & 0xFFFF_FFFF
        word = (word | word &<< 16) & 0x0000_FFFF_0000_FFFF
        word = (word | word &<< 8) & 0x00FF_00FF_00FF_00FF
        word = (word | word &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
        // A nibble of 10 or more carries into the bit above it when 6 is added.
        let letters = ((word &+ every(6)) &>> 4) & every(1)
        return (word &+ every(0x30) &+ letters &* 39).byteSwapped
    }

    @inlinable @inline(__always)
    package static func every(_ byte: UInt8) -> UInt64 {
        UInt64(byte) &* 0x0101_0101_0101_0101
    }

    /// Two digits for each byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { $0 += text(UInt64($1), digits: 2) }
    }

    /// - Parameter digits: how many there are at least.
    package static func text(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
