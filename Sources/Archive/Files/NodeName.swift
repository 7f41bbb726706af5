/// The name of one ingest server, part of its files' names.
package struct NodeName: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// The name of a server that was given none.
    package static let standard = NodeName(unchecked: "main")

    /// - Parameter text: 1–32 of `A–Z a–z 0–9 _ -`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard (1...32).contains(text.utf8.count), text.utf8.allSatisfy(Self.allows) else { return nil }
        description = String(text)
    }

    private init(unchecked text: String) {
        description = text
    }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
