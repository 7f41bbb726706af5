internal import Foundation

/// Tables for dashboards: RFC 4180 with CRLF, UTF-8 without a byte order mark, one header row.
package enum CSVRenderer {
    package static func render(_ table: ReportTable) -> String {
        line(table.columns.map(\.name)) + table.rows.map { line($0.map(text)) }.joined()
    }

    /// A record of cells' texts, quoted where they need it.
    static func line(_ cells: [String]) -> String {
        cells.map(quoted).joined(separator: ",") + "\r\n"
    }

    /// A cell's text, with care for spreadsheets.
    static func text(_ cell: ReportCell) -> String {
        guard case .text(let text) = cell else { return cell.number ?? "" }
        return guarded(text)
    }

    /// A spreadsheet takes a cell that begins so for a formula; an apostrophe makes it text. A text that has such
    /// apostrophes of its own gets one more, so that no two texts have the same cell.
    private static func guarded(_ text: String) -> String {
        let bare = text.utf8.drop { $0 == UInt8(ascii: "'") }
        guard let first = bare.first, "=+-@\t\r".utf8.contains(first), !isNumber(bare) else { return text }
        return "'" + text
    }

    /// `[+-]?[0-9]+(\.[0-9]+)?` as a whole.
    private static func isNumber(_ text: Substring.UTF8View) -> Bool {
        var bytes = text
        if let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { bytes = bytes.dropFirst() }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(digits.contains) }
    }

    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}

extension ReportCell {
    /// The number as every machine-read format writes it; nil for texts and empty cells.
    var number: String? {
        switch self {
        case .empty, .text: nil
        case .integer(let value): String(value)
        case .decimal(let value): String(format: "%.6f", value)
        }
    }
}
