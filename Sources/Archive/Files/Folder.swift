internal import Glibc

/// Folders by their paths.
enum Folder {
    /// Makes a folder unless it is there.
    ///
    /// - Returns: whether it was made just now.
    @discardableResult
    static func make(_ path: String) throws(FileError) -> Bool {
        if mkdir(path, 0o750) == 0 { return true }
        let code = errno
        var status = stat()
        if code == EEXIST && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR { return false }
        throw FileError("make the folder", path, code: code == EEXIST ? ENOTDIR : code)
    }

    /// Makes the names in a folder durable.
    static func sync(_ path: String, _ calls: FileCalls) throws(FileError) {
        let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        let result = calls.sync(folder.descriptor)
        if result < 0 { throw FileError("sync the folder", path, code: Int32(-result)) }
    }

    /// The names in a folder, without `.` and `..`, in byte order; none when it isn't there.
    static func names(_ path: String) throws(FileError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw FileError("list", path, code: errno)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else {
                if errno != 0 { throw FileError("list", path, code: errno) }
                break
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    String(cString: $0)
                }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Removes a file's name.
    static func remove(_ path: String) throws(FileError) {
        if unlink(path) != 0 { throw FileError("remove", path, code: errno) }
    }

    /// A file's length in bytes.
    static func size(_ path: String) throws(FileError) -> Int64 {
        var status = stat()
        if stat(path, &status) != 0 { throw FileError("look at", path, code: errno) }
        return Int64(status.st_size)
    }
}
