/// Who may write plays and read reports.
package struct AccessRules: Sendable {
    package enum Kind: Sendable {
        case write, read
    }

    /// What a request may do.
    package enum Verdict: Sendable, Equatable {
        /// Let in, under the key's name; `anonymous` without keys.
        case allowed(keyName: String)
        /// No key was sent: 401.
        case keyMissing
        /// A key that is none of ours: 403.
        case keyUnknown
        /// A key that was ours: 403, or 410 where that silences who sends it.
        case keyWithdrawn
    }

    package static let anonymous = "anonymous"

    package var writeKeys: KeyRing
    package var readKeys: KeyRing
    /// Without keys of a kind, everybody may do what that kind allows.
    package var allowsAnonymous: Bool

    /// - Parameter listensOnLoopback: with no key at all, whoever reaches a loopback address may do everything.
    package init(writeKeys: KeyRing, readKeys: KeyRing, allowsAnonymous: Bool, listensOnLoopback: Bool) {
        self.writeKeys = writeKeys
        self.readKeys = readKeys
        self.allowsAnonymous = allowsAnonymous || (listensOnLoopback && writeKeys.isEmpty && readKeys.isEmpty)
    }

    /// These rules, knowing which keys have been withdrawn since earlier ones.
    package func knowing(_ earlier: AccessRules) -> AccessRules {
        var rules = self
        rules.writeKeys = writeKeys.knowing(earlier.writeKeys)
        rules.readKeys = readKeys.knowing(earlier.readKeys)
        return rules
    }

    package func verdict(for kind: Kind, key: String?) -> Verdict {
        let keys = kind == .write ? writeKeys : readKeys
        if keys.isEmpty, allowsAnonymous { return .allowed(keyName: Self.anonymous) }
        guard let key else { return .keyMissing }
        guard let name = keys.name(of: key.utf8) else {
            return keys.isWithdrawn(key.utf8) ? .keyWithdrawn : .keyUnknown
        }
        return .allowed(keyName: name)
    }
}
