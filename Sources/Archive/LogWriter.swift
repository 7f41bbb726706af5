internal import Glibc

/// Appends gzip members to one log and makes each durable. Used by one thread at a time.
///
/// What happens when a call fails:
/// - A write that fails or falls short is undone by cutting the file back; the file goes on to be used.
/// - A sync that fails leaves it unknown which of the bytes since the last good sync are on the disk, and asking again would
///   only hide that (the kernel reports an error once). So the file is cut back to its acknowledged length, which was
///   synced before and whose bytes stay as they are, and it never gets another byte: the next member goes to a new file.
/// - A file that can't be cut back leaves the log's state unknown: nothing is appended any more, the process has to end, and
///   the next start finds out what is there.
final class LogWriter {
    let kind: LogKind
    private let directory: String
    private let node: NodeName
    private let limit: Int64
    private let calls: FileCalls
    private let now: @Sendable () -> UInt64

    private struct Current {
        var name: SegmentName
        var file: OpenFile
        /// The bytes that are durable.
        var length: Int64
    }
    private var current: Current?
    private var nextSequence: Int64
    /// Day folders whose own names this process has made durable.
    private var durableFolders: Set<String> = []

    /// All before it is durable.
    private(set) var end: LogPlace
    /// Why nothing can be appended any more.
    private(set) var fatal: FileFault?
    /// How long the last sync took, in nanoseconds.
    private(set) var syncNanoseconds: UInt64 = 0

    init(
        kind: LogKind, directory: String, configuration: CommitterConfiguration, end: LogPlace, nextSequence: Int64
    ) {
        self.kind = kind
        self.directory = directory
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
    func resume(_ name: SegmentName, length: Int64) throws(FileFault) {
        let file = try OpenFile(directory + "/" + name.path, O_RDWR)
        current = Current(name: name, file: file, length: length)
        durableFolders.insert(name.folder)
    }

    /// Appends one member, in one write, and makes it durable.
    ///
    /// - Throws: what failed; the log then stands as before.
    func append(_ member: UnsafeRawBufferPointer, day: UTCDay) throws(FileFault) {
        if let fatal { throw fatal }
        if let current, current.name.day != day || current.length + Int64(member.count) > limit { self.current = nil }
        var target = if let current { current } else { try begin(day) }
        let isNew = target.length == 0
        do {
            try calls.writeAll(member, to: target.file, at: target.length)
        } catch {
            undo(target)
            throw error
        }
        do {
            try sync(target, isNew: isNew)
        } catch {
            current = nil
            undo(target)
            throw error
        }
        target.length += Int64(member.count)
        current = target
        end = LogPlace(segment: target.name.sequence, offset: target.length)
        if isNew { nextSequence = target.name.sequence + 1 }
    }

    private func begin(_ day: UTCDay) throws(FileFault) -> Current {
        let name = SegmentName(kind: kind, node: node, sequence: nextSequence, day: day)
        guard SegmentName.sequences.contains(nextSequence) else { throw FileFault("make", name.path, code: EOVERFLOW) }
        // It may have been there, and been pruned away.
        if try Folder.make(directory + "/" + name.folder) { durableFolders.remove(name.folder) }
        let path = directory + "/" + name.path
        let file = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL, operation: "make")
        return Current(name: name, file: file, length: 0)
    }

    private func sync(_ target: Current, isNew: Bool) throws(FileFault) {
        let start = now()
        let descriptor = target.file.descriptor
        let result = isNew ? calls.sync(descriptor) : calls.syncData(descriptor)
        syncNanoseconds = now() &- start
        if result < 0 { throw FileFault("sync", target.file.path, code: Int32(-result)) }
        if isNew {
            try Folder.sync(directory + "/" + target.name.folder, calls)
            if !durableFolders.contains(target.name.folder) {
                try Folder.sync(directory, calls)
                durableFolders.insert(target.name.folder)
            }
        }
    }

    /// Puts the file back to what was durable; a file that has nothing is removed.
    private func undo(_ target: Current) {
        if target.length == 0 {
            current = nil
            do { try Folder.remove(target.file.path) } catch { fatal = error }
        } else {
            let result = calls.truncate(target.file.descriptor, target.length)
            if result < 0 { fatal = FileFault("cut back", target.file.path, code: Int32(-result)) }
        }
    }
}
