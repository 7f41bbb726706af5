package import HTTPServing
import Synchronization

/// The access rules in force, which a reload of the key files replaces while requests go on.
package final class SharedAccess: Sendable {
    private let rules: Mutex<AccessRules>
    private let counters: IngestCounters

    package init(_ rules: AccessRules, counters: IngestCounters = IngestCounters()) {
        self.rules = Mutex(rules)
        self.counters = counters
    }

    /// The names under which plays may come, for the metrics.
    var writerNames: [String] {
        let rules = rules.withLock { $0 }
        let keys = rules.writeKeys
        return keys.names + (keys.isEmpty && rules.allowsAnonymous ? [AccessRules.anonymous] : [])
    }

    package func replace(with new: AccessRules) {
        rules.withLock { $0 = new.knowing($0) }
    }

    /// Judges a request by its `Authorization: Bearer KEY`, else by its `?key=`.
    package func verdict(for kind: AccessRules.Kind, _ head: HTTPRequestHead) -> AccessRules.Verdict {
        let rules = rules.withLock { $0 }
        let verdict = rules.verdict(for: kind, key: Self.key(in: head))
        switch verdict {
        case .allowed: break
        case .keyMissing: counters.count(.missing)
        case .keyUnknown: counters.count(.unknown)
        case .keyWithdrawn: counters.count(.withdrawn)
        }
        return verdict
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
