/// The symbols of deflate for lengths and distances (RFC 1951, 3.2.5).
enum DeflateSymbols {
    static let endOfBlock = 256
    /// Literals, the end of a block, lengths.
    static let literals = 286
    static let distances = 30
    /// 3 to 258 bytes, at most 32,768 before.
    static let longestMatch = 258
    static let farthest = 32_768

    struct Symbol {
        /// Of a length: less 257.
        var number: UInt8
        /// How many further bits follow it.
        var extra: UInt8
    }

    /// By length − 3.
    static let length: [Symbol] = (0..<256).map { length in
        if length == 255 { return Symbol(number: 28, extra: 0) }
        return symbol(of: length, doubling: 4)
    }

    /// By distance − 1 when that is below 256, else 256 + (distance − 1) / 128.
    static let distance: [Symbol] = (0..<512).map { place in
        symbol(of: place < 256 ? place : (place - 256) * 128, doubling: 2)
    }

    /// A number's symbol, where as many as `doubling` symbols share a number of further bits.
    private static func symbol(of value: Int, doubling: Int) -> Symbol {
        guard value >= 2 * doubling else { return Symbol(number: UInt8(value), extra: 0) }
        let bits = Int.bitWidth - value.leadingZeroBitCount
        let extra = bits - (doubling == 4 ? 3 : 2)
        return Symbol(number: UInt8(doubling * extra + value >> extra), extra: UInt8(extra))
    }

    @inline(__always)
    static func place(ofDistanceLessOne distance: Int) -> Int {
        distance < 256 ? distance : 256 &+ distance >> 7
    }

    /// The fixed code (RFC 1951, 3.2.6).
    static let fixed = (
        literals: HuffmanCode(
            lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }),
        distances: HuffmanCode(lengths: [UInt8](repeating: 5, count: 30))
    )
}
