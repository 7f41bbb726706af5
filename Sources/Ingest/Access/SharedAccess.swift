package import HTTPServing
import Synchronization

/// The access rules in force, which a reload of the key files replaces while requests go on.
package final class SharedAccess: Sendable {
    private final class Rules: Sendable {
        let rules: AccessRules

        init(_ rules: AccessRules) {
            self.rules = rules
        }
    }

    /// All that ever were in force, since a request may still be reading the ones before.
    private let all: Mutex<[Rules]>
    /// A lock that every request takes twice is one that threads wait for.
    private let current: Atomic<Unmanaged<Rules>>

    package init(_ rules: AccessRules) {
        let first = Rules(rules)
        all = Mutex([first])
        current = Atomic(Unmanaged.passUnretained(first))
    }

    package func replace(with new: AccessRules) {
        let next = Rules(new)
        all.withLock { all in
            all.append(next)
            current.store(Unmanaged.passUnretained(next), ordering: .releasing)
        }
    }

    /// Judges a request by its `Authorization: Bearer KEY`, else by its `?key=`.
    package func verdict(for kind: AccessRules.Kind, _ head: HTTPRequestHead) -> AccessRules.Verdict {
        let current = current.load(ordering: .acquiring).takeUnretainedValue()
        return current.rules.verdict(for: kind, key: Self.key(in: head))
    }

    private static func key(in head: HTTPRequestHead) -> String? {
        let values = head.fields.all("authorization")
        guard let value = values.first else { return head.queryValue("key") }
        let words = value.split(separator: " ", maxSplits: 1)
        guard values.count == 1, words.count == 2, words[0].lowercased() == "bearer" else { return "" }
        return String(words[1].drop { $0 == " " })
    }
}
