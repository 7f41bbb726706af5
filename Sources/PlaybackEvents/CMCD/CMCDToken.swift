/// A token of CMCD, as states and events are: 1 to 8 bytes of ASCII in one word, the first in the lowest bits.
package struct CMCDToken: Sendable, Hashable {
    /// 0 without a token.
    package var word: UInt64

    package static let absent = CMCDToken(word: 0)
    /// The longest that is kept, in bytes; those of the standard have at most three.
    package static let longest = 8

    package init(word: UInt64) {
        self.word = word
    }

    /// - Precondition: 1 to 8 bytes of ASCII.
    package init(_ text: StaticString) {
        precondition((1...Self.longest).contains(text.utf8CodeUnitCount))
        word = 0
        for place in 0..<text.utf8CodeUnitCount { word |= UInt64(text.utf8Start[place]) << UInt64(8 * place) }
    }

    /// Reads a token; nil for one that is too long, or has bytes that a token can't have.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard (1...Self.longest).contains(bytes.count) else { return nil }
        word = 0
        for (place, byte) in bytes.enumerated() {
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { return nil }
            word |= UInt64(byte) << UInt64(8 * place)
        }
    }

    package var isAbsent: Bool { word == 0 }

    package var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }.filter { $0 != 0 }
    }
}
