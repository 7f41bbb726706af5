/// One file of an export: a header and the records of each day, as their cells are written.
struct ExportFile: Sendable, Equatable {
    var name: String
    var columns: [String]
    /// By the name of the day.
    var days: [String: [[String]]]

    init(name: String, columns: [String], days: [String: [[String]]] = [:]) {
        self.name = name
        self.columns = columns
        self.days = days
    }

    /// Reads a file that an export before has written; nil when it is none with these columns.
    init?(name: String, columns: [String], text: String) {
        guard let records = CSVRecords.parse(text), records.first == columns else { return nil }
        self.init(name: name, columns: columns)
        for record in records.dropFirst() {
            guard record.count == columns.count else { return nil }
            days[record[0], default: []].append(record)
        }
    }

    /// The whole file, days in order.
    var text: String {
        let records = days.sorted { $0.key < $1.key }.flatMap(\.value)
        return ([columns] + records).map(CSVRenderer.line).joined()
    }

    /// Adds the rows of a table under their days.
    mutating func add(_ table: ReportTable) {
        for row in table.rows {
            let record = row.map(CSVRenderer.text)
            days[record[0], default: []].append(record)
        }
    }
}

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
