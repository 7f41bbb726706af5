internal import Glibc

/// Reads one file of a log, member by member, by the places that the file had when it was first written, whether it has been
/// compacted since or not.
final class SegmentReader {
    private let members: MemberReader
    private var file: OpenFile { members.file }
    /// Whether the file has been compacted.
    let isCompacted: Bool
    /// Where the next commit begins, in the file as it was first written.
    private(set) var offset: Int64 = 0

    init(_ file: OpenFile) throws(FileError) {
        members = MemberReader(file, at: 0)
        isCompacted = try OriginField.marks(file)
    }

    /// Whether a place may lie in the file. A compacted one was whole then, so what lies behind it is its end.
    func reaches(_ offset: Int64) throws(FileError) -> Bool {
        if isCompacted { return true }
        return try offset <= file.size()
    }

    /// Goes to a place, and forgets what was read ahead.
    ///
    /// - Complexity: in a compacted file one read for each of its members before the place.
    func seek(to offset: Int64) throws(FileError) {
        self.offset = offset
        members.seek(to: isCompacted ? try member(at: offset).fileOffset : offset)
    }

    /// The member of a compacted file that has a place, and where the commits before it end.
    private func member(at offset: Int64) throws(FileError) -> (fileOffset: Int64, end: Int64) {
        var (fileOffset, end): (Int64, Int64) = (0, 0)
        while true {
            if let field = try OriginField.read(file, at: fileOffset) {
                if field.end > offset { break }
                fileOffset += field.memberBytes
                end = field.end
            } else if let next = try self.fileOffset(behind: fileOffset),
                let field = try OriginField.read(file, at: next),
                field.start <= offset
            {
                // A field that isn't as it was written; the member may be as good as any.
                fileOffset = next
                end = field.start
            } else {
                break
            }
        }
        return (fileOffset, end)
    }

    private func fileOffset(behind fileOffset: Int64) throws(FileError) -> Int64? {
        var lines: [UInt8] = []
        members.seek(to: fileOffset)
        if try members.next(into: &lines) == .member { return members.offset }
        return try members.findMember(from: fileOffset + 1)
    }

    /// Reads whole commits: one, or as many as a member of a compacted file has.
    ///
    /// - Parameters:
    ///   - limit: the place beyond which nothing is read.
    ///   - lines: gets what was read.
    /// - Returns: nil at the end. A member's range is that of the file as it was first written, damage's that of the file as
    ///   it is. The reader stands behind a member, and before damage.
    func nextPiece(before limit: Int64, into lines: inout [UInt8]) throws(FileError) -> MemberReader.Piece? {
        if isCompacted { return try nextCompacted(before: limit, into: &lines) }
        let piece = try members.nextPiece(before: limit, into: &lines)
        if case .member(let range) = piece { offset = range.upperBound }
        return piece
    }

    /// Passes over damage.
    func pass(_ range: Range<Int64>) throws(FileError) {
        members.seek(to: range.upperBound)
        if isCompacted {
            let next = try OriginField.read(file, at: range.upperBound)?.start
            offset = max(offset + 1, next ?? offset + Int64(range.count))
        } else {
            offset = range.upperBound
        }
    }

    private func nextCompacted(
        before limit: Int64, into lines: inout [UInt8]
    ) throws(FileError) -> MemberReader.Piece? {
        let fileOffset = members.offset
        let field = try OriginField.read(file, at: fileOffset)
        if max(offset, field?.start ?? 0) >= limit { return nil }
        let first = lines.count
        let piece = try members.nextPiece(into: &lines)
        guard case .member(let range) = piece else { return piece }
        guard let field else {
            let from = offset
            offset += Int64(range.count)
            return .member(from..<offset)
        }
        let (from, to) = (field.cut(at: max(offset, field.start)), field.cut(at: limit))
        guard to.offset > from.offset else {
            lines.removeLast(lines.count - first)
            members.seek(to: fileOffset)
            return nil
        }
        if to.offset < field.end {
            lines.removeLast(lines.count - Self.end(ofLines: to.lines, in: lines, from: first))
            members.seek(to: fileOffset)
        }
        if from.lines > 0 { lines.removeSubrange(first..<Self.end(ofLines: from.lines, in: lines, from: first)) }
        offset = to.offset
        return .member(from.offset..<to.offset)
    }

    /// The index behind so many lines.
    private static func end(ofLines count: Int64, in lines: [UInt8], from first: Int) -> Int {
        var (index, left) = (first, count)
        while left > 0, let feed = lines[index...].firstIndex(of: 0x0a) {
            index = feed + 1
            left -= 1
        }
        return index
    }

    /// The length that a file had when it was first written.
    ///
    /// - Complexity: in a compacted file one read for each of its members.
    static func length(of path: String) throws(FileError) -> Int64 {
        if let length = try compactedLength(of: path) { return length }
        return try Folder.size(path)
    }

    /// The same of a file that has been compacted; nil for any other.
    static func compactedLength(of path: String) throws(FileError) -> Int64? {
        let reader = try SegmentReader(OpenFile(path, O_RDONLY))
        return reader.isCompacted ? try reader.member(at: .max).end : nil
    }
}
