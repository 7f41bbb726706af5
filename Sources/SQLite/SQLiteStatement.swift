internal import CSQLite

/// One prepared statement: parameters are bound by their number from 1, columns read by theirs from 0.
package final class SQLiteStatement {
    private let connection: SQLiteConnection
    private let handle: OpaquePointer
    private let sql: String

    init(connection: SQLiteConnection, sql: String) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK else { throw connection.error(code, in: sql) }
        guard let prepared else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "no statement in the text", statement: sql)
        }
        self.connection = connection
        self.handle = prepared
        self.sql = sql
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Goes to the next row: false when there is none. A statement that is done starts again after ``reset()``.
    package func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.error(code, in: sql)
        }
    }

    /// Runs a statement without rows from its bound values, and makes it ready for the next ones.
    package func run() throws(SQLiteError) {
        defer { reset() }
        _ = try step()
    }

    /// Ready to run again; bound values stay.
    package func reset() {
        sqlite3_reset(handle)
    }

    // MARK: Binding

    package func bind(_ index: Int, _ value: Int64?) throws(SQLiteError) {
        try check(value.map { sqlite3_bind_int64(handle, Int32(index), $0) } ?? sqlite3_bind_null(handle, Int32(index)))
    }

    /// Binds a copy of the text.
    package func bind(_ index: Int, _ text: String) throws(SQLiteError) {
        var text = text
        let code = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                csqlite_bind_text_copy(handle, Int32(index), $0.baseAddress, Int32($0.count))
            }
        }
        try check(code)
    }

    /// Binds a copy of the bytes as a blob.
    package func bind(_ index: Int, blob: RawSpan) throws(SQLiteError) {
        try check(
            blob.withUnsafeBytes { csqlite_bind_blob_copy(handle, Int32(index), $0.baseAddress, Int32($0.count)) })
    }

    /// Binds bytes as a blob without copying: they are read when the statement runs, and must stay until it is bound anew
    /// or gone.
    package func bind(_ index: Int, borrowingBlob bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
        try check(csqlite_bind_blob_static(handle, Int32(index), bytes.baseAddress, Int32(bytes.count)))
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        if code != SQLITE_OK { throw connection.error(code, in: sql) }
    }

    // MARK: Columns of the current row

    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// What a column of the result is called.
    package func name(_ column: Int) -> String {
        sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
    }

    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    /// Whether a column holds bytes that are no text.
    package func isBlob(_ column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(column)) == SQLITE_BLOB
    }

    /// Whether a column holds just this integer, or NULL for nil: no text or fraction that reads like it.
    package func holds(_ column: Int, _ value: Int64?) -> Bool {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_NULL: value == nil
        case SQLITE_INTEGER: value == int(column)
        default: false
        }
    }

    /// Whether a column holds text, or nothing.
    package func holdsText(_ column: Int) -> Bool {
        [SQLITE_TEXT, SQLITE_NULL].contains(sqlite3_column_type(handle, Int32(column)))
    }

    /// A column's value for people to read.
    package func words(_ column: Int) -> String {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_NULL: "NULL"
        case SQLITE_INTEGER: "\(int(column))"
        case SQLITE_FLOAT: "\(sqlite3_column_double(handle, Int32(column)))"
        default: String(text(column).prefix(200)).debugDescription
        }
    }

    package func int(_ column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(column))
    }

    package func intOrNil(_ column: Int) -> Int64? {
        isNull(column) ? nil : int(column)
    }

    /// The column's text, empty for NULL.
    package func text(_ column: Int) -> String {
        withBytes(column) { bytes in bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }

    /// A copy of the bytes of a text or blob column, none for NULL.
    package func bytes(_ column: Int) -> [UInt8] {
        withBytes(column) { bytes in bytes.withUnsafeBytes { [UInt8]($0) } }
    }

    package func textOrNil(_ column: Int) -> String? {
        isNull(column) ? nil : text(column)
    }

    /// Lends the bytes of a text or blob column; they go with the next step.
    package func withBytes<Result>(_ column: Int, _ body: (RawSpan) throws -> Result) rethrows -> Result {
        let bytes = sqlite3_column_blob(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count).bytes)
    }
}
