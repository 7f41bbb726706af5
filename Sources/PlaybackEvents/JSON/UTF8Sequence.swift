/// Sequences of UTF-8 after RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF.
enum UTF8Sequence {
    /// The length of the sequence beyond ASCII that begins at a place, 0 when none does.
    static func length(at place: Int, in bytes: RawSpan) -> Int {
        let lead = bytes.byte(place)
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { second = 0xA0...0xBF }
            if lead == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { second = 0x90...0xBF }
            if lead == 0xF4 { second = 0x80...0x8F }
        default: return 0
        }
        guard place + length <= bytes.byteCount, second.contains(bytes.byte(place + 1)) else { return 0 }
        for tail in 2..<max(length, 2) where bytes.byte(place + tail) & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// Whether all bytes are UTF-8.
    static func isValid(_ bytes: RawSpan) -> Bool {
        var place = 0
        while place < bytes.byteCount {
            if bytes.byte(place) < 0x80 {
                place += 1
            } else {
                let length = length(at: place, in: bytes)
                guard length > 0 else { return false }
                place += length
            }
        }
        return true
    }

    /// Whether UTF-8 holds U+0000–U+001F or U+007F–U+009F.
    static func hasControl(_ bytes: RawSpan) -> Bool {
        for place in bytes.byteOffsets {
            let byte = bytes.byte(place)
            if byte < 0x20 || byte == 0x7F { return true }
            if byte == 0xC2, place + 1 < bytes.byteCount, bytes.byte(place + 1) <= 0x9F { return true }
        }
        return false
    }
}
