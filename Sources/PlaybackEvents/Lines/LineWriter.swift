internal import Platform

/// Writes JSON into room that was made for it beforehand.
///
/// Who makes the room knows how much can come; writing past its end is a programming error and stops the program.
struct LineWriter {
    private let room: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    /// The most room that an integer takes: 20 bytes, and what is stored of a word behind it.
    static let longestInteger = 28

    init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        self.room = UnsafeMutableRawBufferPointer(room)
    }

    /// The most bytes that a text takes with its quotes.
    static func longest(text count: Int) -> Int { 6 * count + 2 }

    @inline(__always)
    private mutating func take(_ bytes: Int) -> Int {
        let position = count
        precondition(bytes <= room.count &- position)
        count = position &+ bytes
        return position
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        room[take(1)] = byte
    }

    @inline(__always)
    mutating func put(_ literal: StaticString) {
        let position = take(literal.utf8CodeUnitCount)
        let target = UnsafeMutableRawBufferPointer(rebasing: room[position...])
        target.copyMemory(from: UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    mutating func put(bytes: RawSpan) {
        let position = take(bytes.byteCount)
        let target = UnsafeMutableRawBufferPointer(rebasing: room[position...])
        bytes.withUnsafeBytes { target.copyMemory(from: $0) }
    }

    @inline(__always)
    mutating func put(_ integer: Int64) {
        if integer < 0 { put(UInt8(ascii: "-")) }
        put(magnitude: integer.magnitude)
    }

    private mutating func put(magnitude: UInt64) {
        guard magnitude >= 100_000_000 else { return put(leading: magnitude) }
        let (high, low) = magnitude.quotientAndRemainder(dividingBy: 100_000_000)
        put(magnitude: high)
        put(word: ByteWord.digits(below10to8: low) | ByteWord.every(0x30))
    }

    /// Puts a number below 10⁸ without leading zeros.
    @inline(__always)
    private mutating func put(leading number: UInt64) {
        let digits = ByteWord.digits(below10to8: number)
        let zeros = number == 0 ? 7 : ByteWord.first(digits)
        // The room holds a word more than any number needs, so the eight bytes can be stored at once.
        let position = take(8)
        room.storeBytes(
            of: ((digits | ByteWord.every(0x30)) &>> UInt64(zeros &* 8)).littleEndian, toByteOffset: position,
            as: UInt64.self)
        count = position &+ 8 &- zeros
    }

    /// Puts a JSON string; the text is UTF-8.
    @inline(__always)
    mutating func put(text: RawSpan) {
        put(UInt8(ascii: "\""))
        putEscaped(text)
        put(UInt8(ascii: "\""))
    }

    @inline(__always)
    private mutating func putEscaped(_ text: RawSpan) {
        let length = text.byteCount
        guard length >= 8 else { return putSlowly(text, from: 0) }
        var position = 0
        while position &+ 8 <= length {
            let word = text.word(position)
            guard ByteWord.needsEscape(word) == 0 else { return putSlowly(text, from: position) }
            put(word: word)
            position &+= 8
        }
        guard position < length else { return }
        // The last eight bytes once more, over those of them that stand already.
        let word = text.word(length &- 8)
        guard ByteWord.needsEscape(word) == 0 else { return putSlowly(text, from: position) }
        count = count &- (position &+ 8 &- length)
        put(word: word)
    }

    private mutating func putSlowly(_ text: RawSpan, from start: Int) {
        for position in start..<text.byteCount { putEscaped(text.byte(position)) }
    }

    private mutating func putEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            put(UInt8(ascii: "\\"))
            put(byte)
        case 0x0A: put("\\n")
        case 0x0D: put("\\r")
        case 0x09: put("\\t")
        case ..<0x20:
            put("\\u00")
            put(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            put(UInt8(truncatingIfNeeded: Hexadecimal.digits(ofLow: UInt64(byte)) &>> 56))
        default: put(byte)
        }
    }

    mutating func put(base64 bytes: RawSpan) {
        for position in stride(from: 0, to: bytes.byteCount, by: 3) {
            let digits = Base64.group(bytes, from: position)
            put(digits.0)
            put(digits.1)
            put(digits.2)
            put(digits.3)
        }
    }

    mutating func put(uuid id: Identifier128) {
        let second = Hexadecimal.digits(ofLow: id.high)
        let third = Hexadecimal.digits(ofLow: id.low >> 32)
        put(word: Hexadecimal.digits(ofLow: id.high >> 32))
        put(UInt8(ascii: "-"))
        put(half: second)
        put(UInt8(ascii: "-"))
        put(half: second >> 32)
        put(UInt8(ascii: "-"))
        put(half: third)
        put(UInt8(ascii: "-"))
        put(half: third >> 32)
        put(word: Hexadecimal.digits(ofLow: id.low))
    }

    mutating func put(hexadecimal id: Identifier128) {
        put(word: Hexadecimal.digits(ofLow: id.high >> 32))
        put(word: Hexadecimal.digits(ofLow: id.high))
        put(word: Hexadecimal.digits(ofLow: id.low >> 32))
        put(word: Hexadecimal.digits(ofLow: id.low))
    }

    private mutating func put(word: UInt64) {
        room.storeBytes(of: word.littleEndian, toByteOffset: take(8), as: UInt64.self)
    }

    private mutating func put(half: UInt64) {
        let bytes = UInt32(truncatingIfNeeded: half).littleEndian
        room.storeBytes(of: bytes, toByteOffset: take(4), as: UInt32.self)
    }
}
