package import HTTPServing
import Synchronization

/// The access rules in force, which a reload of the key files replaces while requests go on.
package final class SharedAccess: Sendable {
    private let rules: Mutex<AccessRules>

    package init(_ rules: AccessRules) {
        self.rules = Mutex(rules)
    }

    package func replace(with new: AccessRules) {
        rules.withLock { $0 = new }
    }

    /// Judges a request by its `Authorization: Bearer KEY`, else by its `?key=`.
    package func verdict(for kind: AccessRules.Kind, _ head: HTTPRequestHead) -> AccessRules.Verdict {
        let current = rules.withLock { $0 }
        return current.verdict(for: kind, key: Self.key(in: head))
    }

    private static func key(in head: HTTPRequestHead) -> String? {
        let values = head.fields.all("authorization")
        guard let value = values.first else { return head.queryValue("key") }
        let words = value.split(separator: " ", maxSplits: 1)
        guard values.count == 1, words.count == 2, words[0].lowercased() == "bearer" else { return "" }
        return String(words[1].drop { $0 == " " })
    }
}
