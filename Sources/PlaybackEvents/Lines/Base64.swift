/// Base64 (RFC 4648, section 4), padded.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The four digits of up to three bytes.
    static func group(_ bytes: RawSpan, from place: Int) -> (UInt8, UInt8, UInt8, UInt8) {
        let count = min(3, bytes.byteCount - place)
        var value = 0
        for offset in 0..<3 { value = value << 8 | (offset < count ? Int(bytes.byte(place + offset)) : 0) }
        return (
            digits[value >> 18], digits[value >> 12 & 63], count > 1 ? digits[value >> 6 & 63] : padding,
            count > 2 ? digits[value & 63] : padding
        )
    }

    /// The bytes that a text stands for; nil when it is no Base64.
    static func decoded(_ text: [UInt8]) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes = [UInt8]()
        bytes.reserveCapacity(text.count / 4 * 3)
        let end = text.lastIndex { $0 != padding }.map { $0 + 1 } ?? 0
        guard text.count - end <= 2 else { return nil }
        var bits = 0
        var value = 0
        for digit in text[..<end] {
            guard let number = number(of: digit) else { return nil }
            value = (value << 6 | number) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: value >> bits))
            }
        }
        return value & (1 << bits - 1) == 0 ? bytes : nil
    }

    private static func number(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
