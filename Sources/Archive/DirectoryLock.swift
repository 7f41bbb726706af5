internal import Glibc

/// The lock that keeps a second writer off a data directory; freed when the object or its process goes.
///
/// There are two, and a writer has both. One is on the directory itself, so it holds whatever becomes of the names in it. The
/// other is on a file in it: others can ask about that one without taking it, and it tells who has it.
/// Both belong to the open files (for the second, Linux' "open file description" lock), so no other part of the process can
/// lose them by closing the same file.
final class DirectoryLock: Sendable {
    // Of linux/fcntl.h, which Swift does not import.
    private static let ask: Int32 = 36
    private static let take: Int32 = 37

    private let folder: OpenFile
    private let file: OpenFile

    init(_ paths: DataPaths) throws(DataDirectoryFault) {
        do {
            folder = try OpenFile(paths.root, O_RDONLY | O_DIRECTORY)
        } catch {
            throw .unusable(error)
        }
        if flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0 { throw Self.fault(errno, paths, paths.root) }
        do {
            file = try OpenFile(paths.lock, O_RDWR | O_CREAT)
        } catch {
            throw .unusable(error)
        }
        var whole = Self.wholeFile
        if fcntl(file.descriptor, Self.take, &whole) != 0 { throw Self.fault(errno, paths, paths.lock) }
        writeOwner()
    }

    private static func fault(_ code: Int32, _ paths: DataPaths, _ path: String) -> DataDirectoryFault {
        if code == EAGAIN || code == EACCES { return .busy(path: paths.lock, process: owner(paths.lock)) }
        return .unusable(FileFault("lock", path, code: code))
    }

    /// A child process between its fork and its exec has the open files too, so closing them would not do at once.
    deinit {
        var whole = Self.wholeFile
        whole.l_type = Int16(F_UNLCK)
        _ = fcntl(file.descriptor, Self.take, &whole)
        _ = flock(folder.descriptor, LOCK_UN)
    }

    /// Whether the directory's path still stands for the directory that is locked.
    var isAtItsPath: Bool { folder.isAtItsPath }

    /// Whether a process holds the lock; false where there is no directory.
    static func isHeld(_ paths: DataPaths) -> Bool {
        if let file = try? OpenFile(paths.lock, O_RDONLY) {
            var whole = wholeFile
            return fcntl(file.descriptor, ask, &whole) == 0 && whole.l_type != Int16(F_UNLCK)
        }
        // Somebody has removed the file. Nobody can ask about the other lock without taking it, for a moment.
        guard let folder = try? OpenFile(paths.root, O_RDONLY | O_DIRECTORY) else { return false }
        guard flock(folder.descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        _ = flock(folder.descriptor, LOCK_UN)
        return false
    }

    private static var wholeFile: flock {
        var whole = flock()
        whole.l_type = Int16(F_WRLCK)
        whole.l_whence = Int16(SEEK_SET)
        return whole
    }

    /// Leaves the process' number for the error of the one that comes too late; without it the lock holds as well.
    private func writeOwner() {
        let text = Array("\(getpid())\n".utf8)
        _ = ftruncate(file.descriptor, 0)
        _ = text.withUnsafeBytes { pwrite(file.descriptor, $0.baseAddress, $0.count, 0) }
    }

    private static func owner(_ path: String) -> Int32? {
        guard let file = try? OpenFile(path, O_RDONLY) else { return nil }
        var text = [UInt8](repeating: 0, count: 16)
        let count = (try? file.read(into: &text, at: 0)) ?? 0
        return Int32(String(decoding: text[..<count].prefix { $0 != 0x0a }, as: UTF8.self))
    }
}
