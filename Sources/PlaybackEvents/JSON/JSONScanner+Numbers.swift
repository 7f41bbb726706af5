extension JSONScanner {
    /// Takes a number of up to 18 digits without sign, point or exponent, as most are; none of them overflows.
    ///
    /// - Returns: nil for any other value, of which nothing is taken.
    @inline(__always)
    mutating func takePlainInteger(in bytes: RawSpan) -> Int64? {
        let start = at
        var end = start
        var value: Int64 = 0
        let limit = min(bytes.byteCount, start &+ 19)
        while end < limit {
            let byte = bytes.byte(end)
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else {
                guard end > start, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte <= 0x20 else { break }
                guard end &- start == 1 || bytes.byte(start) != UInt8(ascii: "0") else { break }
                at = end
                return value
            }
            value = value &* 10 &+ Int64(digit)
            end &+= 1
        }
        return nil
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
        if at < bytes.byteCount, bytes.byte(at) == UInt8(ascii: ".") {
            at += 1
            try takeDigits(in: bytes)
        }
        if at < bytes.byteCount, bytes.byte(at) | 0x20 == UInt8(ascii: "e") {
            at += 1
            let sign = try peek(in: bytes)
            if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { at += 1 }
            try takeDigits(in: bytes)
        }
    }

    /// Takes one or more decimal digits.
    private mutating func takeDigits(in bytes: RawSpan) throws(SyntaxFault) {
        guard try peek(in: bytes) &- UInt8(ascii: "0") <= 9 else { throw SyntaxFault(offset: at) }
        while at < bytes.byteCount, bytes.byte(at) &- UInt8(ascii: "0") <= 9 { at += 1 }
    }
}
