internal import Glibc

/// The calls on which durability hangs, as values, so that a test can let each of them fail.
///
/// Each returns the system call's result, or the negated error number.
package struct FileCalls: Sendable {
    /// Writes at an offset: descriptor, bytes, offset. Returns how many bytes were taken.
    package var write: @Sendable (Int32, UnsafeRawBufferPointer, Int64) -> Int
    /// `fdatasync`: the file's bytes and its length.
    package var syncData: @Sendable (Int32) -> Int
    /// `fsync`: a new file, or a folder's names.
    package var sync: @Sendable (Int32) -> Int
    /// Cuts the file to a length.
    package var truncate: @Sendable (Int32, Int64) -> Int

    package static let system = FileCalls(
        write: { descriptor, bytes, offset in
            result(pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)))
        },
        syncData: { result(Int(fdatasync($0))) },
        sync: { result(Int(fsync($0))) },
        truncate: { result(Int(ftruncate($0, off_t($1)))) })

    private static func result(_ value: Int) -> Int { value >= 0 ? value : -Int(errno) }

    /// Puts a file with these bytes in the place of another, or of none; returns when it is durable.
    ///
    /// - Parameter new: the name under which it is written, in the same folder. Nothing is left there, whatever fails.
    /// - Complexity: two syncs.
    package func replace(_ path: String, with bytes: [UInt8], by new: String) throws(FileError) {
        do throws(FileError) {
            let file = try OpenFile(new, O_RDWR | O_CREAT | O_TRUNC, operation: "make")
            try writeAll(bytes.span.bytes, to: file, at: 0)
            let result = sync(file.descriptor)
            if result < 0 { throw FileError("sync", new, code: Int32(-result)) }
            if rename(new, path) != 0 { throw FileError("rename", new, code: errno) }
        } catch {
            unlink(new)
            throw error
        }
        try Folder.sync(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), self)
    }

    /// Writes all of the bytes, in one call unless the system takes fewer.
    func writeAll(_ bytes: RawSpan, to file: OpenFile, at offset: Int64) throws(FileError) {
        var done = 0
        while done < bytes.byteCount {
            let result = bytes.extracting(droppingFirst: done).withUnsafeBytes { rest in
                write(file.descriptor, rest, offset + Int64(done))
            }
            if result == -Int(EINTR) { continue }
            if result <= 0 { throw FileError("write", file.path, code: result == 0 ? EIO : Int32(-result)) }
            done += result
        }
    }

    /// Copies a range of a file into another one.
    ///
    /// - Throws: what failed, also when the file is shorter.
    func copy(
        _ range: Range<Int64>, of source: OpenFile, to target: OpenFile, at position: Int64
    ) throws(FileError) {
        var bytes = [UInt8](repeating: 0, count: Int(clamping: min(1 << 20, range.count)))
        var from = range.lowerBound
        while from < range.upperBound {
            let wanted = Int(min(Int64(bytes.count), range.upperBound - from))
            let count = try source.read(into: &bytes, 0..<wanted, at: from)
            if count == 0 { throw FileError("read", source.path, code: EIO) }
            try writeAll(
                bytes.span.bytes.extracting(..<count), to: target, at: position + from - range.lowerBound)
            from += Int64(count)
        }
    }
}
