internal import Glibc

/// The lock that keeps a second writer off a data directory; freed when the object or its process goes.
///
/// There are two, and a writer has both. One is on the directory itself, so it holds whatever becomes of the names in it. The
/// other is on a file in it, which tells who has it.
/// Both belong to the open files (for the second, Linux' "open file description" lock), so no other part of the process can
/// lose them by closing the same file. Nobody can ask about the first without taking it, so its holder has one of the second
/// kind on the directory, too, which keeps nobody off and can be asked about.
final class DirectoryLock: Sendable {
    // Of linux/fcntl.h, which Swift does not import.
    private static let ask: Int32 = 36
    private static let take: Int32 = 37

    private let folder: OpenFile
    private let file: OpenFile

    init(_ paths: DataPaths) throws(DataDirectoryError) {
        do {
            folder = try OpenFile(paths.root, O_RDONLY | O_DIRECTORY)
        } catch {
            throw .unusable(error)
        }
        if flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0 { throw Self.fault(errno, paths, paths.root) }
        // Without it, as on a file system that has none for directories, the file is asked alone.
        var shared = Self.whole(F_RDLCK)
        _ = fcntl(folder.descriptor, Self.take, &shared)
        do {
            file = try OpenFile(paths.lock, O_RDWR | O_CREAT)
        } catch {
            throw .unusable(error)
        }
        var whole = Self.whole(F_WRLCK)
        if fcntl(file.descriptor, Self.take, &whole) != 0 { throw Self.fault(errno, paths, paths.lock) }
        writeOwner()
    }

    private static func fault(_ code: Int32, _ paths: DataPaths, _ path: String) -> DataDirectoryError {
        if code == EAGAIN || code == EACCES { return .busy(path: paths.lock, process: owner(paths.lock)) }
        return .unusable(FileError("lock", path, code: code))
    }

    /// A child process between its fork and its exec has the open files too, so closing them would not do at once.
    deinit {
        var whole = Self.whole(F_UNLCK)
        _ = fcntl(file.descriptor, Self.take, &whole)
        _ = fcntl(folder.descriptor, Self.take, &whole)
        _ = flock(folder.descriptor, LOCK_UN)
    }

    /// Whether the directory's path still stands for the directory that is locked.
    var isAtItsPath: Bool { folder.isAtItsPath }

    /// Whether a process holds the lock; false where there is no directory.
    static func isHeld(_ paths: DataPaths) -> Bool {
        // The file in the directory may be another than the one that is locked: somebody has removed it, or put one there.
        isLocked(try? OpenFile(paths.root, O_RDONLY | O_DIRECTORY)) || isLocked(try? OpenFile(paths.lock, O_RDONLY))
    }

    private static func isLocked(_ file: OpenFile?) -> Bool {
        guard let file else { return false }
        var whole = whole(F_WRLCK)
        return fcntl(file.descriptor, ask, &whole) == 0 && whole.l_type != Int16(F_UNLCK)
    }

    /// A lock of the whole file, as the system's call has it.
    private static func whole(_ type: Int32) -> flock {
        var whole = flock()
        whole.l_type = Int16(type)
        whole.l_whence = Int16(SEEK_SET)
        return whole
    }

    /// Leaves the process' number for the error of the one that comes too late; without it the lock holds as well.
    private func writeOwner() {
        let text = Array("\(getpid())\n".utf8)
        _ = ftruncate(file.descriptor, 0)
        try? FileCalls.system.writeAll(text.span.bytes, to: file, at: 0)
    }

    private static func owner(_ path: String) -> Int32? {
        guard let file = try? OpenFile(path, O_RDONLY) else { return nil }
        var text = [UInt8](repeating: 0, count: 16)
        let count = (try? file.read(into: &text, at: 0)) ?? 0
        return Int32(String(decoding: text[..<count].prefix { $0 != 0x0a }, as: UTF8.self))
    }
}
