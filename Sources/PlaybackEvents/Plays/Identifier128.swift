internal import Platform

/// 128 bits: a play's UUID, or a request's random name.
package struct Identifier128: Sendable, Hashable, Comparable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    static let allZeros = Identifier128(high: 0, low: 0)
    static let allOnes = Identifier128(high: .max, low: .max)

    package static func < (one: Identifier128, other: Identifier128) -> Bool {
        (one.high, one.low) < (other.high, other.low)
    }
}

extension Identifier128 {
    /// A UUID's length in its text form.
    static let uuidLength = 36
    /// The length of the plain hexadecimal form.
    static let hexadecimalLength = 32

    /// Reads the text form of a UUID (RFC 9562), in any letter case; nil for anything else.
    init?(uuid text: RawSpan) {
        let dash = UInt8(ascii: "-")
        guard text.byteCount == Self.uuidLength,
            text.byte(8) == dash, text.byte(13) == dash, text.byte(18) == dash, text.byte(23) == dash
        else { return nil }
        // Groups of four digits are put together to words of eight.
        let second = text.word(9) & 0xFFFF_FFFF | text.word(14) << 32
        let third = text.word(19) & 0xFFFF_FFFF | text.word(24) << 32
        guard let first = Hexadecimal.value(ofEight: text.word(0)), let second = Hexadecimal.value(ofEight: second),
            let third = Hexadecimal.value(ofEight: third), let fourth = Hexadecimal.value(ofEight: text.word(28))
        else { return nil }
        self.init(high: first << 32 | second, low: third << 32 | fourth)
    }

    /// Reads the text form of a UUID, in any letter case; nil for anything else.
    package init?(uuidText text: String) {
        let bytes = Array(text.utf8)
        self.init(uuid: bytes.span.bytes)
    }

    /// Reads 32 hexadecimal digits; nil for anything else.
    init?(hexadecimal text: RawSpan) {
        guard text.byteCount == Self.hexadecimalLength,
            let first = Hexadecimal.value(ofEight: text.word(0)), let second = Hexadecimal.value(ofEight: text.word(8)),
            let third = Hexadecimal.value(ofEight: text.word(16)),
            let fourth = Hexadecimal.value(ofEight: text.word(24))
        else { return nil }
        self.init(high: first << 32 | second, low: third << 32 | fourth)
    }

    /// The text form of a UUID, in lower case.
    package var uuidText: String {
        var text = [UInt8]()
        text.append(atMost: Self.uuidLength) { $0.put(uuid: self) }
        return String(decoding: text, as: UTF8.self)
    }

    /// 32 hexadecimal digits, in lower case.
    package var hexadecimalText: String {
        var text = [UInt8]()
        text.append(atMost: Self.hexadecimalLength) { $0.put(hexadecimal: self) }
        return String(decoding: text, as: UTF8.self)
    }
}
