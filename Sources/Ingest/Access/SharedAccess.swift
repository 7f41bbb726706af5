package import HTTPServing
import Synchronization

/// The access rules in force, which a reload of the key files replaces while requests go on.
package final class SharedAccess: Sendable {
    private let rules: Mutex<AccessRules>

    package init(_ rules: AccessRules) {
        self.rules = Mutex(rules)
    }

    package func replace(with new: AccessRules) {
        rules.withLock { $0 = new.knowing($0) }
    }

    /// Judges a request by its `Authorization: Bearer KEY`, else by its `?key=`.
    package func verdict(for kind: AccessRules.Kind, _ head: HTTPRequestHead) -> AccessRules.Verdict {
        let rules = rules.withLock { $0 }
        return rules.verdict(for: kind, key: Self.key(in: head))
    }

    /// Empty for what is no bearer's key, or stands there twice: no key of ours is.
    private static func key(in head: HTTPRequestHead) -> String? {
        switch head.fields.sole("authorization") {
        case .absent: return head.queryValue("key")
        case .repeated: return ""
        case .once(let value):
            let (text, space) = (value.utf8, UInt8(ascii: " "))
            guard let end = text.firstIndex(of: space), text[..<end].count == 6,
                text[..<end].elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 })
            else { return "" }
            return String(value[end...].drop { $0 == " " })
        }
    }
}
