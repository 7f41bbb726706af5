/// One tag as it was read.
struct TagEntry {
    var key: TextSlice
    var value: TextSlice
    /// What is wrong with the value.
    var fault: Rejection.Code?
    var hasGoodKey: Bool
}

extension JSONScanner {
    /// Takes an object of tags; one whose value is null or empty is absent.
    ///
    /// - Parameters:
    ///   - entries: gets the tags, at most one more than are legal.
    ///   - level: the level of that object.
    mutating func takeTags(
        into entries: inout [TagEntry], level: Int, in bytes: RawSpan
    ) throws(SyntaxError) {
        let first = entries.count
        let keyBase = keys.count
        if try takeOpening(closing: UInt8(ascii: "}"), in: bytes) {
            repeat {
                let position = at
                let key = try takeString(in: bytes, keeping: true).slice
                if position < scope.keysEnd { keys.push(key, at: position) }
                try takeColon(in: bytes)
                if try takeNull(in: bytes) { continue }
                let isWanted = entries.count - first <= ContractLimits.tags
                guard try peek(in: bytes) == UInt8(ascii: "\"") else {
                    try skipValue(in: bytes, level: level)
                    if isWanted { entries.append(tag(key, fault: .wrongType, in: bytes)) }
                    continue
                }
                let value = try takeString(in: bytes, keeping: isWanted)
                guard isWanted, value.slice.count > 0 else { continue }
                let fault = fault(in: value, by: TextRule.tag, of: bytes)
                entries.append(tag(key, value.slice, fault: fault, in: bytes))
            } while try takeComma(orClose: UInt8(ascii: "}"), in: bytes)
        }
        closeObject(keysFrom: keyBase, in: bytes)
    }

    private func tag(
        _ key: TextSlice, _ value: TextSlice = .absent, fault: Rejection.Code?, in bytes: RawSpan
    ) -> TagEntry {
        TagEntry(key: key, value: value, fault: fault, hasGoodKey: isTagKey(key, in: bytes))
    }

    /// Whether a key is `[a-z][a-z0-9_]{0,31}`.
    private func isTagKey(_ key: TextSlice, in bytes: RawSpan) -> Bool {
        guard (1...32).contains(key.count) else { return false }
        for position in 0..<Int(key.count) {
            switch byte(of: key, position, in: bytes) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                guard position > 0 else { return false }
            default: return false
            }
        }
        return true
    }

    func isSame(_ one: TextSlice, _ other: TextSlice, in bytes: RawSpan) -> Bool {
        guard one.count == other.count else { return false }
        for position in 0..<Int(one.count)
        where byte(of: one, position, in: bytes) != byte(of: other, position, in: bytes) {
            return false
        }
        return true
    }

    /// Whether one text comes before another, compared as bytes.
    func isBefore(_ one: TextSlice, _ other: TextSlice, in bytes: RawSpan) -> Bool {
        for position in 0..<Int(min(one.count, other.count)) {
            let left = byte(of: one, position, in: bytes)
            let right = byte(of: other, position, in: bytes)
            if left != right { return left < right }
        }
        return one.count < other.count
    }

    /// Puts tags into the arena: a JSON object, keys in byte order, no white space.
    mutating func appendTagsToArena(_ entries: [TagEntry], in bytes: RawSpan) -> TextSlice {
        guard !entries.isEmpty else { return .absent }
        let start = bytes.byteCount + arena.count
        var separator = UInt8(ascii: "{")
        for entry in entries.sorted(by: { isBefore($0.key, $1.key, in: bytes) }) {
            arena.append(separator)
            separator = UInt8(ascii: ",")
            appendStringToArena(entry.key, in: bytes)
            arena.append(UInt8(ascii: ":"))
            appendStringToArena(entry.value, in: bytes)
        }
        arena.append(UInt8(ascii: "}"))
        return TextSlice(start..<bytes.byteCount + arena.count)
    }

    /// Whether an object of tags that stood in the bytes is as ``appendTagsToArena(_:in:)`` would write it.
    func isCanonical(_ entries: [TagEntry], length: Int, in bytes: RawSpan) -> Bool {
        // Brackets and commas, four quotes and a colon each.
        var expected = 1
        for (number, entry) in entries.enumerated() {
            guard !isInArena(entry.key, of: bytes), !isInArena(entry.value, of: bytes),
                number == 0 || isBefore(entries[number - 1].key, entry.key, in: bytes)
            else { return false }
            expected += Int(entry.key.count) + Int(entry.value.count) + 6
        }
        return expected == length
    }
}
