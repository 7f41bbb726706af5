extension JSONScanner {
    /// Takes an object that is a sender's account.
    ///
    /// - Parameter level: the level of that object.
    /// - Returns: nil when anything in it is missing or wrong.
    mutating func takeAccount(level: Int, in bytes: RawSpan) throws(SyntaxError) -> SenderAccount? {
        let keyBase = keys.count
        var senderId: TextSlice?
        var totals: (sequence: Int64?, made: Int64?, dropped: Int64?, rejected: Int64?)
        if try takeOpening(closing: UInt8(ascii: "}"), in: bytes) {
            repeat {
                let position = at
                let key = try takeString(in: bytes, keeping: true).slice
                keys.push(key, at: position)
                try takeColon(in: bytes)
                if isText(key, "senderId", in: bytes) {
                    senderId = try takeSenderId(level: level, in: bytes)
                } else if isText(key, "sequence", in: bytes) {
                    totals.sequence = try takeTotal(level: level, in: bytes)
                } else if isText(key, "made", in: bytes) {
                    totals.made = try takeTotal(level: level, in: bytes)
                } else if isText(key, "dropped", in: bytes) {
                    totals.dropped = try takeTotal(level: level, in: bytes)
                } else if isText(key, "rejected", in: bytes) {
                    totals.rejected = try takeTotal(level: level, in: bytes)
                } else {
                    try skipValue(in: bytes, level: level)
                }
            } while try takeComma(orClose: UInt8(ascii: "}"), in: bytes)
        }
        closeObject(keysFrom: keyBase, in: bytes)
        guard let senderId, let sequence = totals.sequence, let made = totals.made, let dropped = totals.dropped,
            let rejected = totals.rejected
        else { return nil }
        return SenderAccount(
            senderId: senderId, sequence: sequence, made: made, dropped: dropped, rejected: rejected)
    }

    private mutating func takeSenderId(level: Int, in bytes: RawSpan) throws(SyntaxError) -> TextSlice? {
        guard try peek(in: bytes) == UInt8(ascii: "\"") else {
            try skipValue(in: bytes, level: level)
            return nil
        }
        let text = try takeString(in: bytes, keeping: true)
        return fault(in: text, by: TextRule.senderId, of: bytes) == nil ? text.slice : nil
    }

    /// A whole number from 0 to 2⁵³.
    private mutating func takeTotal(level: Int, in bytes: RawSpan) throws(SyntaxError) -> Int64? {
        let first = try peek(in: bytes)
        guard first &- UInt8(ascii: "0") <= 9 || first == UInt8(ascii: "-") else {
            try skipValue(in: bytes, level: level)
            return nil
        }
        let number = try takeNumber(in: bytes)
        guard number.isWhole, let value = number.int64, (0...1 << 53).contains(value) else { return nil }
        return value
    }
}

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
