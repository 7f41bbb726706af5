/// What SQLite said when a call failed.
package struct SQLiteError: Error, Sendable, CustomStringConvertible {
    /// The extended result code, `SQLITE_…` of sqlite3.h.
    package let code: Int32
    /// SQLite's own message.
    package let message: String
    /// The statement at fault, or the file when opening failed.
    package let statement: String

    package init(code: Int32, message: String, statement: String) {
        self.code = code
        self.message = message
        self.statement = statement
    }

    /// The code without its extension: `SQLITE_BUSY`, `SQLITE_FULL`, …
    package var primaryCode: Int32 { code & 0xff }

    package var description: String { "SQLite error \(code): \(message) (in: \(statement))" }
}
