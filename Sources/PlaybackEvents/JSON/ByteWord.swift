/// Eight bytes looked at together, the first in the lowest bits.
///
/// The tests for single bytes are the well-known ones of word-wise string functions (S. E. Anderson, "Bit Twiddling
/// Hacks"): exact for the lowest byte that they mark, which is the only one that is asked for.
enum ByteWord {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    static func every(_ byte: UInt8) -> UInt64 {
        UInt64(byte) &* ones
    }

    /// Marks bytes that are 0.
    @inline(__always)
    static func zeros(_ word: UInt64) -> UInt64 {
        (word &- ones) & ~word & highs
    }

    /// Marks what a JSON string may not simply go on with: a quote, a backslash, a control, DEL, anything beyond ASCII.
    @inline(__always)
    static func notPlain(_ word: UInt64) -> UInt64 {
        let quotes = zeros(word ^ every(0x22))
        let backslashes = zeros(word ^ every(0x5C))
        let controls = (word &- every(0x20)) & ~word & highs
        let beyond = (word | (word &+ ones)) & highs
        return quotes | backslashes | controls | beyond
    }

    /// Marks what must be escaped in a JSON string: a quote, a backslash, a control.
    @inline(__always)
    static func needsEscape(_ word: UInt64) -> UInt64 {
        let quotes = zeros(word ^ every(0x22))
        let backslashes = zeros(word ^ every(0x5C))
        let controls = (word &- every(0x20)) & ~word & highs
        return quotes | backslashes | controls
    }

    /// The place of the first marked byte, 8 when there is none.
    @inline(__always)
    static func first(_ marks: UInt64) -> Int {
        marks.trailingZeroBitCount &>> 3
    }

    /// How many decimal digits the bytes begin with, up to 8.
    @inline(__always)
    static func digitCount(_ word: UInt64) -> Int {
        // A digit becomes 0 to 9; with 0x76 added, all else reaches the highest bit.
        let values = word ^ every(0x30)
        return first((values | (values &+ every(0x76))) & highs)
    }

    /// The number that eight bytes write, the first digit in the lowest byte; a byte of 0 stands for no digit.
    ///
    /// Pairs, fours and eights are put together side by side, as word-wise parsers of numbers do.
    @inline(__always)
    static func number(_ word: UInt64) -> UInt64 {
        let digits = word & every(0x0F)
        let pairs = digits &* 10 &+ digits &>> 8
        let odd = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
        let even = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
        return (odd &+ even) &>> 32
    }

    /// The eight digits, leading zeros included, of a number below 10⁸, each as its value, the first in the lowest byte.
    ///
    /// The reverse of ``number(_:)``: fours, pairs and digits are parted side by side, by multiplying with reciprocals
    /// that are exact in their ranges (10,486 ÷ 2²⁰ for 1 ÷ 100 below 10,000; 103 ÷ 2¹⁰ for 1 ÷ 10 below 100).
    @inline(__always)
    static func digits(below10to8 number: UInt64) -> UInt64 {
        let high = number / 10_000
        let fours = high | (number &- high &* 10_000) &<< 32
        let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
        let pairs = hundreds | (fours &- hundreds &* 100) &<< 16
        let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
        return tens | (pairs &- tens &* 10) &<< 8
    }
}
