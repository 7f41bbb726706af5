internal import Archive
internal import Glibc
internal import SQLite

/// A database opened for reading alone, beside a writer or without one.
///
/// SQLite keeps an index of the write-ahead log in a file beside the database, which nobody can make who may not write
/// there. With nothing in that log the database's file says everything, and is then read as one that nobody changes.
struct ReadOnlyDatabase {
    let connection: SQLiteConnection
    private let path: String
    /// What the file was like when it was opened as one that nobody changes; nil where SQLite keeps readers and writer
    /// apart.
    private let state: FileState?

    /// Opens the database of a data directory.
    ///
    /// - Throws: ``SQLiteStoreError`` when there is none, or it can't be read, or is not ours.
    init(_ data: DataPaths) throws {
        let path = data.database
        guard !SQLiteStore.isMissingOrEmpty(path) else {
            // Plays without a database are another matter than neither.
            let segments = try SegmentList(directory: data.archive, kind: .plays).segments
            throw segments.isEmpty ? SQLiteStoreError.absent(path: path) : .missing(path: path)
        }
        do {
            try self.init(path: path)
            try StoreOrigin.check(connection, data)
        } catch let error as SQLiteError {
            throw SQLiteStoreError.unreadable(path: path, error)
        }
    }

    /// Opens a database that is there.
    ///
    /// - Throws: ``SQLiteStoreError`` for a file that can't be read, or is not ours; ``SQLiteError``.
    init(path: String) throws {
        self.path = path
        do {
            connection = try Self.connection(path, .readOnly)
            state = nil
        } catch let error as SQLiteError where error.isDenied {
            guard access(path, R_OK) == 0, let state = FileState(path) else {
                throw SQLiteStoreError.denied(path: path, reason: String(cString: strerror(errno)))
            }
            guard Self.hasEmptyLog(path) else {
                throw SQLiteStoreError.denied(
                    path: path,
                    reason: "what was written last stands in \(path)-wal, which only who may write beside it can "
                        + "read, or anybody while a server runs")
            }
            connection = try Self.connection(path, .unchanging)
            self.state = state
        }
    }

    /// Between the last read and the moment that what was read is believed.
    ///
    /// - Throws: ``SQLiteStoreError/changed(path:)`` when a writer has come where there was none.
    func checkUnchanged() throws(SQLiteStoreError) {
        if let state, FileState(path) != state { throw .changed(path: path) }
    }

    private static func connection(_ path: String, _ mode: SQLiteConnection.Mode) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: mode)
        // The writer alone moves the write-ahead log back into the database.
        try connection.execute("PRAGMA wal_autocheckpoint = 0")
        try SQLiteStore.check(connection, path: path)
        return connection
    }

    private static func hasEmptyLog(_ path: String) -> Bool {
        ["-wal", "-journal"].allSatisfy { suffix in
            var status = stat()
            return stat(path + suffix, &status) == 0 ? status.st_size == 0 : errno == ENOENT
        }
    }
}

/// What a write changes of a file.
private struct FileState: Equatable {
    private let number: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
