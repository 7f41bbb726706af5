internal import Glibc

/// The only owner of a file descriptor, closed when the object goes.
final class OpenFile: Sendable {
    let descriptor: Int32
    let path: String

    /// - Parameter flags: `open`'s; the descriptor never passes to another program.
    /// - Throws: what `open` said, with `operation` as its verb.
    init(
        _ path: String, _ flags: Int32, mode: mode_t = 0o640, operation: String = "open"
    ) throws(FileError) {
        var opened: Int32
        repeat { opened = open(path, flags | O_CLOEXEC, mode) } while opened < 0 && errno == EINTR
        if opened < 0 { throw FileError(operation, path, code: errno) }
        descriptor = opened
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// Whether the path still stands for this very file: nobody has removed or renamed it, or a folder above it.
    ///
    /// - Complexity: two system calls, about a microsecond.
    var isAtItsPath: Bool {
        var (mine, named) = (stat(), stat())
        return fstat(descriptor, &mine) == 0 && stat(path, &named) == 0
            && (mine.st_dev, mine.st_ino) == (named.st_dev, named.st_ino)
    }

    /// The length in bytes.
    func size() throws(FileError) -> Int64 {
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw FileError("look at", path, code: errno) }
        return Int64(status.st_size)
    }

    /// Reads up to as many bytes at `offset` as a range of an array has, over what is there.
    ///
    /// - Parameter range: nil for all of it.
    /// - Returns: how many; 0 at the end of the file.
    func read(into bytes: inout [UInt8], _ range: Range<Int>? = nil, at offset: Int64) throws(FileError) -> Int {
        let range = range ?? bytes.indices
        precondition(range.upperBound <= bytes.count, "a read stays within its array")
        while true {
            let count = bytes.withUnsafeMutableBytes { bytes in
                pread(descriptor, bytes.baseAddress?.advanced(by: range.lowerBound), range.count, off_t(offset))
            }
            if count >= 0 { return count }
            if errno != EINTR { throw FileError("read", path, code: errno) }
        }
    }

    /// Reads at `offset` until the array is full or the file ends.
    ///
    /// - Returns: how many bytes.
    func fill(_ bytes: inout [UInt8], at offset: Int64) throws(FileError) -> Int {
        var done = 0
        while done < bytes.count {
            let count = try read(into: &bytes, done..<bytes.count, at: offset + Int64(done))
            if count == 0 { break }
            done += count
        }
        return done
    }
}
