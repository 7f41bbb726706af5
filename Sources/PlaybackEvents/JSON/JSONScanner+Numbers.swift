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
    mutating func takeNumber(in bytes: RawSpan) throws(SyntaxFault) -> ExactNumber {
        let start = at
        try skipNumber(in: bytes)
        return ExactNumber(token: start..<at, of: bytes)
    }

    /// Takes a number that begins here, for its syntax alone.
    mutating func skipNumber(in bytes: RawSpan) throws(SyntaxFault) {
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
    private mutating func takeDigits(in bytes: RawSpan) throws(SyntaxFault) {
        guard try peek(in: bytes) &- UInt8(ascii: "0") <= 9 else { throw SyntaxFault(offset: at) }
        while bytes.has(at), bytes.byte(at) &- UInt8(ascii: "0") <= 9 { at += 1 }
    }
}
