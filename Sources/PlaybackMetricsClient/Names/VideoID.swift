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
