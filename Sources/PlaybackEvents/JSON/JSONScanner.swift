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
    var scope = ScopeFaults()
    /// The field that is being read, for ``scope``.
    var field = ScopeFaults.noField
    /// The kinds of the open containers of a value that is skipped: a bit each, 1 an object.
    var brackets: [UInt64] = []
    /// Where the keys of its open objects begin.
    var keyBases: [Int] = []

    mutating func reset() {
        at = 0
        arena.removeAll(keepingCapacity: true)
        keys.removeAll()
        scope = ScopeFaults()
        field = ScopeFaults.noField
    }

    /// The byte at the place.
    ///
    /// - Throws: ``SyntaxFault`` at the end of the text.
    @inline(__always)
    func peek(in bytes: RawSpan) throws(SyntaxFault) -> UInt8 {
        guard bytes.has(at) else { throw SyntaxFault(offset: bytes.byteCount) }
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
    mutating func take(_ byte: UInt8, in bytes: RawSpan) throws(SyntaxFault) {
        guard bytes.has(at), bytes.byte(at) == byte else { throw SyntaxFault(offset: at) }
        at &+= 1
    }

    /// Takes the colon after a key and the white space round it.
    @inline(__always)
    mutating func takeColon(in bytes: RawSpan) throws(SyntaxFault) {
        skipSpace(in: bytes)
        try take(UInt8(ascii: ":"), in: bytes)
        skipSpace(in: bytes)
    }

    /// After a member or an element: takes a comma, or the bracket that closes the container.
    ///
    /// - Returns: whether the container goes on; white space after the comma is skipped.
    @inline(__always)
    mutating func takeComma(orClose bracket: UInt8, in bytes: RawSpan) throws(SyntaxFault) -> Bool {
        skipSpace(in: bytes)
        let byte = try peek(in: bytes)
        guard byte == UInt8(ascii: ",") || byte == bracket else { throw SyntaxFault(offset: at) }
        at &+= 1
        guard byte != bracket else { return false }
        skipSpace(in: bytes)
        return true
    }

    /// Takes the opening bracket of a container and white space.
    ///
    /// - Returns: whether there is anything in it; an empty one is taken whole.
    @inline(__always)
    mutating func takeOpening(closing bracket: UInt8, in bytes: RawSpan) throws(SyntaxFault) -> Bool {
        at &+= 1
        skipSpace(in: bytes)
        guard try peek(in: bytes) == bracket else { return true }
        at &+= 1
        return false
    }

    /// Takes a `true`, `false` or `null` whose first letter stands here.
    mutating func takeLiteral(_ literal: StaticString, in bytes: RawSpan) throws(SyntaxFault) {
        for index in 0..<literal.utf8CodeUnitCount {
            try take(literal.utf8Start[index], in: bytes)
        }
    }

    /// Takes `null`, when one begins here.
    @inline(__always)
    mutating func takeNull(in bytes: RawSpan) throws(SyntaxFault) -> Bool {
        guard try peek(in: bytes) == UInt8(ascii: "n") else { return false }
        try takeLiteral("null", in: bytes)
        return true
    }

    /// Whether the given bytes begin here.
    func begins(_ text: RawSpan, in bytes: RawSpan) -> Bool {
        guard text.byteCount <= bytes.byteCount - at else { return false }
        var place = 0
        while place + 8 <= text.byteCount {
            guard text.word(place) == bytes.word(at + place) else { return false }
            place += 8
        }
        while place < text.byteCount {
            guard text.byte(place) == bytes.byte(at + place) else { return false }
            place += 1
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
    func byte(of text: TextSlice, _ place: Int, in bytes: RawSpan) -> UInt8 {
        text.byte(place, in: bytes, arena: arena)
    }

    /// Whether a text that this scanner read is the given one.
    func isText(_ text: TextSlice, _ other: StaticString, in bytes: RawSpan) -> Bool {
        guard Int(text.count) == other.utf8CodeUnitCount else { return false }
        for place in 0..<other.utf8CodeUnitCount
        where byte(of: text, place, in: bytes) != other.utf8Start[place] {
            return false
        }
        return true
    }
}
