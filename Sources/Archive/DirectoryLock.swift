internal import Glibc

/// The lock that keeps a second writer off a data directory; freed when the object or its process goes.
///
/// It belongs to the open file (Linux' "open file description" lock), so no other part of the process can lose it by
/// closing the same file, and others can ask about it without taking it.
final class DirectoryLock {
    // Of linux/fcntl.h, which Swift does not import.
    private static let ask: Int32 = 36
    private static let take: Int32 = 37

    private let file: OpenFile

    /// - Throws: ``DataDirectoryFault``.
    init(_ path: String) throws(DataDirectoryFault) {
        do {
            file = try OpenFile(path, O_RDWR | O_CREAT)
        } catch {
            throw .unusable(error)
        }
        var whole = Self.wholeFile
        if fcntl(file.descriptor, Self.take, &whole) != 0 {
            if errno == EAGAIN || errno == EACCES { throw .busy(path: path, process: Self.owner(file)) }
            throw .unusable(FileFault("lock", path, code: errno))
        }
        writeOwner()
    }

    /// A child process between its fork and its exec has the open file too, so closing it would not do at once.
    deinit {
        var whole = Self.wholeFile
        whole.l_type = Int16(F_UNLCK)
        _ = fcntl(file.descriptor, Self.take, &whole)
    }

    /// Whether a process holds the lock; false where there is no lock file.
    static func isHeld(_ path: String) -> Bool {
        guard let file = try? OpenFile(path, O_RDONLY) else { return false }
        var whole = wholeFile
        return fcntl(file.descriptor, ask, &whole) == 0 && whole.l_type != Int16(F_UNLCK)
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

    private static func owner(_ file: OpenFile) -> Int32? {
        var text = [UInt8](repeating: 0, count: 16)
        let count = (try? text.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }) ?? 0
        return Int32(String(decoding: text[..<count].prefix { $0 != 0x0a }, as: UTF8.self))
    }
}
