extension JSONScanner {
    /// Takes a number that begins here.
    @inline(__always)
    mutating func takeNumber(in bytes: RawSpan) throws(SyntaxFault) -> ExactNumber {
        let start = at
        var magnitude: UInt64 = 0
        var end = start
        // Up to 18 digits without sign, point or exponent: most numbers, and none of them overflows.
        let limit = min(bytes.byteCount, start &+ 18)
        while end < limit {
            let digit = bytes.byte(end) &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            magnitude = magnitude &* 10 &+ UInt64(digit)
            end &+= 1
        }
        if end > start, end < bytes.byteCount, end &- start == 1 || bytes.byte(start) != UInt8(ascii: "0") {
            let next = bytes.byte(end)
            if next == UInt8(ascii: ",") || next == UInt8(ascii: "}") || next <= 0x20 {
                at = end
                return ExactNumber(magnitude: magnitude)
            }
        }
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
