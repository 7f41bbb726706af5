internal import Glibc
internal import Gzip

/// Writes the plays' log of a data directory once more, with other lines, into a folder that can take the place of `archive/`:
/// files under the same names, and a manifest of the same directory.
package final class ArchiveCopy {
    private let paths: DataPaths
    private let directory: String
    private let calls: FileCalls
    private let compressor = LineCompressor()
    private var current: (name: SegmentName, file: OpenFile, length: Int64, lines: Int64)?
    private var waiting: [UInt8] = []
    private var written: [Int64: (lines: Int64, bytes: Int64)] = [:]

    /// Lines that are compressed together, in bytes.
    private static let memberBytes = 1 << 20
    private static let erased = Array("{\"erased".utf8)

    /// Makes the folder.
    ///
    /// - Throws: what the system said; a folder that has something in it is refused.
    package init(of paths: DataPaths, into directory: String, files calls: FileCalls = .system) throws(FileError) {
        self.paths = paths
        self.directory = DataPaths(directory).root
        self.calls = calls
        try Folder.make(self.directory)
        guard try Folder.names(self.directory).isEmpty else {
            throw FileError("write into", self.directory, code: ENOTEMPTY)
        }
    }

    /// Begins the next file, which is made with its first line.
    package func begin(_ name: SegmentName) throws(FileError) {
        try close()
        try Folder.make(directory + "/" + name.folder)
        let file = try OpenFile(directory + "/" + name.path, O_RDWR | O_CREAT | O_EXCL, operation: "make")
        current = (name, file, 0, 0)
    }

    /// Appends a line, ended by LF.
    package func append(_ line: some Sequence<UInt8>) throws(FileError) {
        let line = Array(line)
        // What is left of an erased play may lean on the line before.
        if waiting.count >= Self.memberBytes, !line.starts(with: Self.erased) { try flush() }
        waiting += line
    }

    /// Makes all of it durable, and writes the manifest.
    package func finish() throws(FileError) {
        try close()
        if let text = try manifest()?.text {
            let path = directory + "/manifest"
            let file = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL, operation: "make")
            let bytes = Array(text.utf8)
            try calls.writeAll(bytes.span.bytes, to: file, at: 0)
            try sync(file)
        }
        for folder in try Folder.names(directory) where folder.hasPrefix("day=") {
            try Folder.sync(directory + "/" + folder, calls)
        }
        try Folder.sync(directory, calls)
    }

    private func flush() throws(FileError) {
        guard var file = current, !waiting.isEmpty else { return }
        compressor.begin(expecting: waiting.count)
        compressor.append(waiting.span.bytes)
        let member = compressor.finish()
        try calls.writeAll(member.bytes, to: file.file, at: file.length)
        file.length += Int64(member.count)
        file.lines += Int64(waiting.count { $0 == 0x0A })
        current = file
        waiting.removeAll(keepingCapacity: true)
    }

    private func close() throws(FileError) {
        try flush()
        guard let file = current else { return }
        current = nil
        if file.length == 0 {
            // A file has at least one member.
            try Folder.remove(file.file.path)
        } else {
            try sync(file.file)
        }
        written[file.name.sequence] = (file.lines, file.length)
    }

    private func sync(_ file: OpenFile) throws(FileError) {
        let result = calls.sync(file.descriptor)
        if result < 0 { throw FileError("sync", file.path, code: Int32(-result)) }
    }

    /// The directory's manifest, with what its files of plays are now; nil where it has none.
    private func manifest() throws(FileError) -> Manifest? {
        guard var manifest = try Manifest.read(paths) else { return nil }
        for (sequence, file) in manifest[.plays].files {
            guard let now = written[sequence], file.removedLines == nil else { continue }
            manifest.apply(
                now.bytes == 0
                    ? .removed(file.name, lines: 0) : .closed(file.name, lines: now.lines, bytes: now.bytes))
        }
        return manifest
    }

    /// Puts a folder that was made so in the place of a data directory's archive; the old one is `archive.before` then.
    ///
    /// - Throws: what the system said; a folder that is not of this directory is refused.
    package static func replaceArchive(
        of paths: DataPaths, with directory: String, files calls: FileCalls = .system
    ) throws(FileError) {
        let new = DataPaths(directory).root
        let identity = try Manifest.bytes(at: new + "/manifest", most: Manifest.headerBytes)
            .flatMap { Manifest(bytes: $0) }?.identity
        guard let identity, try Manifest.identity(of: paths) == identity else {
            throw FileError("take for the archive of \(paths.root), of which it is no copy,", new, code: EINVAL)
        }
        let old = paths.root + "/archive.before"
        var status = stat()
        guard lstat(old, &status) != 0 else { throw FileError("make", old, code: EEXIST) }
        if rename(paths.archive, old) != 0 { throw FileError("rename", paths.archive, code: errno) }
        if rename(new, paths.archive) != 0 {
            let code = errno
            _ = rename(old, paths.archive)
            throw FileError("put into the place of \(paths.archive)", new, code: code)
        }
        try Folder.sync(paths.root, calls)
        // What was noted of the old archive's end would be a place within the new one.
        guard var positions = try FoldPositions.read(paths) else { return }
        let list = try SegmentList(directory: paths.archive, kind: .plays)
        positions.archive = .beginning
        if let last = list.segments.last {
            positions.archive = LogPosition(segment: last.sequence, offset: try Folder.size(list.path(of: last)))
        }
        try positions.write(paths, files: calls)
    }
}
