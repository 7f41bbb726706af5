/// Reads CSV as ``CSVRenderer`` writes it.
enum CSVRecords {
    /// The records with their cells, header first; nil for text that ends inside quotes.
    static func parse(_ text: String) -> [[String]]? {
        var records: [[String]] = []
        var record: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        var bytes = text.utf8.makeIterator()
        var next = bytes.next()
        while let byte = next {
            next = bytes.next()
            switch byte {
            case UInt8(ascii: "\"") where isQuoted && next == UInt8(ascii: "\""):
                cell.append(byte)
                next = bytes.next()
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                record.append(String(decoding: cell, as: UTF8.self))
                cell = []
            case UInt8(ascii: "\r") where !isQuoted && next == UInt8(ascii: "\n"):
                next = bytes.next()
                record.append(String(decoding: cell, as: UTF8.self))
                records.append(record)
                (record, cell) = ([], [])
            default: cell.append(byte)
            }
        }
        return isQuoted || !record.isEmpty || !cell.isEmpty ? nil : records
    }
}
