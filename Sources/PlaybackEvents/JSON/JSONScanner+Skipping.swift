extension JSONScanner {
    /// Takes any value that begins here.
    ///
    /// Keys that stand twice, lone surrogates and too many levels are noted in ``scope``; nothing of it is kept.
    ///
    /// - Parameter level: the level of the container that holds it; the document's own is 0.
    mutating func skipValue(in bytes: RawSpan, level: Int) throws(SyntaxFault) {
        let first = try peek(in: bytes)
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            return try skipScalar(first, in: bytes)
        }
        let arenaCount = arena.count
        try skipContainer(in: bytes, level: level)
        arena.removeLast(arena.count - arenaCount)
    }

    private mutating func skipScalar(_ first: UInt8, in bytes: RawSpan) throws(SyntaxFault) {
        switch first {
        case UInt8(ascii: "\""): _ = try takeString(in: bytes, keeping: false)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber(in: bytes)
        case UInt8(ascii: "t"): try takeLiteral("true", in: bytes)
        case UInt8(ascii: "f"): try takeLiteral("false", in: bytes)
        case UInt8(ascii: "n"): try takeLiteral("null", in: bytes)
        default: throw SyntaxFault(offset: at)
        }
    }

    private mutating func skipContainer(in bytes: RawSpan, level outer: Int) throws(SyntaxFault) {
        brackets.removeAll(keepingCapacity: true)
        keyBases.removeAll(keepingCapacity: true)
        var depth = 0
        values: while true {
            // A value begins here.
            let first = try peek(in: bytes)
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                let isObject = first == UInt8(ascii: "{")
                depth += 1
                push(isObject: isObject, depth: depth)
                if outer + depth > ContractLimits.depth { scope.isTooDeep = true }
                if isObject, outer + depth <= ContractLimits.depth { keyBases.append(keys.count) }
                let bracket = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
                if try takeOpening(closing: bracket, in: bytes) {
                    if isObject { try takeSkippedKey(in: bytes) }
                    continue values
                }
                if isObject, outer + depth <= ContractLimits.depth { keyBases.removeLast() }
                depth -= 1
            } else {
                try skipScalar(first, in: bytes)
            }
            // A value has ended; so may containers.
            while depth > 0 {
                if isObject(depth: depth) {
                    if try takeComma(orClose: UInt8(ascii: "}"), in: bytes) {
                        try takeSkippedKey(in: bytes)
                        continue values
                    }
                    if outer + depth <= ContractLimits.depth {
                        closeObject(keysFrom: keyBases.removeLast(), in: bytes)
                    }
                } else if try takeComma(orClose: UInt8(ascii: "]"), in: bytes) {
                    continue values
                }
                depth -= 1
            }
            return
        }
    }

    /// Takes a key of an object that is skipped, and its colon.
    private mutating func takeSkippedKey(in bytes: RawSpan) throws(SyntaxFault) {
        let place = at
        // What is too deep is refused before its keys are looked at.
        let isCompared = place < scope.keysEnd && !scope.isTooDeep
        let key = try takeString(in: bytes, keeping: isCompared)
        if isCompared { keys.push(key.slice, at: place) }
        try takeColon(in: bytes)
    }

    /// Compares the keys of an object that ends.
    mutating func closeObject(keysFrom base: Int, in bytes: RawSpan) {
        if let place = keys.close(from: base, in: bytes, arena: arena) {
            scope.noteDuplicate(at: place, in: field)
        }
    }

    private mutating func push(isObject: Bool, depth: Int) {
        let index = (depth - 1) >> 6
        let bit: UInt64 = 1 << UInt64((depth - 1) & 63)
        if index == brackets.count { brackets.append(0) }
        if isObject { brackets[index] |= bit } else { brackets[index] &= ~bit }
    }

    private func isObject(depth: Int) -> Bool {
        brackets[(depth - 1) >> 6] >> UInt64((depth - 1) & 63) & 1 == 1
    }
}
