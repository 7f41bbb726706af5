/// What can't be read as a dictionary.
struct DictionaryError: Error {}

/// A bare item of a structured field.
enum BareItem {
    /// In thousandths: a decimal has up to three places.
    case number(Int64)
    case string([UInt8])
    case token(ArraySlice<UInt8>)
    /// A boolean, bytes, a date or a display string: nothing that a key of ours takes.
    case other
}

/// A member's value: one item, or an inner list of them.
struct MemberValue {
    /// ``BareItem/other`` in an empty list.
    var first: BareItem
    /// The further items of a list.
    var rest: [BareItem] = []
    var isList = false
    var isEmpty = false
}

/// Reads a dictionary of structured fields (RFC 8941; dates and display strings of RFC 9651 too), front to back.
///
/// It is more lenient than the standard in two ways that cost nothing: keys may have capitals, as those of CTA-5004's own
/// examples do, and strings may hold UTF-8. Parameters are read over.
struct DictionaryReader {
    private let text: ArraySlice<UInt8>
    private var at: Int
    private var isFirst = true

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        at = text.startIndex
        skip { $0 == 0x20 }
    }

    /// The key of the next member; nil after the last one.
    mutating func nextKey() throws(DictionaryError) -> ArraySlice<UInt8>? {
        skip { $0 == 0x20 || $0 == 0x09 }
        if at == text.endIndex { return nil }
        if !isFirst {
            guard take(",") else { throw DictionaryError() }
            skip { $0 == 0x20 || $0 == 0x09 }
        }
        isFirst = false
        return try key()
    }

    /// The value of the key that was read last.
    mutating func value() throws(DictionaryError) -> MemberValue {
        guard take("=") else {
            try skipParameters()
            return MemberValue(first: .other)
        }
        guard take("(") else {
            let item = try bareItem()
            try skipParameters()
            return MemberValue(first: item)
        }
        var list = MemberValue(first: .other, isList: true, isEmpty: true)
        while true {
            skip { $0 == 0x20 }
            if take(")") { break }
            let item = try bareItem()
            if list.isEmpty { list.first = item } else { list.rest.append(item) }
            list.isEmpty = false
            try skipParameters()
            guard at < text.endIndex, text[at] == 0x20 || text[at] == UInt8(ascii: ")") else { throw DictionaryError() }
        }
        try skipParameters()
        return list
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while at < text.endIndex, isSkipped(text[at]) { at += 1 }
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard at < text.endIndex, text[at] == UInt8(ascii: byte) else { return false }
        at += 1
        return true
    }

    private mutating func key() throws(DictionaryError) -> ArraySlice<UInt8> {
        let start = at
        guard at < text.endIndex, Self.isLetter(text[at]) || text[at] == UInt8(ascii: "*") else {
            throw DictionaryError()
        }
        skip(while: Self.isOfKey)
        return text[start..<at]
    }

    private mutating func skipParameters() throws(DictionaryError) {
        while take(";") {
            skip { $0 == 0x20 }
            _ = try key()
            if take("=") { _ = try bareItem() }
        }
    }

    private mutating func bareItem() throws(DictionaryError) -> BareItem {
        guard at < text.endIndex else { throw DictionaryError() }
        switch text[at] {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "?"): return try boolean()
        case UInt8(ascii: ":"): return try bytes()
        case UInt8(ascii: "@"):
            at += 1
            _ = try number()
            return .other
        case UInt8(ascii: "%"):
            at += 1
            _ = try string()
            return .other
        case let first where Self.isLetter(first) || first == UInt8(ascii: "*"):
            let start = at
            skip { Self.isLetter($0) || Self.isDigit($0) || "!#$%&'*+-.^_`|~:/".utf8.contains($0) }
            return .token(text[start..<at])
        default: throw DictionaryError()
        }
    }

    /// An integer of up to 15 digits, or a decimal of up to twelve and three.
    private mutating func number() throws(DictionaryError) -> Int64 {
        let isNegative = take("-")
        let (whole, digits) = try digits(atMost: 15)
        var value = whole * 1_000
        if take(".") {
            guard digits <= 12 else { throw DictionaryError() }
            var (positions, count) = try self.digits(atMost: 3)
            while count < 3 {
                positions *= 10
                count += 1
            }
            value += positions
        }
        return isNegative ? -value : value
    }

    private mutating func digits(atMost most: Int) throws(DictionaryError) -> (value: Int64, count: Int) {
        var value: Int64 = 0
        let start = at
        while at < text.endIndex, Self.isDigit(text[at]) {
            guard at - start < most else { throw DictionaryError() }
            value = value * 10 + Int64(text[at] - UInt8(ascii: "0"))
            at += 1
        }
        guard at > start else { throw DictionaryError() }
        return (value, at - start)
    }

    private mutating func string() throws(DictionaryError) -> [UInt8] {
        guard take("\"") else { throw DictionaryError() }
        var string: [UInt8] = []
        while at < text.endIndex {
            let byte = text[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return string
            case UInt8(ascii: "\\"):
                guard at < text.endIndex, text[at] == UInt8(ascii: "\"") || text[at] == UInt8(ascii: "\\") else {
                    throw DictionaryError()
                }
                string.append(text[at])
                at += 1
            case 0x20..<0x7F, 0x80...: string.append(byte)
            default: throw DictionaryError()
            }
        }
        throw DictionaryError()
    }

    private mutating func boolean() throws(DictionaryError) -> BareItem {
        at += 1
        guard take("0") || take("1") else { throw DictionaryError() }
        return .other
    }

    private mutating func bytes() throws(DictionaryError) -> BareItem {
        at += 1
        skip { Self.isLetter($0) || Self.isDigit($0) || "+/=".utf8.contains($0) }
        guard take(":") else { throw DictionaryError() }
        return .other
    }

    private static func isOfKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"): true
        default: isLetter(byte) || isDigit(byte)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
}
