/// Whose plays are to be erased.
package enum ErasureTarget: Sendable, Hashable {
    /// The plays of one run of the app.
    case session([UInt8])
    case play(Identifier128)
    /// The plays with a tag of this name and value.
    case tag(name: [UInt8], value: [UInt8])

    /// What tells one kind from another in files and hashes.
    package enum Kind: String, Sendable, CaseIterable {
        case session, play, tag

        /// Never changes: it goes into the hashes.
        var mark: UInt8 {
            switch self {
            case .session: 1
            case .play: 2
            case .tag: 3
            }
        }
    }

    package var kind: Kind {
        switch self {
        case .session: .session
        case .play: .play
        case .tag: .tag
        }
    }

    /// What stands for it in files and hashes: the session, the sixteen bytes of the play, or `NAME=VALUE` of the tag.
    package var bytes: [UInt8] {
        switch self {
        case .session(let session): session
        case .play(let id): id.bytes
        case .tag(let name, let value): name + [UInt8(ascii: "=")] + value
        }
    }

    /// Nil for bytes that stand for nothing of that kind.
    package init?(_ kind: Kind, bytes: [UInt8]) {
        switch kind {
        case .session:
            guard !bytes.isEmpty else { return nil }
            self = .session(bytes)
        case .play:
            guard bytes.count == 16 else { return nil }
            func word(_ from: Int) -> UInt64 { bytes[from..<from + 8].reduce(0) { $0 << 8 | UInt64($1) } }
            self = .play(Identifier128(high: word(0), low: word(8)))
        case .tag:
            // A name of a tag has no such character.
            guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")), sign > 0, sign + 1 < bytes.count else {
                return nil
            }
            self = .tag(name: Array(bytes[..<sign]), value: Array(bytes[(sign + 1)...]))
        }
    }
}

extension Identifier128 {
    /// The sixteen bytes, the first the highest.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in
            stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// Reads 32 hexadecimal digits; nil for anything else.
    package init?(hexadecimalText text: some StringProtocol) {
        let bytes = Array(text.utf8)
        self.init(hexadecimal: bytes.span.bytes)
    }
}
