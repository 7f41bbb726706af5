/// A place in the archive: everything before it has been read.
///
/// It is one of the file as it was first written, and stays the same when the file is compacted.
package struct LogPosition: Sendable, Hashable, Comparable {
    /// The sequence number of the segment file, from 1; 0 is before the first.
    package var segment: Int64
    /// The byte offset in that file at which a commit's member began, or its end.
    package var offset: Int64

    package static let beginning = LogPosition(segment: 0, offset: 0)

    package init(segment: Int64, offset: Int64) {
        self.segment = segment
        self.offset = offset
    }

    package static func < (one: LogPosition, other: LogPosition) -> Bool {
        (one.segment, one.offset) < (other.segment, other.offset)
    }
}
