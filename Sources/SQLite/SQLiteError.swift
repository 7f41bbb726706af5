internal import CSQLite

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

    /// What a call says that was ended.
    package static let interrupted = SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted", statement: "")

    /// Somebody else reads what has to stay for him.
    package static let locked = SQLiteError(code: SQLITE_BUSY, message: "a reader does not end", statement: "")

    /// What a row is whose numbers nobody can have written.
    package static let impossibleRow = SQLiteError(
        code: SQLITE_CORRUPT, message: "a row has a number that no play, sender or hour can have", statement: "")

    /// The code without its extension: `SQLITE_BUSY`, `SQLITE_FULL`, …
    package var primaryCode: Int32 { code & 0xff }

    /// Another connection holds a lock; the same call may succeed later.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// The system doesn't let this process open the file, or write where SQLite has to.
    package var isDenied: Bool { [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM].contains(primaryCode) }

    /// The disk doesn't do what it was asked: there is no room left, or it fails.
    package var isOfDisk: Bool { primaryCode == SQLITE_FULL || primaryCode == SQLITE_IOERR }

    /// There is no room left on the disk.
    package var isFull: Bool { primaryCode == SQLITE_FULL }

    /// It was ended: it took longer than ``SQLiteConnection/limit(to:)`` allows, or the process ends.
    package var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }

    /// The file is no database at all.
    package var isNoDatabase: Bool { primaryCode == SQLITE_NOTADB }

    /// The file is a database, and damaged.
    package var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT }

    /// The file's bytes are not what SQLite has written there.
    package var isDamage: Bool { isNoDatabase || isCorrupt }

    package var description: String { "SQLite error \(code): \(message) (in: \(statement))" }
}
