internal import Platform

extension JSONScanner {
    /// Takes a string whose opening quote must stand here.
    ///
    /// - Parameter keeping: whether the text is wanted; without it one with escapes leaves nothing in the arena, and the
    ///   slice means nothing.
    /// - Throws: ``SyntaxError`` for a control, a bad escape, bytes that are no UTF-8 (RFC 3629), the end of the text.
    @inline(__always)
    mutating func takeString(in bytes: RawSpan, keeping: Bool) throws(SyntaxError) -> ScannedText {
        try take(UInt8(ascii: "\""), in: bytes)
        let start = at
        let end = Self.plainEnd(from: start, in: bytes)
        if bytes.has(end), bytes.byte(end) == UInt8(ascii: "\"") {
            at = end &+ 1
            return ScannedText(slice: TextSlice(start..<end), hasControl: false)
        }
        at = end
        return try takeRest(from: start, in: bytes, keeping: keeping)
    }

    /// The first byte that is not plain ASCII text, or the end.
    @inline(__always)
    private static func plainEnd(from start: Int, in bytes: RawSpan) -> Int {
        var end = start
        while end &+ 8 <= bytes.byteCount {
            let marks = ByteWord.notPlain(bytes.word(end))
            if marks != 0 { return end &+ ByteWord.first(marks) }
            end &+= 8
        }
        while bytes.has(end) {
            let byte = bytes.byte(end)
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            end &+= 1
        }
        return end
    }

    /// A string from its first byte that is not plain on.
    private mutating func takeRest(
        from start: Int, in bytes: RawSpan, keeping: Bool
    ) throws(SyntaxError) -> ScannedText {
        var hasControl = false
        while true {
            let byte = try peek(in: bytes)
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return ScannedText(slice: TextSlice(start..<at - 1), hasControl: hasControl)
            case UInt8(ascii: "\\"):
                return try takeEscaped(from: start, hasControl: hasControl, in: bytes, keeping: keeping)
            default:
                try takePlainByte(byte, &hasControl, in: bytes)
            }
            at = Self.plainEnd(from: at, in: bytes)
        }
    }

    /// A string from its first backslash on.
    private mutating func takeEscaped(
        from start: Int, hasControl: Bool, in bytes: RawSpan, keeping: Bool
    ) throws(SyntaxError) -> ScannedText {
        var hasControl = hasControl
        let arenaStart = arena.count
        var plain = start
        while true {
            if keeping { appendToArena(plain..<at, of: bytes) }
            plain = at
            let byte = try peek(in: bytes)
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                let from = bytes.byteCount + arenaStart
                let slice = TextSlice(from..<bytes.byteCount + arena.count)
                return ScannedText(slice: slice, hasControl: hasControl)
            case UInt8(ascii: "\\"):
                let scalar = try takeEscape(in: bytes)
                if scalar < 0x20 || (0x7F...0x9F).contains(scalar) { hasControl = true }
                if keeping { appendToArena(scalar) }
                plain = at
            default:
                try takePlainByte(byte, &hasControl, in: bytes)
            }
            at = Self.plainEnd(from: at, in: bytes)
        }
    }

    private mutating func appendToArena(_ range: Range<Int>, of bytes: RawSpan) {
        for position in range { arena.append(bytes.byte(position)) }
    }

    /// Takes DEL or a sequence beyond ASCII.
    private mutating func takePlainByte(
        _ byte: UInt8, _ hasControl: inout Bool, in bytes: RawSpan
    ) throws(SyntaxError) {
        guard byte >= 0x20 else { throw SyntaxError(offset: at) }
        guard byte >= 0x80 else {
            hasControl = hasControl || byte == 0x7F
            at += 1
            return
        }
        let length = UTF8Sequence.length(at: at, in: bytes)
        guard length > 0 else { throw SyntaxError(offset: at) }
        // U+0080–U+009F are C2 80–C2 9F.
        if byte == 0xC2, bytes.byte(at + 1) <= 0x9F { hasControl = true }
        at += length
    }

    /// Takes an escape whose backslash stands here; the value may be a lone surrogate's.
    private mutating func takeEscape(in bytes: RawSpan) throws(SyntaxError) -> UInt32 {
        at += 1
        let letter = try peek(in: bytes)
        let scalar: UInt32
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = UInt32(letter)
        case UInt8(ascii: "b"): scalar = 0x08
        case UInt8(ascii: "f"): scalar = 0x0C
        case UInt8(ascii: "n"): scalar = 0x0A
        case UInt8(ascii: "r"): scalar = 0x0D
        case UInt8(ascii: "t"): scalar = 0x09
        case UInt8(ascii: "u"):
            at += 1
            return try takeCodeUnits(in: bytes)
        default: throw SyntaxError(offset: at)
        }
        at += 1
        return scalar
    }

    /// Takes the digits of a `\u`, and those of a second one that makes a pair with it.
    private mutating func takeCodeUnits(in bytes: RawSpan) throws(SyntaxError) -> UInt32 {
        let unit = try takeFourHex(in: bytes)
        guard (0xD800...0xDFFF).contains(unit) else { return unit }
        if unit < 0xDC00, at + 1 < bytes.byteCount,
            bytes.byte(at) == UInt8(ascii: "\\"), bytes.byte(at + 1) == UInt8(ascii: "u")
        {
            let second = at
            at += 2
            let low = try takeFourHex(in: bytes)
            if (0xDC00...0xDFFF).contains(low) {
                return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            at = second
        }
        scope.noteSurrogate(in: field)
        return unit
    }

    private mutating func takeFourHex(in bytes: RawSpan) throws(SyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hexadecimal.value(of: try peek(in: bytes)) else { throw SyntaxError(offset: at) }
            value = value << 4 | UInt32(digit)
            at += 1
        }
        return value
    }

    private mutating func appendToArena(_ scalar: UInt32) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3F) }
        switch scalar {
        case ..<0x80:
            arena.append(UInt8(truncatingIfNeeded: scalar))
        case ..<0x800:
            arena.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
            arena.append(tail(0))
        case ..<0x10000:
            arena.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
            arena.append(tail(6))
            arena.append(tail(0))
        default:
            arena.append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
            arena.append(tail(12))
            arena.append(tail(6))
            arena.append(tail(0))
        }
    }
}

/// A JSON string as it was read.
struct ScannedText {
    /// Where its text stands: in the bytes that were read or, for one with escapes, behind them in the arena.
    var slice: TextSlice
    /// It holds U+0000–U+001F or U+007F–U+009F.
    var hasControl: Bool
}

/// Sequences of UTF-8 after RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF.
enum UTF8Sequence {
    /// The length of the sequence beyond ASCII that begins at a place, 0 when none does.
    static func length(at position: Int, in bytes: RawSpan) -> Int {
        let lead = bytes.byte(position)
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { second = 0xA0...0xBF }
            if lead == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { second = 0x90...0xBF }
            if lead == 0xF4 { second = 0x80...0x8F }
        default: return 0
        }
        guard position + length <= bytes.byteCount, second.contains(bytes.byte(position + 1)) else { return 0 }
        for tail in 2..<max(length, 2) where bytes.byte(position + tail) & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// Whether all bytes are UTF-8.
    static func isValid(_ bytes: RawSpan) -> Bool {
        var position = 0
        while position < bytes.byteCount {
            if bytes.byte(position) < 0x80 {
                position += 1
            } else {
                let length = length(at: position, in: bytes)
                guard length > 0 else { return false }
                position += length
            }
        }
        return true
    }

    /// Whether UTF-8 holds U+0000–U+001F or U+007F–U+009F.
    static func hasControl(_ bytes: RawSpan) -> Bool {
        for position in bytes.byteOffsets {
            let byte = bytes.byte(position)
            if byte < 0x20 || byte == 0x7F { return true }
            if byte == 0xC2, position + 1 < bytes.byteCount, bytes.byte(position + 1) <= 0x9F { return true }
        }
        return false
    }
}
