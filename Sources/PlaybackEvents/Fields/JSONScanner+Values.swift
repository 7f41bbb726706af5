extension JSONScanner {
    /// What is wrong with a text, nil when nothing is.
    @inline(__always)
    func fault(in text: ScannedText, by rule: TextRule, of bytes: RawSpan) -> Rejection.Code? {
        guard text.slice.count > 0, Int(text.slice.count) <= rule.longest else { return .outOfRange }
        guard !text.hasControl else { return .badCharacters }
        guard !rule.reservesParenthesis || byte(of: text.slice, 0, in: bytes) != UInt8(ascii: "(") else {
            return .badFormat
        }
        return nil
    }

    /// The UUID that a text is.
    @inline(__always)
    func uuid(_ text: TextSlice, in bytes: RawSpan) -> Identifier128? {
        isInArena(text, of: bytes)
            ? Identifier128(uuid: arena.span.bytes.extracting(arenaRange(text, of: bytes)))
            : Identifier128(uuid: bytes.extracting(text.range))
    }

    /// The 128 bits that a text of 32 hexadecimal digits is.
    @inline(__always)
    func hexadecimal(_ text: TextSlice, in bytes: RawSpan) -> Identifier128? {
        isInArena(text, of: bytes)
            ? Identifier128(hexadecimal: arena.span.bytes.extracting(arenaRange(text, of: bytes)))
            : Identifier128(hexadecimal: bytes.extracting(text.range))
    }

    /// The ms since 1970 that a text after RFC 3339 is.
    func timestamp(_ text: TextSlice, in bytes: RawSpan) -> Int64? {
        isInArena(text, of: bytes)
            ? Timestamp.milliseconds(arena.span.bytes.extracting(arenaRange(text, of: bytes)))
            : Timestamp.milliseconds(bytes.extracting(text.range))
    }
}
