/// Finds the texts in bytes that may be broken JSON, another language, or cut off: what stands in quotes, and words and
/// numbers without.
enum LooseTexts {
    /// - Parameter isWanted: gets a text and the one before a colon or `=` in front of it; whether to stop.
    /// - Returns: whether any was wanted.
    /// - Complexity: O(bytes).
    static func contains(in bytes: [UInt8], _ isWanted: (_ key: [UInt8]?, _ text: [UInt8]) -> Bool) -> Bool {
        var position = 0
        var key: [UInt8]?
        while position < bytes.count {
            let byte = bytes[position]
            let text: [UInt8]
            if byte == UInt8(ascii: "\"") {
                text = quoted(bytes, from: &position)
            } else if isOfWord(byte) {
                let start = position
                while position < bytes.count, isOfWord(bytes[position]) { position += 1 }
                text = Array(bytes[start..<position])
            } else {
                position += 1
                continue
            }
            if isWanted(key, text) { return true }
            while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
            let isKey =
                position < bytes.count && (bytes[position] == UInt8(ascii: ":") || bytes[position] == UInt8(ascii: "="))
            key = isKey ? text : nil
        }
        return false
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    /// What stands in quotes, without its escapes; up to the end where they are never closed.
    private static func quoted(_ bytes: [UInt8], from position: inout Int) -> [UInt8] {
        position += 1
        var text: [UInt8] = []
        var high: UInt32?
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count else {
                text.append(bytes[position])
                position += 1
                continue
            }
            let letter = bytes[position + 1]
            position += 2
            switch letter {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "u"):
                guard let unit = unit(bytes, at: position) else { continue }
                position += 4
                if unit & 0xFC00 == 0xD800 {
                    high = unit
                } else if let first = high, unit & 0xFC00 == 0xDC00 {
                    append(0x10000 + (first & 0x3FF) << 10 + unit & 0x3FF, to: &text)
                    high = nil
                } else {
                    append(unit, to: &text)
                }
            default: text.append(letter)
            }
        }
        position += 1
        return text
    }

    private static func unit(_ bytes: [UInt8], at position: Int) -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        return UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    }

    private static func append(_ scalar: UInt32, to text: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(scalar) else { return }
        text += Array(String(Character(scalar)).utf8)
    }
}
