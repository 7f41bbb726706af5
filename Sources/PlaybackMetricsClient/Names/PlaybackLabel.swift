/// A short name by which plays are grouped: a CDN, a region, a version, a device model, a tag's value.
///
/// 1 to 128 bytes of UTF-8 without control characters. It does not begin with `(`, as the reports' own `(unknown)` does.
public struct PlaybackLabel: Sendable, Hashable {
    /// The label as it is sent.
    public let text: String

    /// A label, or `nil` when `text` is none; a play without the label is reported under `(unknown)`. Why a text is refused
    /// is said in the log, once for each reason; nothing is said of an empty one.
    ///
    /// - Complexity: O(length of `text`).
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        if let refusal = Self.refusal(of: text) {
            RefusedLabels.shared.note(refusal)
            return nil
        }
        self.text = text
    }

    static let limit = 128

    /// Why `text` is no label.
    static func refusal(of text: String) -> RefusedLabels.Reason? {
        if text.utf8.first == UInt8(ascii: "(") { return .reserved }
        if text.utf8.count > limit { return .tooLong }
        return text.unicodeScalars.contains(where: isControl) ? .control : nil
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
    }

    /// The nearest label: controls become `_`, what is too long is cut between two characters.
    private static func nearest(to text: String) -> String {
        var nearest = ""
        for scalar in text.unicodeScalars {
            let next = isControl(scalar) ? "_" : scalar
            guard nearest.utf8.count + UTF8.width(next) <= limit else { break }
            nearest.unicodeScalars.append(next)
        }
        guard let first = nearest.utf8.first else { return "_" }
        return first == UInt8(ascii: "(") ? "_" + String(nearest.dropFirst()) : nearest
    }
}

extension PlaybackLabel: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The label written in the source. What a label cannot hold becomes `_`.
    public init(stringLiteral text: String) {
        self.text = Self.refusal(of: text) == nil && !text.isEmpty ? text : Self.nearest(to: text)
    }

    /// The label as it is sent.
    public var description: String { text }
}

/// Says once why texts were no labels: their plays come out under `(unknown)`, which nobody would trace back to here.
final class RefusedLabels: Sendable {
    enum Reason: String, Sendable, CaseIterable {
        case reserved =
            "a label was refused, since it begins with “(”, which reports keep for themselves. Name it otherwise."
        case tooLong = "a label was refused, since it is longer than 128 bytes of UTF-8. Shorten it."
        case control = "a label was refused, since it holds a control character, such as a line's end. Take it out."
        case tooManyTags = "a tag was left out, since a play has eight at most. Give up another."
    }

    static let shared = RefusedLabels(log: SystemLog.write)

    private let said = Locked<Set<Reason>>([])
    private let log: @Sendable (String) -> Void

    init(log: @escaping @Sendable (String) -> Void) {
        self.log = log
    }

    func note(_ reason: Reason) {
        guard said.withLock({ $0.insert(reason).inserted }) else { return }
        log("PlaybackMetrics: \(reason.rawValue)")
    }
}
