/// The name of one of the team's own dimensions: a lower-case letter, then at most 31 lower-case letters, digits and `_`.
public struct TagName: Sendable, Hashable, Comparable {
    /// The name as it is sent.
    public let text: String

    /// A name, or `nil` when `text` does not follow the rule.
    public init?(_ text: String) {
        guard Self.accepts(text) else { return nil }
        self.text = text
    }

    /// Names are ordered as bytes.
    public static func < (one: TagName, other: TagName) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    private static func accepts(_ text: String) -> Bool {
        guard (1...32).contains(text.utf8.count), let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension TagName: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name written in the source. What a name cannot hold becomes `_`.
    public init(stringLiteral text: String) {
        let lowered = text.lowercased().utf8.map { Self.isLetter($0) || Self.isDigit($0) ? $0 : UInt8(ascii: "_") }
        let name = String(decoding: lowered.prefix(32), as: UTF8.self)
        self.text = Self.accepts(name) ? name : "x" + String(name.prefix(31))
    }

    /// The name as it is sent.
    public var description: String { text }
}
