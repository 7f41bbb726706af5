/// Reads a line of the quarantine.
struct QuarantineReader: ObjectLineReader {
    var scanner = JSONScanner()
    private(set) var receivedAt: Int64?
    private(set) var requestId: Identifier128?
    private(set) var index: Int64?
    private(set) var code: [UInt8]?
    private(set) var field: [UInt8]?
    private(set) var context: [UInt8]?
    private(set) var contextBytes: Int64?
    private(set) var regionHeader: [UInt8]?
    private(set) var raw: [UInt8]?
    private(set) var isErased = false

    /// Nothing in it breaks the rules for keys, surrogates and levels.
    var isWhole: Bool { scanner.scope.isClean }

    mutating func take(_ line: RawSpan) throws(SyntaxError) {
        try takeObject(in: line)
    }

    mutating func takeValue(of key: TextSlice, in line: RawSpan) throws(SyntaxError) {
        switch try scanner.peek(in: line) {
        case UInt8(ascii: "\""):
            let text = try scanner.takeString(in: line, keeping: true).slice
            if scanner.isText(key, "requestId", in: line) {
                requestId = scanner.hexadecimal(text, in: line)
            } else if scanner.isText(key, "code", in: line) {
                code = bytes(of: text, in: line)
            } else if scanner.isText(key, "field", in: line) {
                field = bytes(of: text, in: line)
            } else if scanner.isText(key, "context", in: line) {
                context = bytes(of: text, in: line)
            } else if scanner.isText(key, "regionHeader", in: line) {
                regionHeader = bytes(of: text, in: line)
            } else if scanner.isText(key, "raw", in: line) {
                raw = bytes(of: text, in: line)
            } else if scanner.isText(key, "rawBase64", in: line) {
                raw = Base64.decoded(bytes(of: text, in: line))
            }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let number = try scanner.takeNumber(in: line)
            let value = number.isWhole ? number.int64 : nil
            if scanner.isText(key, "receivedAt", in: line) {
                receivedAt = value.flatMap { Receipt.times.contains($0) ? $0 : nil }
            } else if scanner.isText(key, "erased", in: line) {
                isErased = true
            } else if scanner.isText(key, "index", in: line) {
                index = value
            } else if scanner.isText(key, "contextBytes", in: line) {
                contextBytes = value
            }
        default: try scanner.skipValue(in: line, level: 1)
        }
    }
}

/// Reads a line that is one JSON object of the server's own, key by key.
protocol ObjectLineReader {
    var scanner: JSONScanner { get set }

    /// Takes the value of a key, where the scanner stands.
    mutating func takeValue(of key: TextSlice, in line: RawSpan) throws(SyntaxError)
}

extension ObjectLineReader {
    /// Takes the whole line; keys that stand there twice are noted by the scanner.
    mutating func takeObject(in line: RawSpan) throws(SyntaxError) {
        guard try scanner.peek(in: line) == UInt8(ascii: "{") else { throw SyntaxError(offset: 0) }
        if try scanner.takeOpening(closing: UInt8(ascii: "}"), in: line) {
            repeat {
                let position = scanner.at
                let key = try scanner.takeString(in: line, keeping: true).slice
                scanner.keys.push(key, at: position)
                try scanner.takeColon(in: line)
                try takeValue(of: key, in: line)
            } while try scanner.takeComma(orClose: UInt8(ascii: "}"), in: line)
        }
        scanner.closeObject(keysFrom: 0, in: line)
        guard scanner.at == line.byteCount else { throw SyntaxError(offset: scanner.at) }
    }

    /// A text without its escapes.
    func bytes(of text: TextSlice, in line: RawSpan) -> [UInt8] {
        (0..<Int(text.count)).map { scanner.byte(of: text, $0, in: line) }
    }
}

/// Base64 (RFC 4648, section 4), padded.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The four digits of up to three bytes.
    static func group(_ bytes: RawSpan, from position: Int) -> (UInt8, UInt8, UInt8, UInt8) {
        let count = min(3, bytes.byteCount - position)
        var value = 0
        for offset in 0..<3 { value = value << 8 | (offset < count ? Int(bytes.byte(position + offset)) : 0) }
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
