package import Archive
internal import Glibc

/// A database's file and those that SQLite keeps beside it.
package struct DatabaseFile {
    package var path: String

    package init(_ path: String) {
        self.path = path
    }

    /// The write-ahead log and its index, which belong to the file before them and to no other.
    private var companions: [String] { [path + "-wal", path + "-shm", path + "-journal"] }

    /// Removes the database, where there is one.
    package func remove() {
        for path in [path] + companions { unlink(path) }
    }

    /// Makes an empty file for a database to begin in, that nobody else can read. SQLite would let everybody, and gives the files
    /// beside a database its own mode.
    package func make() throws(FileError) {
        remove()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw FileError("make", path, code: errno) }
        close(descriptor)
    }

    /// Takes the place of another database, which goes.
    ///
    /// The old file goes before its companions, and they before the new name is given: whatever the moment of a crash, no
    /// database ever meets the write-ahead log of another. This one must be closed.
    package func replace(_ other: DatabaseFile) throws(FileError) {
        other.remove()
        try sync(path)
        if rename(path, other.path) != 0 { throw FileError("rename to \(other.path)", path, code: errno) }
        try sync(folder)
    }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func sync(_ path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", path, code: errno) }
        defer { close(descriptor) }
        if fsync(descriptor) != 0 { throw FileError("sync", path, code: errno) }
    }
}

/// Which file a name stands for.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
