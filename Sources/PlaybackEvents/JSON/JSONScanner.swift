/// Reads JSON (RFC 8259) strictly, front to back, without recursion.
///
/// It holds a place, not the bytes: every call is given the same ones, as a span whose bounds are checked. What is legal
/// JSON and yet against the contract (a key twice, a lone surrogate, too many levels) is noted in ``scope`` and read over.
struct JSONScanner {
    /// The next byte to read.
    var at = 0
    /// Texts that had escapes, unescaped; they count as standing behind the bytes. A lone surrogate is kept in the
    /// three bytes that UTF-8 would have for it, so that keys with different ones differ.
    var arena: [UInt8] = []
    var keys = KeyStack()
    var scope = ScopeErrors()
    /// The field that is being read, for ``scope``.
    var field = ScopeErrors.noField
    /// The kinds of the open containers of a value that is skipped: a bit each, 1 an object.
    var brackets: [UInt64] = []
    /// Where the keys of its open objects begin.
    var keyBases: [Int] = []

    mutating func reset() {
        at = 0
        arena.removeAll(keepingCapacity: true)
        keys.removeAll()
        scope = ScopeErrors()
        field = ScopeErrors.noField
    }

    /// The byte at the place.
    ///
    /// - Throws: ``SyntaxError`` at the end of the text.
    @inline(__always)
    func peek(in bytes: RawSpan) throws(SyntaxError) -> UInt8 {
        guard bytes.has(at) else { throw SyntaxError(offset: bytes.byteCount) }
        return bytes.byte(at)
    }

    /// Skips the mark that some programs put before UTF-8; to be called at the beginning.
    mutating func skipByteOrderMark(in bytes: RawSpan) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.byteCount >= 3, (0..<3).allSatisfy({ bytes.byte($0) == mark[$0] }) { at = 3 }
    }

    @inline(__always)
    mutating func skipSpace(in bytes: RawSpan) {
        if bytes.has(at), bytes.byte(at) > 0x20 { return }
        skipFoundSpace(in: bytes)
    }

    private mutating func skipFoundSpace(in bytes: RawSpan) {
        while bytes.has(at) {
            let byte = bytes.byte(at)
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            at &+= 1
        }
    }

    /// Takes one byte that must stand here.
    @inline(__always)
    mutating func take(_ byte: UInt8, in bytes: RawSpan) throws(SyntaxError) {
        guard bytes.has(at), bytes.byte(at) == byte else { throw SyntaxError(offset: at) }
        at &+= 1
    }

    /// Takes the colon after a key and the white space round it.
    @inline(__always)
    mutating func takeColon(in bytes: RawSpan) throws(SyntaxError) {
        skipSpace(in: bytes)
        try take(UInt8(ascii: ":"), in: bytes)
        skipSpace(in: bytes)
    }

    /// After a member or an element: takes a comma, or the bracket that closes the container.
    ///
    /// - Returns: whether the container goes on; white space after the comma is skipped.
    @inline(__always)
    mutating func takeComma(orClose bracket: UInt8, in bytes: RawSpan) throws(SyntaxError) -> Bool {
        skipSpace(in: bytes)
        let byte = try peek(in: bytes)
        guard byte == UInt8(ascii: ",") || byte == bracket else { throw SyntaxError(offset: at) }
        at &+= 1
        guard byte != bracket else { return false }
        skipSpace(in: bytes)
        return true
    }

    /// Takes the opening bracket of a container and white space.
    ///
    /// - Returns: whether there is anything in it; an empty one is taken whole.
    @inline(__always)
    mutating func takeOpening(closing bracket: UInt8, in bytes: RawSpan) throws(SyntaxError) -> Bool {
        at &+= 1
        skipSpace(in: bytes)
        guard try peek(in: bytes) == bracket else { return true }
        at &+= 1
        return false
    }

    /// Takes a `true`, `false` or `null` whose first letter stands here.
    mutating func takeLiteral(_ literal: StaticString, in bytes: RawSpan) throws(SyntaxError) {
        for index in 0..<literal.utf8CodeUnitCount {
            try take(literal.utf8Start[index], in: bytes)
        }
    }

    /// Takes `null`, when one begins here.
    @inline(__always)
    mutating func takeNull(in bytes: RawSpan) throws(SyntaxError) -> Bool {
        guard try peek(in: bytes) == UInt8(ascii: "n") else { return false }
        try takeLiteral("null", in: bytes)
        return true
    }

    /// Whether the given bytes begin here.
    func begins(_ text: RawSpan, in bytes: RawSpan) -> Bool {
        guard text.byteCount <= bytes.byteCount - at else { return false }
        var position = 0
        while position + 8 <= text.byteCount {
            guard text.word(position) == bytes.word(at + position) else { return false }
            position += 8
        }
        while position < text.byteCount {
            guard text.byte(position) == bytes.byte(at + position) else { return false }
            position += 1
        }
        return true
    }

    /// Whether a text was unescaped into the arena.
    @inline(__always)
    func isInArena(_ text: TextSlice, of bytes: RawSpan) -> Bool {
        Int(text.offset) >= bytes.byteCount
    }

    /// Where a text stands in the arena.
    func arenaRange(_ text: TextSlice, of bytes: RawSpan) -> Range<Int> {
        let start = Int(text.offset) - bytes.byteCount
        return start..<start + Int(text.count)
    }

    /// A byte of a text that this scanner read.
    @inline(__always)
    func byte(of text: TextSlice, _ position: Int, in bytes: RawSpan) -> UInt8 {
        text.byte(position, in: bytes, arena: arena)
    }

    /// Whether a text that this scanner read is the given one.
    func isText(_ text: TextSlice, _ other: StaticString, in bytes: RawSpan) -> Bool {
        guard Int(text.count) == other.utf8CodeUnitCount else { return false }
        for position in 0..<other.utf8CodeUnitCount
        where byte(of: text, position, in: bytes) != other.utf8Start[position] {
            return false
        }
        return true
    }
}

extension JSONScanner {
    /// Puts a text that this scanner read into the arena once more.
    mutating func appendToArena(_ text: TextSlice, in bytes: RawSpan) {
        for position in 0..<Int(text.count) { arena.append(byte(of: text, position, in: bytes)) }
    }

    /// Puts a text into the arena as a JSON string; it holds no controls.
    mutating func appendStringToArena(_ text: TextSlice, in bytes: RawSpan) {
        arena.append(UInt8(ascii: "\""))
        for position in 0..<Int(text.count) {
            let byte = byte(of: text, position, in: bytes)
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { arena.append(UInt8(ascii: "\\")) }
            arena.append(byte)
        }
        arena.append(UInt8(ascii: "\""))
    }
}

/// What breaks the contract without breaking JSON's syntax, in one event or in everything outside the events.
struct ScopeErrors {
    /// Stands for "no known field".
    static let noField = UInt8.max

    /// A container deeper than ``ContractLimits/depth``.
    var isTooDeep = false
    var hasLoneSurrogate = false
    /// The field that holds the first lone surrogate.
    var surrogateField = noField
    /// Where the first key stands that its object already had; `Int.max` when there is none.
    var duplicatePlace = Int.max
    /// The field that is or holds that key.
    var duplicateField = noField
    /// Keys from here on are not compared: what holds them is refused anyway.
    var keysEnd = Int.max

    var isClean: Bool {
        !isTooDeep && !hasLoneSurrogate && duplicatePlace == .max
    }

    mutating func noteSurrogate(in field: UInt8) {
        guard !hasLoneSurrogate else { return }
        hasLoneSurrogate = true
        surrogateField = field
    }

    mutating func noteDuplicate(at position: Int, in field: UInt8) {
        guard position < duplicatePlace else { return }
        duplicatePlace = position
        duplicateField = field
    }
}

extension JSONScanner {
    /// Takes a number of up to 16 digits without sign, point or exponent, as most are.
    ///
    /// - Returns: nil for any other value, and near the end of the text, where nothing is taken.
    @inline(__always)
    mutating func takePlainInteger(in bytes: RawSpan) -> Int64? {
        let start = at
        guard start &+ 17 <= bytes.byteCount else { return nil }
        let first = bytes.word(start)
        var length = ByteWord.digitCount(first)
        var value: UInt64
        if length < 8 {
            guard length > 0 else { return nil }
            value = ByteWord.number(first &<< UInt64(64 &- 8 &* length))
        } else {
            length = 8 &+ ByteWord.digitCount(bytes.word(start &+ 8))
            value = ByteWord.number(bytes.word(start &+ length &- 8))
            if length > 8 {
                value = value &+ ByteWord.number(first &<< UInt64(128 &- 8 &* length)) &* 100_000_000
            }
        }
        let next = bytes.byte(start &+ length)
        guard next == UInt8(ascii: ",") || next == UInt8(ascii: "}") || next <= 0x20 else { return nil }
        guard length == 1 || first & 0xFF != 0x30 else { return nil }
        at = start &+ length
        return Int64(truncatingIfNeeded: value)
    }

    /// Takes a number that begins here.
    mutating func takeNumber(in bytes: RawSpan) throws(SyntaxError) -> ExactNumber {
        let start = at
        try skipNumber(in: bytes)
        return ExactNumber(token: start..<at, of: bytes)
    }

    /// Takes a number that begins here, for its syntax alone.
    mutating func skipNumber(in bytes: RawSpan) throws(SyntaxError) {
        if try peek(in: bytes) == UInt8(ascii: "-") { at += 1 }
        if try peek(in: bytes) == UInt8(ascii: "0") {
            at += 1
        } else {
            try takeDigits(in: bytes)
        }
        if bytes.has(at), bytes.byte(at) == UInt8(ascii: ".") {
            at += 1
            try takeDigits(in: bytes)
        }
        if bytes.has(at), bytes.byte(at) | 0x20 == UInt8(ascii: "e") {
            at += 1
            let sign = try peek(in: bytes)
            if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { at += 1 }
            try takeDigits(in: bytes)
        }
    }

    /// Takes one or more decimal digits.
    private mutating func takeDigits(in bytes: RawSpan) throws(SyntaxError) {
        guard try peek(in: bytes) &- UInt8(ascii: "0") <= 9 else { throw SyntaxError(offset: at) }
        while bytes.has(at), bytes.byte(at) &- UInt8(ascii: "0") <= 9 { at += 1 }
    }
}

extension JSONScanner {
    /// Takes any value that begins here.
    ///
    /// Keys that stand twice, lone surrogates and too many levels are noted in ``scope``; nothing of it is kept.
    ///
    /// - Parameter level: the level of the container that holds it; the document's own is 0.
    mutating func skipValue(in bytes: RawSpan, level: Int) throws(SyntaxError) {
        let first = try peek(in: bytes)
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            return try skipScalar(first, in: bytes)
        }
        let arenaCount = arena.count
        try skipContainer(in: bytes, level: level)
        arena.removeLast(arena.count - arenaCount)
    }

    private mutating func skipScalar(_ first: UInt8, in bytes: RawSpan) throws(SyntaxError) {
        switch first {
        case UInt8(ascii: "\""): _ = try takeString(in: bytes, keeping: false)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber(in: bytes)
        case UInt8(ascii: "t"): try takeLiteral("true", in: bytes)
        case UInt8(ascii: "f"): try takeLiteral("false", in: bytes)
        case UInt8(ascii: "n"): try takeLiteral("null", in: bytes)
        default: throw SyntaxError(offset: at)
        }
    }

    private mutating func skipContainer(in bytes: RawSpan, level outer: Int) throws(SyntaxError) {
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
    private mutating func takeSkippedKey(in bytes: RawSpan) throws(SyntaxError) {
        let position = at
        // What is too deep is refused before its keys are looked at.
        let isCompared = position < scope.keysEnd && !scope.isTooDeep
        let key = try takeString(in: bytes, keeping: isCompared)
        if isCompared { keys.push(key.slice, at: position) }
        try takeColon(in: bytes)
    }

    /// Compares the keys of an object that ends.
    mutating func closeObject(keysFrom base: Int, in bytes: RawSpan) {
        if let position = keys.close(from: base, in: bytes, arena: arena) {
            scope.noteDuplicate(at: position, in: field)
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
