/// The names in a data directory, for whoever reads it; ``DataDirectory`` is for whoever writes it.
package struct DataPaths: Sendable, Equatable {
    /// The data directory, without a trailing slash.
    package let root: String

    package init(_ root: String) {
        var path = root[...]
        while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
        self.root = path.isEmpty ? "." : String(path)
    }

    /// - Parameter log: a log's folder in the data directory. It may be a symbolic link, so `..` is not what holds it.
    init(ofLog log: String) {
        let path = DataPaths(log).root
        let name = path.lastIndex(of: "/")
        self.init(name.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
    }

    package func log(_ kind: LogKind) -> String { root + "/" + kind.folder }

    /// Accepted plays: the log that every store follows.
    package var archive: String { log(.plays) }
    /// The quarantine.
    package var rejected: String { log(.rejected) }
    /// Reports of players, of which plays are put together.
    package var reports: String { log(.reports) }
    /// How far that has come.
    package var foldPlaces: String { root + "/fold.places" }
    /// Damaged stretches of log files, as they were found.
    package var damaged: String { root + "/damaged" }
    /// Whose plays were erased, and what of that is still to be done.
    package var erase: String { root + "/erase" }
    /// What the directory knows of itself and of its log files.
    package var manifest: String { archive + "/manifest" }
    /// The embedded store.
    package var database: String { root + "/qoe.sqlite" }
    /// A database that was built beside it and takes its place at the next start.
    package var nextDatabase: String { database + ".next" }
    /// What is known of alerts.
    package var alerts: String { root + "/alerts.json" }
    /// When the last export of the directory came to its end.
    package var lastExport: String { root + "/last-export" }
    /// Held by the one process that writes.
    package var lock: String { root + "/lock" }

    /// Whether a process has the directory open for writing just now.
    package var hasWriter: Bool { DirectoryLock.isHeld(self) }

    /// The names in `damaged/`: while there are any, an operator has damage to look at.
    package func damagedFiles() throws(FileError) -> [String] {
        try Folder.names(damaged)
    }
}
