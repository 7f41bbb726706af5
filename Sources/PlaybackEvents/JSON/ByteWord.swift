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
}
