internal import Glibc
internal import Synchronization

/// A data directory opened for writing: its folders are there, and no other process has it.
///
/// The lock is held as long as the object lives. Readers need no lock: ``DataPaths`` is enough for them.
package final class DataDirectory: Sendable {
    package let paths: DataPaths
    /// Whose directory it is, and its log files.
    package let manifest: ManifestFile
    private let lock: DirectoryLock
    let files: FileCalls
    private let closedFiles = Mutex(())

    /// Opens the directory, making it and its folders where they are missing. What others could read there without need they
    /// can't any more.
    ///
    /// - Parameter remembered: what a store of the directory knows of it; asked only where there is no manifest.
    /// - Throws: ``DataDirectoryError/busy(path:process:)`` when another process holds it, else what the system said.
    package init(
        _ root: String, files: FileCalls = .system,
        remembered: (DataPaths) throws(FileError) -> RememberedDirectory = { _ in RememberedDirectory() }
    ) throws(DataDirectoryError) {
        paths = DataPaths(root)
        self.files = files
        do {
            try Self.makeDurably(paths.root, files)
        } catch {
            throw .unusable(error)
        }
        lock = try DirectoryLock(paths)
        do {
            for folder in [paths.archive, paths.rejected, paths.reports, paths.damaged] { try Folder.make(folder) }
            // Also when they were there: a process that was killed may have made them a moment ago.
            try Folder.sync(paths.root, files)
            manifest = try ManifestFile(paths, files, remembered: remembered)
            narrow()
            try finishRemovals()
        } catch {
            throw .unusable(error)
        }
    }

    /// Says whether names below the directory's path still are those of this directory: somebody may have moved it, or put
    /// another in its place.
    ///
    /// - Complexity: a few system calls.
    package func check() throws(FileError) {
        if !lock.isAtItsPath {
            throw FileError("go on in another directory than was opened,", paths.root, code: ESTALE)
        }
    }

    /// Runs what rewrites or removes closed log files: one at a time, so that nobody puts back what another has taken out.
    package func changingClosedFiles<Result>(_ body: () throws -> Result) rethrows -> Result {
        try closedFiles.withLock { _ in try body() }
    }

    /// Takes from others, and from the group what it needs for writing, what earlier versions had left them.
    private func narrow() {
        let others: mode_t = 0o027
        let folders = [paths.root, paths.archive, paths.rejected, paths.reports, paths.damaged]
        for path in folders { narrow(path, by: others) }
        for name in (try? Folder.names(paths.root)) ?? [] {
            narrow(paths.root + "/" + name, by: others | 0o110, filesOnly: true)
        }
        narrow(paths.manifest, by: others | 0o110, filesOnly: true)
    }

    /// Fails without a word where the directory belongs to another user, who then decides.
    private func narrow(_ path: String, by bits: mode_t, filesOnly: Bool = false) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & bits != 0 else { return }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || !filesOnly && kind == S_IFDIR else { return }
        // A folder such as /tmp belongs to everybody, whatever else is in it.
        if status.st_mode & S_ISVTX != 0 { return }
        _ = chmod(path, status.st_mode & 0o7777 & ~bits)
    }

    /// Notes the removals that a process had begun which was killed then, and takes away what it left of a file that it was
    /// compacting.
    private func finishRemovals() throws(FileError) {
        for kind in LogKind.allCases {
            let list = try SegmentList(directory: paths.log(kind), kind: kind, manifest: manifest.manifest)
            for name in list.compacting { try Folder.remove(paths.log(kind) + "/" + name.path) }
            for (name, lines) in list.leaving {
                do {
                    try LogPruner.finish(LeavingName(name, lines: lines), in: self)
                } catch {
                    // They stay as they are until there is room for the line.
                    if !error.isFull { throw error }
                }
            }
        }
    }

    /// Makes a folder and those above it, each one's name durable in the one above.
    private static func makeDurably(_ path: String, _ files: FileCalls) throws(FileError) {
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
