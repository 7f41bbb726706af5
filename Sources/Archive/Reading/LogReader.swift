internal import Glibc

/// Reads a log from a place, beside the one that writes it, in the same process or another.
///
/// Only whole commits are returned. What is no good member is passed over, and named in the chunk, as soon as it is certain
/// that it is not a write under way: when a good member or another file follows, or when it lies before the end that the
/// caller gives.
///
/// Places are those of files as they were first written. Of a compacted file (``LogCompactor``) as many commits are read as
/// one of its members has.
package final class LogReader {
    private let log: LogFiles
    private var file: SegmentReader?
    private var segment: SegmentName?

    /// - Parameter directory: the log's folder, `…/archive`, `…/rejected` or `…/reports`, in a data directory.
    package init(directory: String, log kind: LogKind = .plays) {
        log = LogFiles(directory: directory, kind: kind)
    }

    /// Reads whole commits of one file.
    ///
    /// - Parameters:
    ///   - place: ``LogPosition/beginning``, or the end of an earlier chunk. Where that file is gone, reading goes on in the next.
    ///   - end: nothing after it is read; nil: up to the last whole commit that the files hold.
    ///   - maxBytes: a chunk that has so many bytes of lines takes no further commit; it always takes one.
    /// - Returns: nil when there is nothing more for now.
    /// - Throws: what the system said of a file that can't be read.
    /// - Complexity: O(bytes returned); at the end of the log one listing of its folders, unless `end` is given.
    package func next(
        after position: LogPosition, upTo end: LogPosition? = nil, maxBytes: Int
    ) throws(FileError) -> LogChunk? {
        var chunk = LogChunk(start: position)
        return try read(after: position, upTo: end, maxBytes: maxBytes, into: &chunk) ? chunk : nil
    }

    /// Reads like ``next(after:upTo:maxBytes:)`` into a chunk that is used again, so that its memory is.
    ///
    /// - Returns: false when there is nothing more for now.
    package func read(
        after position: LogPosition, upTo end: LogPosition? = nil, maxBytes: Int, into chunk: inout LogChunk
    ) throws(FileError) -> Bool {
        var position = position
        var isFinal = false
        // Asked before a file is looked for, and again where the place was moved.
        while true {
            if let end, position >= end { return false }
            guard let file = try open(&position) else {
                guard let next = try log.segment(after: position.segment) else { return false }
                position = LogPosition(segment: next.sequence, offset: 0)
                continue
            }
            if let end, position >= end { return false }
            if let end { isFinal = end.segment > position.segment }
            let limit = end.map { $0.segment == position.segment ? $0.offset : .max } ?? .max
            chunk.begin(at: position)
            try fill(&chunk, from: file, before: limit, maxBytes: maxBytes, isSettled: end != nil || isFinal)
            if chunk.end != chunk.start { return true }
            guard let next = try log.segment(after: position.segment) else { return false }
            if isFinal {
                position = LogPosition(segment: next.sequence, offset: 0)
                isFinal = false
            } else if end != nil {
                return false
            } else {
                // Another file follows, so this one is complete; but it may have grown since it was read.
                isFinal = true
                try file.seek(to: position.offset)
            }
        }
    }

    /// Bytes of log files after a place: how far a follower lies behind.
    ///
    /// - Complexity: O(*n*) for *n* files.
    package func bytes(after position: LogPosition) throws(FileError) -> Int64 {
        try log.bytes(after: position)
    }

    /// - Parameter isSettled: all bytes before the limit, or the file's end, are written for good.
    private func fill(
        _ chunk: inout LogChunk, from file: SegmentReader, before limit: Int64, maxBytes: Int, isSettled: Bool
    ) throws(FileError) {
        while chunk.lines.count < max(1, maxBytes) {
            switch try file.nextPiece(before: limit, into: &chunk.lines) {
            case .member(let range):
                chunk.end.offset = range.upperBound
            case .damage(let range, let kind, let isTail):
                if isTail && !isSettled { return }
                try file.pass(range)
                chunk.end.offset = file.offset
                chunk.damage.append(LogDamage(file: log.label(segment), range: range, kind: kind))
            case nil:
                return
            }
        }
    }

    /// Stands at a place, or where it has been moved to; nil when its file is gone.
    private func open(_ position: inout LogPosition) throws(FileError) -> SegmentReader? {
        if let file, segment?.sequence == position.segment, file.offset == position.offset { return file }
        while true {
            if let found = try log.segment(position.segment), let opened = try open(found) {
                let file = try SegmentReader(opened)
                if try file.reaches(position.offset) {
                    try file.seek(to: max(0, position.offset))
                    self.file = file
                    segment = found
                    return file
                }
            }
            guard let moved = try log.moved(position) else {
                log.forget()
                return nil
            }
            position = moved
        }
    }

    private func open(_ segment: SegmentName) throws(FileError) -> OpenFile? {
        do {
            return try OpenFile(log.path(of: segment), O_RDONLY)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }
}

/// Lines read from a log: whole commits, in order.
package struct LogChunk: Sendable {
    /// Lines, each ended by LF. Empty where nothing but damage was passed.
    package var lines: [UInt8] = []
    /// Where reading began, after any jump over files that are gone.
    package var start: LogPosition
    /// Where the next chunk begins: to be stored in the same transaction as what the lines say.
    package var end: LogPosition
    /// Stretches between `start` and `end` that could not be read and were passed over.
    package var damage: [LogDamage] = []

    package init(start: LogPosition) {
        self.start = start
        end = start
    }

    /// Empties the chunk and keeps its memory.
    mutating func begin(at position: LogPosition) {
        lines.removeAll(keepingCapacity: true)
        damage.removeAll()
        start = position
        end = position
    }
}

/// The files of a log as a reader sees them, listed anew when it comes to their end.
private final class LogFiles {
    private let directory: String
    private let kind: LogKind
    private var list: SegmentList?

    init(directory: String, kind: LogKind) {
        self.directory = DataPaths(directory).root
        self.kind = kind
    }

    func path(of segment: SegmentName) -> String { directory + "/" + segment.path }

    /// What a file is called in reports: its path below the data directory.
    func label(_ segment: SegmentName?) -> String { kind.folder + "/" + (segment?.path ?? "") }

    func segment(_ sequence: Int64) throws(FileError) -> SegmentName? {
        if let segment = list?.segment(sequence) { return segment }
        return try fresh().segment(sequence)
    }

    func segment(after sequence: Int64) throws(FileError) -> SegmentName? {
        if let segment = list?.segment(after: sequence) { return segment }
        return try fresh().segment(after: sequence)
    }

    /// Files may be gone: the next question lists them anew.
    func forget() {
        list = nil
    }

    private func fresh() throws(FileError) -> SegmentList {
        let fresh = try SegmentList(directory: directory, kind: kind)
        list = fresh
        return fresh
    }

    /// Where recovery has moved what stood at a place.
    func moved(_ position: LogPosition) throws(FileError) -> LogPosition? {
        try DamagedList(directory: DataPaths(ofLog: directory).damaged, kind: kind).moved(position)
    }

    func bytes(after position: LogPosition) throws(FileError) -> Int64 {
        let list = try fresh()
        var bytes: Int64 = 0
        for segment in list.segments[list.index(from: position.segment)...] {
            do {
                bytes += try Folder.size(path(of: segment))
            } catch {
                if !error.isMissing { throw error }
            }
            if segment.sequence == position.segment { bytes = max(0, bytes - max(0, position.offset)) }
        }
        return bytes
    }
}
