/// The rule for identifiers of videos and for errors: a token is a name for machines, so no sentence, title, address or
/// error message is one.
enum Token {
    /// Whether `text` is 1 to `limit` bytes of ASCII letters, digits and `-._~:=+@,/|#`, begins with a letter or a
    /// digit, and holds no `//`, as every address of the web does.
    ///
    /// - Complexity: O(bytes).
    static func accepts(_ text: String, limit: Int) -> Bool {
        var previous: UInt8 = 0
        var length = 0
        for byte in text.utf8 {
            length += 1
            guard length <= limit, length == 1 ? isAlphanumeric(byte) : isAllowed(byte) else { return false }
            guard byte != slash || previous != slash else { return false }
            previous = byte
        }
        return length > 0
    }

    /// The nearest token: every other byte becomes `_`, and what is longer than `limit` is cut.
    static func nearest(to text: String, limit: Int) -> String {
        guard !accepts(text, limit: limit) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8.prefix(limit) {
            let isRepeatedSlash = byte == slash && bytes.last == slash
            bytes.append(isAllowed(byte) && !isRepeatedSlash ? byte : underscore)
        }
        if let first = bytes.first, isAlphanumeric(first) { return String(decoding: bytes, as: UTF8.self) }
        return "x" + String(decoding: bytes.prefix(limit - 1), as: UTF8.self)
    }

    private static let slash = UInt8(ascii: "/")
    private static let underscore = UInt8(ascii: "_")

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), underscore, UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "="),
            UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: ","), slash, UInt8(ascii: "|"), UInt8(ascii: "#"):
            true
        default: isAlphanumeric(byte)
        }
    }
}
