/// A short name by which plays are grouped: a CDN, a region, a version, a device model, a tag's value.
///
/// 1 to 64 bytes of ASCII letters, digits and `-._~:=+@,/|#`, beginning with a letter or a digit. White space and `//` are
/// not allowed, so no sentence, title or address is a label.
public struct PlaybackLabel: Sendable, Hashable {
    /// The label as it is sent.
    public let text: String

    /// A label, or `nil` when `text` is none; a play without the label is reported under `(unknown)`.
    ///
    /// - Complexity: O(length of `text`).
    public init?(_ text: String) {
        guard Token.accepts(text, limit: 64) else { return nil }
        self.text = text
    }
}

extension PlaybackLabel: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The label written in the source. What a label cannot hold becomes `_`.
    public init(stringLiteral text: String) {
        self.text = Token.nearest(to: text, limit: 64)
    }

    /// The label as it is sent.
    public var description: String { text }
}
