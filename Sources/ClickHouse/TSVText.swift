/// ClickHouse's `TabSeparated`: fields between tabs, rows ended by LF, what would disturb that behind a backslash.
package enum TSVText {
    /// Appends a text as one field; the contract knows no empty text, so one that is empty stays empty.
    package static func append(_ text: some Sequence<UInt8>, to row: inout [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\\"): row += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
            case UInt8(ascii: "\t"): row += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case UInt8(ascii: "\n"): row += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\r"): row += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case 0: row += [UInt8(ascii: "\\"), UInt8(ascii: "0")]
            default: row.append(byte)
            }
        }
    }

    /// Appends decimal digits; nil is NULL.
    package static func append(_ value: Int64?, to row: inout [UInt8]) {
        guard let value else { return row += [UInt8(ascii: "\\"), UInt8(ascii: "N")] }
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
