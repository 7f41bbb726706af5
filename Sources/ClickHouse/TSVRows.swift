internal import Foundation

/// The rows of an answer.
enum TSVRows {
    /// Hands over row by row.
    ///
    /// - Parameter columns: how many a row has; a row with another number is a server's last words, or a stretch of an answer
    ///   that broke off. Nil: whatever comes.
    /// - Throws: ``ClickHouseError`` for an answer that is not whole; what `visit` throws.
    static func forEach(in body: Data, columns: Int?, _ visit: (TSVRow) throws -> Void) throws {
        try body.withUnsafeBytes { body in
            var start = 0
            while start < body.count, let base = body.baseAddress {
                let rest = UnsafeRawBufferPointer(rebasing: body[start...])
                guard let feed = memchr(base + start, 0x0A, rest.count) else { throw broken(rest) }
                let end = UnsafeRawPointer(feed) - base
                let row = TSVRow(Array(body[start..<end])[...])
                if let columns, row.count != columns { throw broken(rest) }
                // Where exceptions come late, newer servers mark them so.
                if row.count == 1, isException(row.field(0)) { throw broken(rest) }
                try visit(row)
                start = end + 1
            }
        }
    }

    private static func isException(_ field: ArraySlice<UInt8>) -> Bool {
        field.starts(with: "Code: ".utf8) || field.starts(with: "__exception__".utf8)
    }

    private static func broken(_ rest: UnsafeRawBufferPointer) -> ClickHouseError {
        let text = String(decoding: rest.prefix(1 << 12), as: UTF8.self)
        let code = ClickHouseError.code(in: text)
        return ClickHouseError(
            code: code, "ClickHouse failed in the middle of its answer: \(ClickHouseError.message(in: text))",
            isTransient: true)
    }
}
