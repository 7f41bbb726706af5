internal import Glibc

extension LogRecovery {
    /// What a file is called while it is not whole.
    static let temporary = ".tmp"

    /// Keeps the damaged stretches in `damaged/`, and what is good after the first of them in the log's next file.
    func setAside(_ tail: LogTail, of file: OpenFile, _ segment: SegmentName) throws(FileFault) {
        for damage in tail.damage {
            let name = DamagedName(file: segment.file, sequence: segment.sequence, range: damage.range)
            try copy([damage.range], of: file, to: paths.damaged, name.description)
        }
        if tail.salvage.isEmpty { return }
        var next = segment
        next.sequence += 1
        try copy(tail.salvage, of: file, to: directory + "/" + next.folder, next.file)
    }

    /// Writes stretches of a file to another, which has its name only when it is whole and durable.
    private func copy(
        _ ranges: [Range<Int64>], of source: OpenFile, to folder: String, _ name: String
    ) throws(FileFault) {
        let path = folder + "/" + name
        let target = try OpenFile(path + Self.temporary, O_RDWR | O_CREAT | O_TRUNC, operation: "make")
        var length: Int64 = 0
        for range in ranges { try append(range, of: source, to: target, &length) }
        let result = configuration.files.sync(target.descriptor)
        if result < 0 { throw FileFault("sync", target.path, code: Int32(-result)) }
        if rename(target.path, path) != 0 { throw FileFault("rename", target.path, code: errno) }
        try Folder.sync(folder, configuration.files)
    }

    private func append(
        _ range: Range<Int64>, of source: OpenFile, to target: OpenFile, _ length: inout Int64
    ) throws(FileFault) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var from = range.lowerBound
        while from < range.upperBound {
            let room = Int(min(Int64(buffer.count), range.upperBound - from))
            let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]), at: from)
            if count == 0 { throw FileFault("read", source.path, code: EIO) }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            try configuration.files.writeAll(bytes, to: target, at: length)
            from += Int64(count)
            length += Int64(count)
        }
    }

    /// Whether a file begins with these stretches of another. Names alone don't tell: the directory may be a backup's, where
    /// those files are others.
    func isCopied(_ ranges: [Range<Int64>], of source: OpenFile, to path: String) throws(FileFault) -> Bool {
        let copy = try OpenFile(path, O_RDONLY)
        var buffers = ([UInt8](repeating: 0, count: 1 << 20), [UInt8](repeating: 0, count: 1 << 20))
        var length: Int64 = 0
        for range in ranges {
            var from = range.lowerBound
            while from < range.upperBound {
                let wanted = Int(min(Int64(buffers.0.count), range.upperBound - from))
                let counts = try (source.read(into: &buffers.0, at: from), copy.read(into: &buffers.1, at: length))
                let count = min(wanted, counts.0, counts.1)
                if count == 0 || buffers.0[..<count] != buffers.1[..<count] { return false }
                from += Int64(count)
                length += Int64(count)
            }
        }
        return true
    }
}
