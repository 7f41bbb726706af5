internal import Platform

/// Several values as one byte string: each text after its length, each number in eight bytes.
struct DictionaryKey {
    private var rest: ArraySlice<UInt8>

    init(_ key: [UInt8]) {
        rest = key[...]
    }

    static func append(_ text: RawSpan, to key: inout [UInt8]) {
        append(Int64(text.byteCount), to: &key)
        key.append(text)
    }

    static func append(_ number: Int64, to key: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { key.append(contentsOf: $0) }
    }

    mutating func number() -> Int64 {
        var number: UInt64 = 0
        for (position, byte) in rest.prefix(8).enumerated() { number |= UInt64(byte) << UInt64(position * 8) }
        rest = rest.dropFirst(8)
        return Int64(bitPattern: number)
    }

    /// Lends the bytes of the next text.
    mutating func withText<Result>(_ body: (RawSpan) -> Result) -> Result {
        let count = max(0, Int(truncatingIfNeeded: number()))
        defer { rest = rest.dropFirst(count) }
        let text = rest.prefix(count)
        return body(text.span.bytes)
    }

    /// The next text, nil for one of no bytes.
    mutating func text() -> String? {
        let bytes = bytes()
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of the next text.
    mutating func bytes() -> [UInt8] {
        let count = max(0, Int(truncatingIfNeeded: number()))
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
