internal import Glibc
package import SQLite

/// Looks at a database that this process writes, as whoever opens it next will find it.
///
/// The writer's own connection notices nothing of a file that was removed, replaced or overwritten: it has its descriptor and
/// its cache.
package final class DatabaseWatch {
    private let path: String
    private let applicationId: Int64
    /// The file as it was when the writer opened it.
    private let file: FileIdentity?
    /// The most bytes that it had since the writer last made it smaller.
    private var size: Int64 = 0
    /// Open as long as this object is: closing it takes the process' own locks from the file.
    private var descriptor: Int32 = -1

    /// - Parameter path: of a database that the writer has just opened.
    package init(path: String, applicationId: Int64) {
        self.path = path
        self.applicationId = applicationId
        file = FileIdentity(path)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The writer has made it smaller.
    package func noteShrinking() {
        size = 0
    }

    /// What is wrong with the file; nil when it is as it should be, or when somebody else keeps it from being read for now.
    ///
    /// - Parameter isCurrent: whether a connection that has just been opened sees what the writer has committed last.
    package func fault(isCurrent: (SQLiteConnection) throws -> Bool) -> String? {
        guard let now = FileIdentity(path) else {
            return errno == ENOENT
                ? "there is no file \(path) any more" : "\(path): \(String(cString: strerror(errno)))"
        }
        guard now == file else { return "another file has come in the place of \(path)" }
        if let fault = faultOfFile() { return fault }
        do {
            let connection = try SQLiteConnection(path: path, mode: .readOnly, busyTimeoutMs: 100)
            try connection.execute("PRAGMA wal_autocheckpoint = 0")
            guard try connection.integer("PRAGMA application_id") == applicationId else {
                return "\(path) belongs to another application now"
            }
            guard try isCurrent(connection) else {
                return "\(path) does not say what was written to it last: it is another one, or an older copy"
            }
            return nil
        } catch let error as SQLiteError {
            return error.isBusy ? nil : "\(path): \(error.message)"
        } catch {
            return "\(path): \(error)"
        }
    }

    /// What the bytes of the file alone tell, without the write-ahead log in front of them.
    private func faultOfFile() -> String? {
        if descriptor < 0 {
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return "\(path): \(String(cString: strerror(errno)))" }
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return "\(path): \(String(cString: strerror(errno)))" }
        guard Int64(status.st_size) >= size else {
            return "\(path) was cut from \(size) bytes to \(status.st_size)"
        }
        size = Int64(status.st_size)
        var header = [UInt8](repeating: 0, count: 72)
        let count = pread(descriptor, &header, header.count, 0)
        guard count >= 0 else { return "\(path): \(String(cString: strerror(errno)))" }
        // What a new database begins with may still stand in its write-ahead log alone.
        if count == 0, size == 0 { return nil }
        let id = header[68..<72].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard count == header.count, header.starts(with: Self.magic), id == applicationId else {
            return "\(path) was overwritten: it does not begin like a database of this program"
        }
        return nil
    }

    /// https://www.sqlite.org/fileformat.html, "The Database Header".
    private static let magic = Array("SQLite format 3\0".utf8)
}
