internal import PlaybackEvents

/// The keys of one kind, write or read: names and SHA-256 digests, never the keys themselves.
package struct KeyRing: Sendable {
    private struct Key: Sendable {
        let name: String
        let digest: SHA256.Digest
    }

    private let keys: [Key]
    /// Keys that open nothing any more; the digest where the key is known.
    private var withdrawn: [(name: String, digest: SHA256.Digest?)] = []

    /// Whether nothing was ever given out: a ring of which all keys are withdrawn is not empty.
    package var isEmpty: Bool { keys.isEmpty && withdrawn.isEmpty }

    /// Those of the keys that open something.
    package var names: [String] { keys.map(\.name) }

    /// Without a key.
    package init() {
        keys = []
    }

    /// Reads the text of a key file: a line is `NAME KEY`, a word that begins with `#` begins a comment. `NAME -` and
    /// `NAME - KEY` withdraw a key.
    ///
    /// - Throws: what is wrong with which line; the text of a key is never part of it.
    package init(text: String) throws(KeyFileError) {
        var keys: [Key] = []
        var withdrawn: [(name: String, digest: SHA256.Digest?)] = []
        // CR and LF together are one Character, so lines are told apart by scalars.
        // Some editors begin a file with a byte order mark.
        let scalars = text.unicodeScalars.drop { $0 == "\u{FEFF}" }
        let lines = scalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.prefix { $0.first != "#" }
                .map { String($0) }
            if words.isEmpty { continue }
            if words.count > 1, words[1] == "-" {
                guard words.count < 4 else {
                    throw KeyFileError(line: number + 1, reason: "should be NAME - or NAME - KEY")
                }
                let name = words[0]
                guard !keys.contains(where: { $0.name == name }), !withdrawn.contains(where: { $0.name == name }) else {
                    throw KeyFileError(line: number + 1, reason: "the name \(name) stands there twice")
                }
                withdrawn.append((name, words.count == 3 ? SHA256.digest(words[2].utf8) : nil))
                continue
            }
            guard words.count == 2 else { throw KeyFileError(line: number + 1, reason: "should be NAME KEY") }
            guard words[1].utf8.count >= 16 else {
                throw KeyFileError(line: number + 1, reason: "the key is shorter than 16 characters")
            }
            let name = words[0]
            guard !keys.contains(where: { $0.name == name }), !withdrawn.contains(where: { $0.name == name }) else {
                throw KeyFileError(line: number + 1, reason: "the name \(name) stands there twice")
            }
            keys.append(Key(name: name, digest: SHA256.digest(words[1].utf8)))
        }
        guard !keys.isEmpty || !withdrawn.isEmpty else {
            throw KeyFileError(line: 1, reason: "there is no key in the file")
        }
        self.keys = keys
        self.withdrawn = withdrawn
    }

    /// The same keys, and of those that are withdrawn without being named the ones that they were before.
    package func knowing(_ earlier: KeyRing) -> KeyRing {
        var ring = self
        for position in ring.withdrawn.indices where ring.withdrawn[position].digest == nil {
            let name = ring.withdrawn[position].name
            ring.withdrawn[position].digest =
                earlier.keys.first { $0.name == name }?.digest
                ?? earlier.withdrawn.first { $0.name == name }?.digest
        }
        return ring
    }

    /// Whether the key was one of ours that is withdrawn.
    package func isWithdrawn(_ key: some Collection<UInt8>) -> Bool {
        let digest = SHA256.digest(key)
        var isFound = false
        for candidate in withdrawn {
            if let known = candidate.digest, digest.equals(known) { isFound = true }
        }
        return isFound
    }

    /// The name of the key, nil when it is none of ours.
    ///
    /// Takes the same time whichever key it is: every digest is compared, and each to its last byte.
    package func name(of key: some Collection<UInt8>) -> String? {
        let digest = SHA256.digest(key)
        var found: Int?
        for (position, candidate) in keys.enumerated() {
            if digest.equals(candidate.digest) { found = position }
        }
        return found.map { keys[$0].name }
    }
}

/// What is wrong with a key file, and in which line.
package struct KeyFileError: Error, Sendable, Equatable {
    package let line: Int
    package let reason: String

    package init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }
}
