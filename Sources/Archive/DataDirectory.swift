internal import Glibc

/// A data directory opened for writing: its folders are there, and no other process has it.
///
/// The lock is held as long as the object lives. Readers need no lock: ``DataPaths`` is enough for them.
package final class DataDirectory: @unchecked Sendable {
    package let paths: DataPaths
    /// Never touched after `init`.
    private let lock: DirectoryLock

    /// Opens the directory, making it and its folders where they are missing.
    ///
    /// - Throws: ``DataDirectoryFault/busy(path:process:)`` when another process holds it, else what the system said.
    package init(_ root: String, files: FileCalls = .system) throws(DataDirectoryFault) {
        paths = DataPaths(root)
        do {
            try Self.makeDurably(paths.root, files)
        } catch {
            throw .unusable(error)
        }
        lock = try DirectoryLock(paths.lock)
        do {
            for folder in [paths.archive, paths.rejected, paths.damaged] { try Folder.make(folder) }
            // Also when they were there: a process that was killed may have made them a moment ago.
            try Folder.sync(paths.root, files)
        } catch {
            throw .unusable(error)
        }
    }

    /// Makes a folder and those above it, each one's name durable in the one above.
    private static func makeDurably(_ path: String, _ files: FileCalls) throws(FileFault) {
        var missing = [path]
        var status = stat()
        while let last = missing.last, stat(last, &status) != 0, errno == ENOENT, let parent = parent(of: last) {
            missing.append(parent)
        }
        for folder in missing.reversed() where try Folder.make(folder) {
            try Folder.sync(parent(of: folder) ?? ".", files)
        }
    }

    /// The folder that holds a path, nil for one that needs no making.
    private static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return path == "." ? nil : "." }
        let parent = path[..<slash]
        return parent.isEmpty ? (path == "/" ? nil : "/") : String(parent)
    }
}
