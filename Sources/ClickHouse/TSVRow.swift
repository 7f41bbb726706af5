/// One row of a query's response.
package struct TSVRow {
    /// The row without its LF, as it came.
    private let bytes: ArraySlice<UInt8>
    /// Where each field ends; the last at the row's end.
    private let ends: [Int]

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        var ends: [Int] = []
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\t") { ends.append(index) }
        self.ends = ends + [bytes.endIndex]
    }

    package var count: Int { ends.count }

    /// A field as it came, with its escapes; empty past the last.
    package func field(_ column: Int) -> ArraySlice<UInt8> {
        guard ends.indices.contains(column) else { return [] }
        return bytes[(column == 0 ? bytes.startIndex : ends[column - 1] + 1)..<ends[column]]
    }

    package func isNull(_ column: Int) -> Bool {
        field(column).elementsEqual([UInt8(ascii: "\\"), UInt8(ascii: "N")])
    }

    /// A whole number, nil for anything else.
    package func integer(_ column: Int) -> Int64? {
        var digits = field(column)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (shifted, isTooLong) = value.multipliedReportingOverflow(by: 10)
            // Counted downwards, for the least integer has no positive one.
            let (next, isTooSmall) = shifted.subtractingReportingOverflow(Int64(digit))
            if isTooLong || isTooSmall { return nil }
            value = next
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// A field's text without escapes, empty for NULL.
    package func text(_ column: Int) -> [UInt8] {
        let field = field(column)
        guard field.contains(UInt8(ascii: "\\")) else { return Array(field) }
        if isNull(column) { return [] }
        var text: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                text.append(byte)
                continue
            }
            text.append(Self.unescaped(escaped))
        }
        return text
    }

    private static func unescaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "a"): 0x07
        case UInt8(ascii: "v"): 0x0B
        case UInt8(ascii: "0"): 0
        default: byte
        }
    }
}
