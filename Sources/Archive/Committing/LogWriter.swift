internal import Glibc

/// Appends gzip members to one log and makes each durable.
///
/// What happens when a call fails:
/// - A write that fails or falls short is undone by cutting the file back; the file goes on to be used.
/// - A sync that fails leaves it unknown which of the bytes since the last good sync are on the disk, and asking again would
///   only hide that (the kernel reports an error once). So the file is cut back to its acknowledged length, which was
///   synced before and whose bytes stay as they are, and it never gets another byte: the next member goes to a new file.
/// - A file that can't be cut back leaves the log's state unknown: nothing is appended any more, the process has to end, and
///   the next start finds out what is there.
/// - A file whose name doesn't stand for it any more, because somebody has removed or renamed it or a folder above it, gets
///   no further byte either: what was just written to it goes into a new file before anybody is told that it is durable.
final class LogWriter {
    let kind: LogKind
    private let data: DataDirectory
    private var directory: String { data.paths.log(kind) }
    private let node: NodeName
    private let limit: Int64
    private let calls: FileCalls
    private let now: @Sendable () -> UInt64
    private let onNotice: @Sendable (ArchiveNotice) -> Void

    private struct Current {
        var name: SegmentName
        var file: OpenFile
        /// The bytes that are durable.
        var length: Int64
        /// Their lines; nil for a file that was not closed in good order.
        var lines: Int64?
    }
    private var current: Current?
    /// A file that can't be removed before the manifest is known not to have it.
    private var leaving: LeavingName?
    private var nextSequence: Int64
    /// Day folders whose own names this process has made durable.
    private var durableFolders: Set<String> = []

    /// All before it is durable.
    private(set) var end: LogPosition
    /// Why nothing can be appended any more.
    private(set) var fatal: FileError?
    /// How long the last sync took, in nanoseconds.
    private(set) var syncNanoseconds: UInt64 = 0

    init(
        kind: LogKind, data: DataDirectory, configuration: CommitterConfiguration, end: LogPosition, nextSequence: Int64
    ) {
        self.kind = kind
        self.data = data
        onNotice = configuration.onNotice
        node = configuration.node
        limit = configuration.segmentBytes
        calls = configuration.files
        now = configuration.monotonicNanoseconds
        self.end = end
        self.nextSequence = nextSequence
    }

    /// The day of the file under way.
    var day: UTCDay? { current?.name.day }

    /// Goes on in a file that is there.
    ///
    /// - Parameter lines: how many it has, where that is known.
    func resume(_ name: SegmentName, length: Int64, lines: Int64?) throws(FileError) {
        let file = try OpenFile(directory + "/" + name.path, O_RDWR)
        current = Current(name: name, file: file, length: length, lines: lines)
        durableFolders.insert(name.folder)
    }

    /// Appends one member, in one write, and makes it durable under its file's name.
    ///
    /// - Throws: what failed; the log then stands as before.
    func append(_ member: RawSpan, lines: Int, day: UTCDay) throws(FileError) {
        if let fatal { throw fatal }
        if let current, current.name.day != day || current.length + Int64(member.byteCount) > limit { close() }
        if let current {
            let target = try write(member, lines, to: current)
            if target.file.isAtItsPath { return end(with: target) }
            // Should somebody put it back, it has what was acknowledged and nothing twice.
            _ = calls.truncate(target.file.descriptor, current.length)
            close()
            onNotice(.fileGone(file: target.name.label))
        }
        let target = try write(member, lines, to: begin(day))
        nextSequence = target.name.sequence + 1
        guard target.file.isAtItsPath else { throw FileError("find", target.file.path, code: ENOENT) }
        end(with: target)
    }

    /// Notes what the file under way holds. It is not the last word on it: a later start may go on in it.
    func close() {
        guard let current else { return }
        self.current = nil
        guard let lines = current.lines else { return }
        // Without the line somebody has to count again, one day: no stop waits for a disk because of it.
        try? data.manifest.append([.closed(current.name, lines: lines, bytes: current.length)], durably: false)
    }

    private func end(with target: Current) {
        current = target
        end = LogPosition(segment: target.name.sequence, offset: target.length)
    }

    /// - Returns: the file as it is then.
    private func write(
        _ member: RawSpan, _ lines: Int, to target: Current
    ) throws(FileError) -> Current {
        do {
            try calls.writeAll(member, to: target.file, at: target.length)
        } catch {
            undo(target)
            throw error
        }
        do {
            try sync(target)
        } catch {
            current = nil
            undo(target)
            throw error
        }
        var target = target
        target.length += Int64(member.byteCount)
        target.lines = target.lines.map { $0 + Int64(lines) }
        return target
    }

    private func begin(_ day: UTCDay) throws(FileError) -> Current {
        try data.check()
        if let leaving {
            try LogPruner.finish(leaving, in: data)
            self.leaving = nil
        }
        try data.manifest.add(node)
        let name = SegmentName(kind: kind, node: node, sequence: nextSequence, day: day)
        guard SegmentName.sequences.contains(nextSequence) else { throw FileError("make", name.path, code: EOVERFLOW) }
        // It may have been there, and been pruned away.
        if try Folder.make(directory + "/" + name.folder) { durableFolders.remove(name.folder) }
        let path = directory + "/" + name.path
        let file = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL, operation: "make")
        return Current(name: name, file: file, length: 0, lines: 0)
    }

    /// Makes the bytes durable, and of a new file its name, and that the directory knows it.
    private func sync(_ target: Current) throws(FileError) {
        let isNew = target.length == 0
        let start = now()
        let descriptor = target.file.descriptor
        let result = isNew ? calls.sync(descriptor) : calls.syncData(descriptor)
        syncNanoseconds = now() &- start
        if result < 0 { throw FileError("sync", target.file.path, code: Int32(-result)) }
        guard isNew else { return }
        try Folder.sync(directory + "/" + target.name.folder, calls)
        if !durableFolders.contains(target.name.folder) {
            try Folder.sync(directory, calls)
            durableFolders.insert(target.name.folder)
        }
        try data.manifest.append([.made(target.name)])
    }

    /// Puts the file back to what was durable; a file that has nothing is removed.
    private func undo(_ target: Current) {
        if target.length == 0 {
            current = nil
            do {
                try remove(target)
            } catch {
                fatal = error
            }
        } else {
            let result = calls.truncate(target.file.descriptor, target.length)
            if result < 0 { fatal = FileError("cut back", target.file.path, code: Int32(-result)) }
        }
    }

    /// Where the manifest may have got the file's line all the same, the file goes as a pruned one does: or a crash would make
    /// it one that is missing.
    private func remove(_ target: Current) throws(FileError) {
        if !target.file.isAtItsPath { return }
        if data.manifest.isCertain { return try Folder.remove(target.file.path) }
        let leaving = LeavingName(target.name, lines: 0)
        let path = directory + "/" + leaving.path
        if rename(target.file.path, path) != 0 { throw FileError("rename", target.file.path, code: errno) }
        self.leaving = leaving
    }
}
