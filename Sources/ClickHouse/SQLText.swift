/// Values as they stand in the text of a ClickHouse query.
///
/// Old servers take no parameters over HTTP, so values become literals here, and nowhere else.
package enum SQLText {
    /// A literal of a text: any bytes, none of which can end it.
    package static func literal(_ text: String) -> String {
        var literal: [UInt8] = [UInt8(ascii: "'")]
        literal.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            switch byte {
            case 0: literal += [UInt8(ascii: "\\"), UInt8(ascii: "0")]
            case UInt8(ascii: "\\"), UInt8(ascii: "'"): literal += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): literal += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            default: literal.append(byte)
            }
        }
        literal.append(UInt8(ascii: "'"))
        return String(decoding: literal, as: UTF8.self)
    }

    package static func literal(_ value: Int64) -> String {
        // The least integer's digits alone are past the range.
        value == .min ? "toInt64('\(value)')" : value < 0 ? "(\(value))" : "\(value)"
    }

    /// Puts literals in the places of a query's `?`, those in texts, names and comments left alone.
    ///
    /// - Returns: nil when there are not as many places as values.
    package static func bound(_ sql: String, _ literals: [String]) -> String? {
        var bound: [UInt8] = []
        var literals = literals[...]
        var rest = sql.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "?"):
                guard let literal = literals.popFirst() else { return nil }
                bound += literal.utf8
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
                bound.append(byte)
                take(&rest, through: byte, into: &bound)
            case UInt8(ascii: "-") where rest.first == byte:
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            default: bound.append(byte)
            }
        }
        return literals.isEmpty ? String(decoding: bound, as: UTF8.self) : nil
    }

    private static func take(_ rest: inout Substring.UTF8View, through end: UInt8, into bound: inout [UInt8]) {
        while let byte = rest.popFirst() {
            bound.append(byte)
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { bound.append(escaped) }
            if byte == end { return }
        }
    }
}
