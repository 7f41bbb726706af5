internal import Glibc

/// Finds out at start what a log holds, and mends its last file.
///
/// The end of the last file is where a crash leaves its marks, so it is read member by member; earlier files are read by
/// whoever follows or verifies the log, and damage there is passed over and reported. What is found at the end:
/// - a member that the file's end cuts off, or zeros: a write that was never acknowledged. It is cut off.
/// - a file without a member: removed.
/// - bytes that are no good member, with or without good members after them: damage to what may have been acknowledged. Its
///   bytes go to `damaged/`; good members after it go to a new file, the next in the log; the damaged file is cut back
///   to before the damage and never grows again. ``DamagedList`` tells followers that had read beyond where to go on.
///
/// Each step is durable before the next, so that a crash in between is mended by the next start: the set-aside bytes, then
/// the new file under its name, then the cut.
struct LogRecovery {
    let kind: LogKind
    let data: DataDirectory
    let configuration: CommitterConfiguration
    var paths: DataPaths { data.paths }
    var directory: String { paths.log(kind) }

    /// Opens a log for writing.
    ///
    /// - Throws: what the system said; a log whose end can't be mended is not written to.
    /// - Complexity: reads ``CommitterConfiguration/recoveryBytes`` of the last file, and the names and lengths of the others.
    static func open(
        _ kind: LogKind, _ data: DataDirectory, _ configuration: CommitterConfiguration, _ record: CommitRecord
    ) throws(FileError) -> LogWriter {
        let recovery = LogRecovery(kind: kind, data: data, configuration: configuration)
        // Before any file of that name is made: a file that a crash leaves without a line is told to be ours by it.
        do {
            try data.manifest.add(configuration.node)
        } catch {
            // On a full disk the writer asks for it again, before it makes a file.
            if !error.isFull { throw error }
        }
        try recovery.finishCuts()
        while try !recovery.mendLastFile() {}
        try recovery.noteCuts()
        return try recovery.writer(record)
    }

    private func list() throws(FileError) -> SegmentList {
        try SegmentList(directory: directory, kind: kind, manifest: data.manifest.manifest)
    }

    private func writer(_ record: CommitRecord) throws(FileError) -> LogWriter {
        let list = try list()
        let damaged = try DamagedList(directory: paths.damaged, kind: kind)
        let known = data.manifest.manifest[kind]
        // Those that a crash has left without a line, what was salvaged, what an operator has put back, pruned files too.
        let unknown = list.segments.filter { segment in
            guard let file = known.files[segment.sequence] else { return true }
            return file.name != segment || file.removedLines != nil
        }
        if !unknown.isEmpty { try data.manifest.append(unknown.map { .made($0) }) }
        var extent = LogExtent()
        var end = LogPosition.beginning
        for segment in list.segments {
            let length = try Folder.size(list.path(of: segment))
            extent.set(segment.sequence, length: length)
            end = LogPosition(segment: segment.sequence, offset: length)
        }
        // A compacted file is the last one only where those after it are lost. Nothing is appended to it.
        let compacted = try list.segments.last.flatMap { last throws(FileError) in
            try SegmentReader.compactedLength(of: list.path(of: last))
        }
        if let compacted { end.offset = compacted }
        record.begin(kind, end: end, extent: extent)
        let followedTo =
            switch kind {
            case .plays: configuration.followedTo
            case .rejected: configuration.quarantineFollowedTo
            case .reports: configuration.reportsFollowedTo
            }
        // A number that no file can have is no place.
        let isBehind = followedTo > end && SegmentName.sequences.contains(followedTo.segment)
        let latest = max(end.segment, damaged.sequences.max() ?? 0, isBehind ? followedTo.segment : 0, known.last)
        let writer = LogWriter(
            kind: kind, data: data, configuration: configuration, end: end, nextSequence: latest + 1)
        if let last = list.segments.last, last.sequence == latest, last.node == configuration.node, !isBehind,
            damaged.cut(of: last.sequence) == nil, compacted == nil, configuration.resumesFiles
        {
            let closed = known.files[last.sequence]?.closed
            try writer.resume(last, length: end.offset, lines: closed?.bytes == end.offset ? closed?.lines : nil)
        }
        return writer
    }

    /// Cuts the files whose damage was set aside and whose rest was moved before a crash came.
    private func finishCuts() throws(FileError) {
        let list = try list()
        for stranger in list.strangers where stranger.hasSuffix(SegmentName.suffix + Self.temporary) {
            try Folder.remove(directory + "/" + stranger)
        }
        let damaged = try DamagedList(directory: paths.damaged, kind: kind)
        for sequence in damaged.sequences {
            guard let segment = list.segment(sequence), let next = list.segment(sequence + 1),
                let cut = damaged.cut(of: sequence)
            else { continue }
            let file = try OpenFile(list.path(of: segment), O_RDWR)
            let rest = damaged.rest(of: sequence, size: try file.size())
            if rest.isEmpty { continue }
            if try isCopied(rest, of: file, to: list.path(of: next)) { try self.cut(file, segment, to: cut) }
        }
    }

    /// Notes what is left of files that were cut back to before their damage: by this start, or by one that a crash ended
    /// before it could. Else they would be shorter than their last line in the manifest says, for ever.
    private func noteCuts() throws(FileError) {
        let list = try list()
        let damaged = try DamagedList(directory: paths.damaged, kind: kind)
        let known = data.manifest.manifest[kind]
        for sequence in damaged.sequences.sorted() {
            guard let segment = list.segment(sequence), let cut = damaged.cut(of: sequence),
                known.files[sequence]?.closed?.bytes != cut, try Folder.size(list.path(of: segment)) == cut
            else { continue }
            let lines = try LogPruner.lines(of: list.path(of: segment))
            if known.files[sequence]?.name != segment { try data.manifest.append([.made(segment)]) }
            try data.manifest.append([.closed(segment, lines: lines, bytes: cut)])
        }
    }

    /// Looks at the end of the last file.
    ///
    /// - Returns: false when it had to be removed, so that another is the last.
    private func mendLastFile() throws(FileError) -> Bool {
        let list = try list()
        guard let segment = list.segments.last else { return true }
        let file = try OpenFile(list.path(of: segment), O_RDWR)
        // It was whole and durable when it got its name: nothing of it is a write under way.
        if try OriginField.marks(file) { return true }
        let tail = try LogTail(file, reach: configuration.recoveryBytes)
        let label = kind.folder + "/" + segment.path
        if tail.size == 0 {
            try cut(file, segment, to: 0)
            configuration.onNotice(.emptyRemoved(file: label))
            return false
        }
        guard let first = tail.damage.first else {
            try sync(file, segment)
            return true
        }
        if tail.isTorn {
            configuration.onNotice(.tailCut(file: label, range: first.range.lowerBound..<tail.size))
        } else {
            try setAside(tail, of: file, segment)
            // All of it is in `damaged/`, so it isn't missing.
            if first.range.lowerBound == 0 { try data.manifest.append([.removed(segment, lines: 0)]) }
            for damage in tail.damage { configuration.onNotice(.damageSetAside(file: label, range: damage.range)) }
        }
        try cut(file, segment, to: first.range.lowerBound)
        return first.range.lowerBound > 0 && tail.salvage.isEmpty
    }

    /// Cuts a file back; one that keeps nothing is removed.
    private func cut(_ file: OpenFile, _ segment: SegmentName, to length: Int64) throws(FileError) {
        if length == 0 {
            try Folder.remove(file.path)
            try Folder.sync(directory + "/" + segment.folder, configuration.files)
            return
        }
        let result = configuration.files.truncate(file.descriptor, length)
        if result < 0 { throw FileError("cut back", file.path, code: Int32(-result)) }
        try sync(file, segment)
    }

    /// What a process that died had written and not synced must be durable before a follower may read it: it would
    /// otherwise store a place that a power cut takes away.
    func sync(_ file: OpenFile, _ segment: SegmentName) throws(FileError) {
        let result = configuration.files.sync(file.descriptor)
        if result < 0 { throw FileError("sync", file.path, code: Int32(-result)) }
        try Folder.sync(directory + "/" + segment.folder, configuration.files)
        try Folder.sync(directory, configuration.files)
    }
}

extension LogRecovery {
    /// What a file is called while it is not whole.
    static let temporary = ".tmp"

    /// Keeps the damaged stretches in `damaged/`, and what is good after the first of them in the log's next file.
    private func setAside(_ tail: LogTail, of file: OpenFile, _ segment: SegmentName) throws(FileError) {
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
    ) throws(FileError) {
        let path = folder + "/" + name
        let target = try OpenFile(path + Self.temporary, O_RDWR | O_CREAT | O_TRUNC, operation: "make")
        var length: Int64 = 0
        for range in ranges {
            try configuration.files.copy(range, of: source, to: target, at: length)
            length += Int64(range.count)
        }
        let result = configuration.files.sync(target.descriptor)
        if result < 0 { throw FileError("sync", target.path, code: Int32(-result)) }
        if rename(target.path, path) != 0 { throw FileError("rename", target.path, code: errno) }
        try Folder.sync(folder, configuration.files)
    }

    /// Whether a file begins with these stretches of another. Names alone don't tell: the directory may be a backup's, where
    /// those files are others.
    func isCopied(_ ranges: [Range<Int64>], of source: OpenFile, to path: String) throws(FileError) -> Bool {
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

/// The end of a log's last file, read member by member.
private struct LogTail {
    /// The file's length in bytes.
    let size: Int64
    /// What is no good member, in order.
    private(set) var damage: [(range: Range<Int64>, kind: LogDamage.Kind)] = []
    /// The stretches of good members after the first damage, in order.
    private(set) var salvage: [Range<Int64>] = []

    /// - Parameter reach: how much of the file's end is read, in bytes.
    init(_ file: OpenFile, reach: Int64) throws(FileError) {
        size = try file.size()
        let members = MemberReader(file, at: 0)
        members.seek(to: try members.anchor(reach: reach, size: size))
        var lines: [UInt8] = []
        while let piece = try members.nextPiece(before: size, into: &lines) {
            lines.removeAll(keepingCapacity: true)
            switch piece {
            case .member(let range):
                if damage.isEmpty { continue }
                if let last = salvage.last, last.upperBound == range.lowerBound {
                    salvage[salvage.count - 1] = last.lowerBound..<range.upperBound
                } else {
                    salvage.append(range)
                }
            case .damage(let range, let kind, let isTail):
                damage.append((range, kind))
                if isTail { return }
            }
        }
    }

    /// There is nothing but a write that was never finished.
    var isTorn: Bool {
        guard damage.count == 1, salvage.isEmpty, let kind = damage.first?.kind else { return false }
        return kind == .tornMember || kind == .zeros
    }
}
