/// The identifier of a video: never its title, never its address.
///
/// An identifier is 1 to 128 bytes of ASCII letters, digits and `-._~:=+@,/|#`. Any other text (a title, a URL) does not
/// leave the device: a digest of it stands in, the same on every device, so that its plays are still counted together.
public struct VideoID: Sendable, Hashable {
    /// The identifier as it is sent.
    public let text: String

    /// Keeps an identifier as it is, and replaces every other text by `digest-` and 16 hexadecimal digits.
    ///
    /// - Complexity: O(length of `text`).
    public init(_ text: String) {
        self.text = Token.accepts(text, limit: 128) ? text : "digest-" + Self.digest(of: text)
    }

    /// FNV-1a with 64 bits (Fowler, Noll, Vo): short, and the same on every device and in every run.
    private static func digest(of text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension VideoID: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The identifier written in the source, under the same rule as any other.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The identifier as it is sent.
    public var description: String { text }
}

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
