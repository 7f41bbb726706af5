internal import Glibc

/// Reads a log from a place, beside the one that writes it, in the same process or another. Used by one thread at a time.
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
    ///   - place: ``LogPlace/beginning``, or the end of an earlier chunk. Where that file is gone, reading goes on in the next.
    ///   - end: nothing after it is read; nil: up to the last whole commit that the files hold.
    ///   - maxBytes: a chunk that has so many bytes of lines takes no further commit; it always takes one.
    /// - Returns: nil when there is nothing more for now.
    /// - Throws: what the system said of a file that can't be read.
    /// - Complexity: O(bytes returned); at the end of the log one listing of its folders, unless `end` is given.
    package func next(
        after place: LogPlace, upTo end: LogPlace? = nil, maxBytes: Int
    ) throws(FileFault) -> LogChunk? {
        var chunk = LogChunk(start: place)
        return try read(after: place, upTo: end, maxBytes: maxBytes, into: &chunk) ? chunk : nil
    }

    /// Reads like ``next(after:upTo:maxBytes:)`` into a chunk that is used again, so that its memory is.
    ///
    /// - Returns: false when there is nothing more for now.
    package func read(
        after place: LogPlace, upTo end: LogPlace? = nil, maxBytes: Int, into chunk: inout LogChunk
    ) throws(FileFault) -> Bool {
        var place = place
        var isFinal = false
        // Asked before a file is looked for, and again where the place was moved.
        while true {
            if let end, place >= end { return false }
            guard let file = try open(&place) else {
                guard let next = try log.segment(after: place.segment) else { return false }
                place = LogPlace(segment: next.sequence, offset: 0)
                continue
            }
            if let end, place >= end { return false }
            if let end { isFinal = end.segment > place.segment }
            let limit = end.map { $0.segment == place.segment ? $0.offset : .max } ?? .max
            chunk.begin(at: place)
            try fill(&chunk, from: file, before: limit, maxBytes: maxBytes, isSettled: end != nil || isFinal)
            if chunk.end != chunk.start { return true }
            guard let next = try log.segment(after: place.segment) else { return false }
            if isFinal {
                place = LogPlace(segment: next.sequence, offset: 0)
                isFinal = false
            } else if end != nil {
                return false
            } else {
                // Another file follows, so this one is complete; but it may have grown since it was read.
                isFinal = true
                try file.seek(to: place.offset)
            }
        }
    }

    /// Bytes of log files after a place: how far a follower lies behind.
    ///
    /// - Complexity: O(*n*) for *n* files.
    package func bytes(after place: LogPlace) throws(FileFault) -> Int64 {
        try log.bytes(after: place)
    }

    /// - Parameter isSettled: all bytes before the limit, or the file's end, are written for good.
    private func fill(
        _ chunk: inout LogChunk, from file: SegmentReader, before limit: Int64, maxBytes: Int, isSettled: Bool
    ) throws(FileFault) {
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
    private func open(_ place: inout LogPlace) throws(FileFault) -> SegmentReader? {
        if let file, segment?.sequence == place.segment, file.offset == place.offset { return file }
        while true {
            if let found = try log.segment(place.segment), let opened = try open(found) {
                let file = try SegmentReader(opened)
                if try file.reaches(place.offset) {
                    try file.seek(to: max(0, place.offset))
                    self.file = file
                    segment = found
                    return file
                }
            }
            guard let moved = try log.moved(place) else {
                log.forget()
                return nil
            }
            place = moved
        }
    }

    private func open(_ segment: SegmentName) throws(FileFault) -> OpenFile? {
        do {
            return try OpenFile(log.path(of: segment), O_RDONLY)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }
}
