/// The rows of an answer.
enum TSVRows {
    /// Hands over row by row.
    ///
    /// - Parameter columns: how many a row has; a row with another number is a server's last words, or a stretch of an answer
    ///   that broke off. Nil: whatever comes.
    /// - Throws: ``ClickHouseError`` for an answer that is not whole; what `visit` throws.
    static func forEach(in body: [UInt8], columns: Int?, _ visit: (TSVRow) throws -> Void) throws {
        var start = body.startIndex
        while start < body.endIndex {
            guard let end = body[start...].firstIndex(of: UInt8(ascii: "\n")) else { throw broken(body[start...]) }
            let row = TSVRow(body[start..<end])
            if let columns, row.count != columns { throw broken(body[start...]) }
            // Where exceptions come late, newer servers mark them so.
            if row.count == 1, isException(row.field(0)) { throw broken(body[start...]) }
            try visit(row)
            start = end + 1
        }
    }

    private static func isException(_ field: ArraySlice<UInt8>) -> Bool {
        field.starts(with: "Code: ".utf8) || field.starts(with: "__exception__".utf8)
    }

    private static func broken(_ rest: ArraySlice<UInt8>) -> ClickHouseError {
        let text = String(decoding: rest.prefix(1 << 12), as: UTF8.self)
        let code = ClickHouseError.code(in: text)
        return ClickHouseError(
            code: code, "ClickHouse failed in the middle of its answer: \(ClickHouseError.message(in: text))",
            isTransient: true)
    }
}
