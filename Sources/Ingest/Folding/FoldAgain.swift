package import Archive
internal import Foundation
package import PlayFolding
internal import PlayStore
internal import PlaybackEvents

/// Makes the plays of players' reports anew, after a rule was mended: an archive with all other lines as they are.
///
/// A play keeps its place in the log. One that is new goes to the end of its day. Plays whose reports are not all there any
/// more are left as they are.
package struct FoldAgain {
    package struct Counts: Sendable, Equatable {
        /// Plays of this kind in the archive, and in the new one.
        package var before = 0
        package var after = 0
        /// Those that are others now: with another figure, new, or gone.
        package var changed = 0
        /// Those that were left, since their reports are not all there.
        package var left = 0

        package init() {}
    }

    private struct Made {
        var offset: UInt64
        var length: Int
        var hash: Int
        var receivedAt: Int64
    }

    private let paths: DataPaths
    private let limits: FolderLimits
    private var made: [Identifier128: Made] = [:]
    private var spill: FileHandle?
    private var spilled: UInt64 = 0
    /// Plays received before it may have reports that are gone, ms since 1970.
    private var wholeFrom = Int64.min
    /// Whose plays were erased.
    private var tombstones = Tombstones(secret: Identifier128(high: 0, low: 0))
    private var counts = Counts()

    /// More than a play can last, with the silence after it, in ms.
    private static let longest: Int64 = 29 * 3_600_000

    package init(_ paths: DataPaths, limits: FolderLimits = FolderLimits()) {
        self.paths = paths
        self.limits = limits
    }

    /// Writes the new archive.
    ///
    /// - Parameters:
    ///   - directory: a folder that isn't there, or is empty.
    ///   - progress: gets how many of how many bytes of the archive are copied.
    /// - Throws: ``FileError``, or what Foundation says of the temporary file beside the folder.
    /// - Complexity: reads the log of reports and the archive twice; some 100 bytes of memory a play.
    package mutating func run(
        into directory: String, progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> Counts {
        tombstones = try EraseFolder(paths).tombstones()
        let copy = try ArchiveCopy(of: paths, into: directory)
        let path = directory + ".plays"
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forUpdatingAtPath: path)
        else { throw FileError("make", path, code: EIO) }
        spill = file
        defer { try? FileManager.default.removeItem(atPath: path) }
        var old: [Identifier128: Int] = [:]
        try forEachLine { line, entry in
            if let entry, let id = Self.folded(entry) { old[id] = Self.hash(line) }
        }
        counts.before = old.count
        try fold(old)
        let additions = self.additions(to: old)
        try self.copy(to: copy, additions, progress)
        try copy.finish()
        return counts
    }

    // MARK: Folding

    private mutating func fold(_ old: [Identifier128: Int]) throws {
        // Until a report is found, nothing is known to have all of its reports.
        wholeFrom = .max
        guard let positions = try FoldPositions.read(paths) else { return }
        let isWhole = try Inventory(paths).isWhole(.reports)
        let reader = LogReader(directory: paths.reports, log: .reports)
        var folder = PlayFolder(limits: limits)
        var position = LogPosition.beginning
        var lineNumber: Int64 = 0
        var last: Int64?
        // Up to where plays are known to be archived, then to the end: of what closes there only what the archive has.
        for end in [positions.written, nil] {
            while let chunk = try reader.next(after: position, upTo: end, maxBytes: 1 << 20) {
                position = chunk.end
                for bytes in chunk.lines.split(separator: 0x0A) {
                    guard let line = try? ReportLine.parse(bytes.span.bytes) else { continue }
                    if last == nil { wholeFrom = isWhole ? .min : line.receivedAt + Self.longest }
                    last = line.receivedAt
                    lineNumber += 1
                    for play in folder.take(line, at: lineNumber)
                    where end != nil || old[play.batch.receipt.requestId] != nil { try keep(play) }
                }
            }
        }
        // Of plays that are still open here, those that an import has closed at its end.
        for play in folder.closeAll(receivedAt: last ?? 0, at: lineNumber + 1)
        where old[play.batch.receipt.requestId] != nil { try keep(play) }
    }

    private mutating func keep(_ play: ClosedPlay) throws {
        guard !tombstones.has(play.play, id: play.batch.receipt.requestId, in: play.batch.text) else { return }
        var line: [UInt8] = []
        ArchiveLine.append(play.batch, to: &line)
        try spill?.write(contentsOf: Data(line))
        made[play.batch.receipt.requestId] = Made(
            offset: spilled, length: line.count, hash: Self.hash(line.dropLast()),
            receivedAt: play.batch.receipt.receivedAt)
        spilled += UInt64(line.count)
    }

    private func line(_ made: Made) throws -> Data {
        try spill?.seek(toOffset: made.offset)
        return try spill?.read(upToCount: made.length) ?? Data()
    }

    /// New plays by the file at whose end they go.
    private mutating func additions(to old: [Identifier128: Int]) -> [Int64: [Made]] {
        let segments = (try? SegmentList(directory: paths.archive, kind: .plays).segments) ?? []
        var additions: [Int64: [Made]] = [:]
        let new = made.filter { old[$0.key] == nil && $0.value.receivedAt >= wholeFrom }
        for (_, made) in new.sorted(by: { ($0.value.receivedAt, $0.key) < ($1.value.receivedAt, $1.key) }) {
            let day = UTCDay(holding: made.receivedAt)
            guard let segment = segments.last(where: { $0.day <= day }) ?? segments.first else { break }
            additions[segment.sequence, default: []].append(made)
            counts.changed += 1
            counts.after += 1
        }
        return additions
    }

    // MARK: Copying

    private mutating func copy(
        to copy: ArchiveCopy, _ additions: [Int64: [Made]], _ progress: (Int64, Int64) -> Void
    ) throws {
        let reader = LogReader(directory: paths.archive)
        let total = try reader.bytes(after: .beginning)
        for segment in try SegmentList(directory: paths.archive, kind: .plays).segments {
            try copy.begin(segment)
            var position = LogPosition(segment: segment.sequence, offset: 0)
            let end = LogPosition(segment: segment.sequence + 1, offset: 0)
            while let chunk = try reader.next(after: position, upTo: end, maxBytes: 1 << 20) {
                position = chunk.end
                for bytes in chunk.lines.split(separator: 0x0A) {
                    if let line = try replacement(for: bytes) { try copy.append(line) }
                }
                progress(total - (try reader.bytes(after: position)), total)
            }
            for made in additions[segment.sequence] ?? [] { try copy.append(try line(made)) }
        }
    }

    /// What stands in the place of a line, ended by LF; nil for a play that is gone.
    private mutating func replacement(for bytes: ArraySlice<UInt8>) throws -> [UInt8]? {
        let kept = Array(bytes) + [0x0A]
        var lines = LoggedPlays()
        _ = try? lines.append(line: bytes.span.bytes)
        guard let entry = lines.entries.first else { return kept }
        if lines.isErased(entry, tombstones) {
            // A copy from before the erasure has come back; the line stays as its own was left.
            var left: [UInt8] = []
            ErasedLine(entry).append(to: &left)
            counts.changed += 1
            return left
        }
        guard let id = Self.folded(entry) else { return kept }
        if let new = made[id] {
            counts.after += 1
            if new.hash == Self.hash(bytes) { return kept }
            counts.changed += 1
            return Array(try line(new))
        }
        guard entry.receivedAt < wholeFrom else {
            counts.changed += 1
            return nil
        }
        counts.left += 1
        counts.after += 1
        return kept
    }

    private func forEachLine(_ body: (ArraySlice<UInt8>, LoggedPlays.Entry?) -> Void) throws {
        let reader = LogReader(directory: paths.archive)
        var lines = LoggedPlays()
        var position = LogPosition.beginning
        while let chunk = try reader.next(after: position, maxBytes: 1 << 20) {
            position = chunk.end
            for bytes in chunk.lines.split(separator: 0x0A) {
                lines.removeAll(keepingCapacity: true)
                _ = try? lines.append(line: bytes.span.bytes)
                body(bytes, lines.entries.first)
            }
        }
    }

    private static func folded(_ entry: LoggedPlays.Entry) -> Identifier128? {
        guard case .play(let play) = entry.kind, play.isFolded(in: entry.requestId) else { return nil }
        return entry.requestId
    }

    /// Of what a line says of the play: not when it was closed.
    private static func hash(_ line: ArraySlice<UInt8>) -> Int {
        let mark = Array(",\"receivedAt\":".utf8)
        let end = line.indices.last { line[$0...].starts(with: mark) } ?? line.endIndex
        return line[..<end].hashValue
    }
}
