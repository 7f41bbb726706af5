package import HTTPServing

/// What the contract says of `Content-Type` and `Content-Encoding`.
package enum ContentRules {
    package enum Encoding: Sendable, Equatable {
        case identity, gzip
    }

    /// Whether a body of this `Content-Type` is taken: JSON, plain text (what a browser's beacon sends) or no type at all,
    /// in UTF-8.
    package static func accepts(type: HTTPFieldValue) -> Bool {
        accepts(type, among: ["application/json", "text/plain"])
    }

    /// Whether a body of this `Content-Type` is taken as a player's reports: CMCD, plain text or no type at all, in UTF-8.
    package static func acceptsReports(type: HTTPFieldValue) -> Bool {
        accepts(type, among: ["application/cmcd", "application/cmcd+text", "text/plain"])
    }

    private static func accepts(_ type: HTTPFieldValue, among types: [String]) -> Bool {
        guard case .once(let type) = type else { return type == .absent }
        // What nearly everybody sends.
        if type == types[0] { return true }
        let parts = type.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard types.contains(parts[0].lowercased()) else { return false }
        return parts.dropFirst().allSatisfy { parameter in
            let pair = parameter.split(separator: "=", maxSplits: 1).map(trimmed)
            guard pair.count == 2, pair[0].lowercased() == "charset" else { return true }
            let charset = pair[1].filter { $0 != "\"" }.lowercased()
            return charset == "utf-8" || charset == "utf8"
        }
    }

    /// How a body of this `Content-Encoding` is encoded; nil for what is not taken: another one, or more than one.
    package static func encoding(of encoding: HTTPFieldValue) -> Encoding? {
        guard case .once(let encoding) = encoding else { return encoding == .absent ? .identity : nil }
        switch trimmed(Substring(encoding)).lowercased() {
        case "", "identity": return .identity
        case "gzip", "x-gzip": return .gzip
        default: return nil
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
