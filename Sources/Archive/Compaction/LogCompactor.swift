internal import Glibc
internal import Gzip

/// Rewrites closed files of a log as large members, under the same name.
///
/// At a hundred requests a second each is a member of its own, and takes five times the room that its lines take among
/// others. What is written says where each commit stood (``OriginField``), so every place stays what it was.
///
/// The new file has its name only once it is whole, read back and durable, so a crash leaves the old one or the new one. What
/// is left of one that was not finished is hidden, and removed by the next start. The manifest goes on saying what the file
/// was when it was closed, which the new one says of itself; so no crash comes between the two.
package struct LogCompactor {
    /// What became of a file.
    package enum Outcome: Sendable, Equatable {
        /// Its bytes before and after.
        case compacted(before: Int64, after: Int64)
        /// It stays as it is, for a reason that does not pass by itself.
        case left(String)
        /// There is no room for a second copy of it for now.
        case noRoom(needed: Int64, free: Int64)
        /// The process ends.
        case interrupted
    }

    /// Lines that a member takes together, in bytes: from 180 KiB on a larger one is hardly smaller for each play.
    static let memberBytes = 1 << 20
    /// What the disk keeps for others while a file is there twice, in bytes.
    package static let reserveBytes: Int64 = 64 << 20
    /// The disk is told to write so many bytes at a time, so that no request's sync waits for a whole file.
    private static let syncBytes: Int64 = 1 << 20
    /// A day of ten million plays takes ten minutes of a processor that nobody else wants; level 6 a half, for 2 % more room.
    private static let level: Int32 = 8
    /// The newest files of a log are left alone.
    private static let newestFiles = 2

    private let directory: DataDirectory
    private let freeBytes: @Sendable (String) -> Int64?
    private let isOver: @Sendable () -> Bool
    private var files: FileCalls { directory.files }

    /// - Parameters:
    ///   - freeBytes: how much room the disk of a path has for programs without rights; nil where nobody knows.
    ///   - isOver: asked now and then whether to give up.
    package init(
        _ directory: DataDirectory, freeBytes: @escaping @Sendable (String) -> Int64? = LogCompactor.freeBytes,
        isOver: @escaping @Sendable () -> Bool = { false }
    ) {
        self.directory = directory
        self.freeBytes = freeBytes
        self.isOver = isOver
    }

    /// The files that may be compacted, in the log's order, those that are already among them.
    ///
    /// - Parameters:
    ///   - day: files of earlier days are closed.
    ///   - place: what every follower has read up to.
    package func candidates(
        _ kind: LogKind, before day: UTCDay, readUpTo position: LogPosition
    ) throws(FileError) -> [SegmentName] {
        let list = try SegmentList(
            directory: directory.paths.log(kind), kind: kind, manifest: directory.manifest.manifest)
        // Places in what was moved out of a damaged file are found by its length.
        let damaged = try DamagedList(directory: directory.paths.damaged, kind: kind)
        return list.segments.dropLast(Self.newestFiles).filter { segment in
            segment.day < day && segment.sequence < position.segment && damaged.cut(of: segment.sequence) == nil
        }
    }

    /// Whether a file has been compacted.
    package func isCompacted(_ segment: SegmentName) throws(FileError) -> Bool {
        try OriginField.marks(OpenFile(path(of: segment), O_RDONLY))
    }

    /// Compacts a file.
    ///
    /// - Throws: what the system said; then the file is as it was, or compacted.
    /// - Complexity: O(bytes of the lines), about a second for 150 MB. Memory for a member and the largest commit.
    package func compact(_ segment: SegmentName) throws(FileError) -> Outcome {
        let source = try OpenFile(path(of: segment), O_RDONLY)
        let size = try source.size()
        let folder = directory.paths.log(segment.kind) + "/" + segment.folder
        if let free = freeBytes(folder), free < size + Self.reserveBytes {
            return .noRoom(needed: size + Self.reserveBytes, free: free)
        }
        let hidden = folder + "/" + CompactingName(segment).file
        do throws(FileError) {
            let outcome = try write(source, to: hidden)
            guard case .compacted = outcome else {
                unlink(hidden)
                return outcome
            }
            // Whoever rewrites or removes closed files has the directory's leave, and may have had it before.
            try directory.check()
            guard source.isAtItsPath, try source.size() == size else {
                unlink(hidden)
                return .left("it has changed meanwhile")
            }
            if rename(hidden, source.path) != 0 { throw FileError("rename", hidden, code: errno) }
            try Folder.sync(folder, files)
            return outcome
        } catch {
            unlink(hidden)
            throw error
        }
    }

    private func path(of segment: SegmentName) -> String {
        directory.paths.log(segment.kind) + "/" + segment.path
    }

    /// How much room the disk of a path has.
    package static func freeBytes(_ path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    // MARK: Writing

    private func write(_ source: OpenFile, to path: String) throws(FileError) -> Outcome {
        let target = try OpenFile(path, O_RDWR | O_CREAT | O_TRUNC, operation: "make")
        let members = MemberReader(source, at: 0)
        let compressor = GzipCompressor(level: Self.level, isFiltered: true)
        var lines: [UInt8] = []
        var field = OriginField(start: 0)
        var total = Total()
        var (length, synced): (Int64, Int64) = (0, 0)
        while true {
            if isOver() { return .interrupted }
            let before = lines.count
            let piece = try members.nextPiece(into: &lines)
            if case .damage(let range, let kind, isTail: _) = piece {
                return .left("bytes \(range.lowerBound)–\(range.upperBound): \(kind.rawValue)")
            }
            if case .member(let range) = piece {
                // An empty member holds a place and no line.
                if let last = lines.last, lines.count > before, last != 0x0a {
                    return .left("bytes \(range.lowerBound)–\(range.upperBound): the last line does not end in LF")
                }
                let count = Int64(lines[before...].count { $0 == 0x0a })
                field.add(OriginField.Commit(bytes: Int64(range.count), lines: count))
            }
            if field.commits.isEmpty { break }
            guard piece == nil || lines.count >= Self.memberBytes || field.isFull else { continue }
            compressor.begin(expecting: lines.count)
            compressor.append(lines.span.bytes)
            let member = field.member(compressor.finish().bytes)
            try files.writeAll(member.span.bytes, to: target, at: length)
            length += Int64(member.count)
            total.add(lines)
            if length - synced >= Self.syncBytes {
                try sync(files.syncData(target.descriptor), target)
                synced = length
            }
            lines.removeAll(keepingCapacity: true)
            field = OriginField(start: field.end)
        }
        try sync(files.sync(target.descriptor), target)
        let size = try source.size()
        guard field.start == size, length > 0 else { return .left("it has changed meanwhile") }
        if isOver() { return .interrupted }
        guard try Self.holds(total, upTo: size, in: target) else {
            throw FileError("read back what was written to", path, code: EIO)
        }
        return .compacted(before: size, after: length)
    }

    private func sync(_ result: Int, _ file: OpenFile) throws(FileError) {
        if result < 0 { throw FileError("sync", file.path, code: Int32(-result)) }
    }

    /// What was written, to be found again.
    private struct Total: Equatable {
        var lines: Int64 = 0
        var bytes: Int64 = 0

        mutating func add(_ text: [UInt8]) {
            lines += Int64(text.count { $0 == 0x0a })
            bytes += Int64(text.count)
        }
    }

    /// Reads a file back, before the old one goes for good: gzip has a check of each member's lines.
    private static func holds(_ total: Total, upTo end: Int64, in file: OpenFile) throws(FileError) -> Bool {
        let reader = try SegmentReader(file)
        var found = Total()
        var lines: [UInt8] = []
        while let piece = try reader.nextPiece(before: .max, into: &lines) {
            guard case .member = piece else { return false }
            found.add(lines)
            lines.removeAll(keepingCapacity: true)
        }
        return reader.isCompacted && reader.offset == end && found == total
    }
}

/// What a file is called that is being compacted, until it is whole: hidden, beside the one whose place it takes.
struct CompactingName {
    private static let ending = ".compacting"

    private var name: SegmentName

    init(_ name: SegmentName) {
        self.name = name
    }

    init?(_ file: String, folder: String, kind: LogKind) {
        guard file.hasPrefix("."), file.hasSuffix(Self.ending),
            let name = SegmentName(
                file: String(file.dropFirst().dropLast(Self.ending.count)), folder: folder, kind: kind)
        else { return nil }
        self.init(name)
    }

    var file: String { ".\(name.file)\(Self.ending)" }
    /// The path below the log's folder.
    var path: String { "\(name.folder)/\(file)" }
}
