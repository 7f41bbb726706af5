internal import Glibc

/// Reads a log from a place, beside the one that writes it, in the same process or another. Used by one thread at a time.
package final class LogReader {
    private let directory: String
    private let kind: LogKind
    private var list: SegmentList?
    private var reader: (segment: SegmentName, members: MemberReader)?

    /// - Parameter directory: the log's folder, `…/archive` or `…/rejected`.
    package init(directory: String, log kind: LogKind = .plays) {
        self.directory = directory
        self.kind = kind
    }

    /// Reads whole commits after a place.
    ///
    /// - Parameters:
    ///   - end: nothing after it is read; nil: up to the last whole commit that the files hold.
    ///   - maxBytes: a chunk that has so many bytes of lines takes no further commit; it always takes one.
    /// - Returns: nil when there is nothing more for now.
    /// - Throws: what the system said of a file that can't be read.
    package func next(
        after place: LogPlace, upTo end: LogPlace? = nil, maxBytes: Int
    ) throws(FileFault) -> LogChunk? {
        var place = place
        while true {
            if let end, place >= end { return nil }
            guard let members = try open(place) else {
                guard let next = try segment(after: place.segment) else { return nil }
                place = LogPlace(segment: next.sequence, offset: 0)
                continue
            }
            let isFinal = try segment(after: place.segment) != nil
            let limit = end.map { $0.segment == place.segment ? $0.offset : .max } ?? .max
            var chunk = LogChunk(start: place)
            while chunk.lines.count < maxBytes, try members.next(before: limit, into: &chunk.lines) == .member {
                chunk.end.offset = members.offset
            }
            if chunk.end != chunk.start { return chunk }
            guard isFinal, let next = try segment(after: place.segment) else { return nil }
            place = LogPlace(segment: next.sequence, offset: 0)
        }
    }

    private func open(_ place: LogPlace) throws(FileFault) -> MemberReader? {
        if let reader, reader.segment.sequence == place.segment {
            if reader.members.offset != place.offset { reader.members.seek(to: place.offset) }
            return reader.members
        }
        guard let segment = try current().segment(place.segment) else { return nil }
        let members = MemberReader(try OpenFile(directory + "/" + segment.path, O_RDONLY), at: place.offset)
        reader = (segment, members)
        return members
    }

    private func segment(after sequence: Int64) throws(FileFault) -> SegmentName? {
        if let next = list?.segment(after: sequence) { return next }
        list = nil
        return try current().segment(after: sequence)
    }

    private func current() throws(FileFault) -> SegmentList {
        if let list { return list }
        let fresh = try SegmentList(directory: directory, kind: kind)
        list = fresh
        return fresh
    }
}
