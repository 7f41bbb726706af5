internal import Glibc

/// Finds out whether the data directory takes a durable write, by making one.
package struct WriteProbe: Sendable {
    private let paths: DataPaths
    private let calls: FileCalls

    package init(_ paths: DataPaths, files calls: FileCalls = .system) {
        self.paths = paths
        self.calls = calls
    }

    /// Writes a file of one page beside the log's folders, makes it durable, and removes it.
    ///
    /// - Throws: what failed.
    /// - Complexity: one sync.
    package func run() throws(FileError) {
        // Hidden, so that nobody who reads the log takes it for a part of it.
        let path = paths.archive + "/.probe"
        let file = try OpenFile(path, O_RDWR | O_CREAT | O_TRUNC, operation: "make")
        defer { unlink(path) }
        let page = [UInt8](repeating: 0x0a, count: 4_096)
        try calls.writeAll(page.span.bytes, to: file, at: 0)
        let result = calls.syncData(file.descriptor)
        if result < 0 { throw FileError("sync", path, code: Int32(-result)) }
    }
}
