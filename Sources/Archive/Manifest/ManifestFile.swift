internal import Glibc
internal import PlaybackEvents
internal import Synchronization

/// The manifest of a data directory that is open for writing.
///
/// The order of things makes it true after a crash at any moment: a line that a file was made is written after the file is
/// durable and before anything of it is acknowledged, so a file without a line has nothing that anybody was promised, and the
/// next start takes it in. How a file is removed says ``LogPruner``.
package final class ManifestFile: Sendable {
    private struct State {
        var manifest: Manifest
        /// Nil while what the disk has isn't known: then the whole is written anew before anything else.
        var file: OpenFile?
        /// The bytes that were written; those of a line that needs no wait may not be durable yet.
        var length: Int64 = 0
    }

    private let paths: DataPaths
    private let calls: FileCalls
    private let state: Mutex<State>

    /// Opens the manifest of a directory, or makes one from what is there.
    ///
    /// - Parameter remembered: what a store of the directory knows; asked only where there is no manifest.
    /// - Throws: what the system said. A disk that has no room for a new one is no reason: it is written as soon as there is.
    init(
        _ paths: DataPaths, _ calls: FileCalls, remembered: (DataPaths) throws(FileError) -> RememberedDirectory
    ) throws(FileError) {
        self.paths = paths
        self.calls = calls
        if let bytes = try Manifest.bytes(at: paths.manifest) {
            guard let manifest = Manifest(bytes: bytes) else {
                throw FileError(
                    "understand", paths.manifest, code: EBADMSG,
                    advice: "move it away, and the next start makes one of what is there")
            }
            let file = try OpenFile(paths.manifest, O_RDWR)
            let length = Int64(bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
            if Int64(bytes.count) != length {
                // A write that was never finished.
                let result = calls.truncate(file.descriptor, length)
                if result < 0 { throw FileError("cut back", file.path, code: Int32(-result)) }
            }
            // A process that was killed may have written what it had not synced yet.
            let result = calls.sync(file.descriptor)
            if result < 0 { throw FileError("sync", file.path, code: Int32(-result)) }
            state = Mutex(State(manifest: manifest, file: file, length: length))
            return
        }
        let remembered = try remembered(paths)
        state = Mutex(State(manifest: try Self.manifest(of: paths, remembered)))
        do {
            try append([])
        } catch {
            if !error.isFull { throw error }
        }
    }

    /// As it is now.
    package var manifest: Manifest { state.withLock { $0.manifest } }

    /// Whether the disk is known to have what ``manifest`` says, and nothing else.
    package var isCertain: Bool { state.withLock { $0.file != nil } }

    /// Adds a server whose files belong to the directory, unless it is there.
    func add(_ node: NodeName) throws(FileError) {
        if !manifest.nodes.contains(node) { try append([.node(node)]) }
    }

    /// Adds lines.
    ///
    /// - Parameter durably: whether to wait for the disk; what a crash may take needs no wait.
    /// - Throws: what failed; then ``manifest`` is as it was, and so is the file unless ``isCertain`` says otherwise.
    package func append(_ lines: [ManifestLine], durably: Bool = true) throws(FileError) {
        try state.withLock { state throws(FileError) in
            if try !isOurs(state) { state.file = nil }
            if let file = state.file {
                if lines.isEmpty { return }
                try append(lines, to: file, durably, &state)
                for line in lines { state.manifest.apply(line) }
            } else {
                var manifest = state.manifest
                for line in lines { manifest.apply(line) }
                try replace(with: manifest, &state)
                state.manifest = manifest
            }
        }
    }

    /// Whether the name still stands for the file that is open, and nobody has written to it.
    ///
    /// - Throws: a ``FileError`` when it is the manifest of another directory.
    private func isOurs(_ state: State) throws(FileError) -> Bool {
        guard let bytes = try Manifest.bytes(at: paths.manifest, most: Manifest.headerBytes) else { return false }
        if Manifest(bytes: bytes)?.identity != state.manifest.identity {
            throw FileError("go on with another directory's", paths.manifest, code: ESTALE)
        }
        guard let file = state.file, file.isAtItsPath else { return false }
        return try file.size() == state.length
    }

    private func append(
        _ lines: [ManifestLine], to file: OpenFile, _ durably: Bool, _ state: inout State
    ) throws(FileError) {
        let bytes = Array(lines.map { $0.description + "\n" }.joined().utf8)
        do {
            try calls.writeAll(bytes.span.bytes, to: file, at: state.length)
        } catch {
            if calls.truncate(file.descriptor, state.length) < 0 { state.file = nil }
            throw error
        }
        let result = durably ? calls.syncData(file.descriptor) : 0
        if result < 0 {
            state.file = nil
            throw FileError("sync", file.path, code: Int32(-result))
        }
        state.length += Int64(bytes.count)
    }

    /// Writes the whole under another name, which then takes the manifest's.
    private func replace(with manifest: Manifest, _ state: inout State) throws(FileError) {
        // Hidden, so that nobody who reads the log takes what a crash leaves for a part of it.
        let path = paths.archive + "/.manifest" + LogRecovery.temporary
        let bytes = Array(manifest.text.utf8)
        try calls.replace(paths.manifest, with: bytes, by: path)
        state.file = try OpenFile(paths.manifest, O_RDWR)
        state.length = Int64(bytes.count)
    }

    /// What a directory without a manifest has: its files, and the names of the servers that made them.
    private static func manifest(
        of paths: DataPaths, _ remembered: RememberedDirectory
    ) throws(FileError) -> Manifest {
        let random = Identifier128(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
        var manifest = Manifest(identity: remembered.identity ?? random.hexadecimalText)
        for kind in LogKind.allCases {
            let segments = try SegmentList(directory: paths.log(kind), kind: kind).segments
            for segment in segments { manifest.apply(.made(segment)) }
            if let first = segments.first, first.sequence > 1 {
                manifest.apply(.before(kind, first.sequence - 1, isPruned: remembered.isPruned))
            }
        }
        return manifest
    }
}

/// What a store of a data directory remembers of it, for a directory that has lost its manifest, or had none yet.
package struct RememberedDirectory: Sendable {
    /// The directory's identity.
    package var identity: String?
    /// Whether old days were ever pruned.
    package var isPruned = false

    package init(identity: String? = nil, isPruned: Bool = false) {
        self.identity = identity
        self.isPruned = isPruned
    }
}
