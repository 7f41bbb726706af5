internal import Platform

/// ClickHouse's `TabSeparated`: fields between tabs, rows ended by LF, what would disturb that behind a backslash.
package enum TSVText {
    /// Appends a text as one field; the contract knows no empty text, so one that is empty stays empty.
    package static func append(_ text: RawSpan, to row: inout [UInt8]) {
        let hasSpecial = text.byteOffsets.contains { offset in
            isSpecial(text.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
        }
        guard hasSpecial else { return row.append(text) }
        for offset in text.byteOffsets {
            let byte = text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            guard isSpecial(byte) else {
                row.append(byte)
                continue
            }
            row.append(UInt8(ascii: "\\"))
            row.append(escaped(byte))
        }
    }

    package static func append(_ text: [UInt8], to row: inout [UInt8]) {
        append(text.span.bytes, to: &row)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0, UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\\"): true
        default: false
        }
    }

    /// What stands behind the backslash.
    private static func escaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "\t"): UInt8(ascii: "t")
        case UInt8(ascii: "\n"): UInt8(ascii: "n")
        case UInt8(ascii: "\r"): UInt8(ascii: "r")
        case 0: UInt8(ascii: "0")
        default: byte
        }
    }

    /// Appends decimal digits; nil is NULL.
    package static func append(_ value: Int64?, to row: inout [UInt8]) {
        guard let value else {
            row.append(UInt8(ascii: "\\"))
            return row.append(UInt8(ascii: "N"))
        }
        append(value.magnitude, isNegative: value < 0, to: &row)
    }

    package static func append(_ value: UInt64, isNegative: Bool = false, to row: inout [UInt8]) {
        if isNegative { row.append(UInt8(ascii: "-")) }
        let start = row.count
        var rest = value
        repeat {
            row.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        row[start...].reverse()
    }
}
