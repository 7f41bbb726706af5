internal import Glibc
internal import Gzip
internal import Platform

/// Reads the gzip members of one file, one after another, through one buffer.
///
/// The file may grow meanwhile.
final class MemberReader {
    enum Outcome: Equatable {
        /// One whole member; ``offset`` has moved past it.
        case member
        /// Nothing stands at the offset (yet).
        case end
        /// A member begins at the offset, and the bytes end before it does.
        case incomplete
        /// What stands at the offset is no good member: why.
        case invalid(String)
    }

    /// One member never holds more lines than this, in bytes: twice the largest commit.
    static let memberBytes = 128 << 20
    /// One read of the file, in bytes.
    private static let windowBytes = 256 << 10

    let file: OpenFile
    /// Where the next member begins.
    private(set) var offset: Int64

    private let stream = InflateStream()
    private var window = [UInt8](repeating: 0, count: windowBytes)
    private var step = [UInt8](repeating: 0, count: 64 << 10)
    /// The part of the window that has been read from the file and not been used.
    private var unused = 0..<0
    /// The file's offset of the first unused byte.
    private var position: Int64

    init(_ file: OpenFile, at offset: Int64) {
        self.file = file
        self.offset = offset
        position = offset
    }

    /// Goes to another member's first byte, and forgets what was read ahead.
    func seek(to offset: Int64) {
        self.offset = offset
        position = offset
        unused = 0..<0
    }

    /// Reads one member.
    ///
    /// - Parameters:
    ///   - limit: the offset beyond which nothing is read.
    ///   - lines: gets the member's bytes; unchanged by any other outcome than ``Outcome/member``.
    /// - Throws: what the system said of a read.
    func next(before limit: Int64 = .max, into lines: inout [UInt8]) throws(FileError) -> Outcome {
        let first = lines.count
        if position != offset { seek(to: offset) }
        stream.begin()
        while true {
            if unused.isEmpty, try fill(before: limit) == 0 {
                let nothing = position == offset
                lines.removeLast(lines.count - first)
                return nothing ? .end : .incomplete
            }
            do throws(GzipError) {
                let done = try stream.step(window, unused, into: &step)
                unused = unused.lowerBound + done.consumed..<unused.upperBound
                position += Int64(done.consumed)
                lines += step[..<done.produced]
                if done.ended {
                    offset = position
                    return .member
                }
                if lines.count - first > Self.memberBytes { throw GzipError.tooLarge(limit: Self.memberBytes) }
            } catch {
                lines.removeLast(lines.count - first)
                // The member may be as good as any.
                if error == .outOfMemory { throw FileError("read", file.path, code: ENOMEM) }
                return .invalid("\(error)")
            }
        }
    }

    /// Reads on where the window ends.
    private func fill(before limit: Int64) throws(FileError) -> Int {
        let room = min(Int64(window.count), limit - position)
        guard room > 0 else { return 0 }
        let count = try file.read(into: &window, 0..<Int(room), at: position)
        unused = 0..<count
        return count
    }
}

extension MemberReader {
    /// What stands at one place of a file.
    enum Piece: Equatable {
        case member(Range<Int64>)
        /// No good member. `isTail`: none follows either, so that it may also be a write under way.
        case damage(Range<Int64>, LogDamage.Kind, isTail: Bool)
    }

    /// How every member of ours begins: deflate, no flags, no time.
    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]
    /// How every gzip member begins.
    private static let magic: [UInt8] = [0x1f, 0x8b, 8]
    private static let scanBytes = 256 << 10

    /// Reads one member, or finds out how far what is not one reaches.
    ///
    /// - Returns: nil at the end of the file. After damage that is no tail the reader stands behind it, after a tail before it.
    /// - Complexity: O(bytes of the piece); damage is read several times.
    func nextPiece(before limit: Int64 = .max, into lines: inout [UInt8]) throws(FileError) -> Piece? {
        let start = offset
        var outcome = try next(before: limit, into: &lines)
        if outcome == .end { return nil }
        if outcome == .member { return .member(start..<offset) }
        guard let found = try findMember(from: start + 1, before: limit) else {
            seek(to: start)
            let tail = start..<max(start, min(limit, try file.size()))
            if tail.isEmpty { return nil }
            return .damage(tail, try kind(ofTail: tail, ranOut: outcome == .incomplete), isTail: true)
        }
        // The first look may have met a write under way. What stands before a good member is written for good, so the
        // second look is the last.
        seek(to: start)
        outcome = try next(before: limit, into: &lines)
        if outcome == .member { return .member(start..<offset) }
        seek(to: found)
        return .damage(start..<found, try kind(of: start..<found), isTail: false)
    }

    /// The first good member that begins at `from` or later; the reader stands on it then.
    func findMember(from: Int64, before limit: Int64 = .max) throws(FileError) -> Int64? {
        var from = from
        while let candidate = try find(Self.magic, from: from, before: limit) {
            if try isGood(candidate, before: limit) { return candidate }
            from = candidate + 1
        }
        return nil
    }

    /// A place from which a file of ours can be read, at most about `reach` bytes before its end: a good member, between
    /// which and the place where the search began nothing looked like the beginning of a bad one.
    ///
    /// - Returns: 0 when there is no such place.
    func anchor(reach: Int64, size: Int64) throws(FileError) -> Int64 {
        var reach = max(1, reach)
        while reach < size {
            if let first = try find(Self.header, from: size - reach, before: size), try isGood(first, before: size) {
                return first
            }
            reach = reach.multipliedReportingOverflow(by: 4).overflow ? size : reach * 4
        }
        return 0
    }

    private func isGood(_ candidate: Int64, before limit: Int64) throws(FileError) -> Bool {
        var lines: [UInt8] = []
        seek(to: candidate)
        let outcome = try next(before: limit, into: &lines)
        seek(to: candidate)
        return outcome == .member
    }

    /// Where some bytes stand first, at `from` or later.
    func find(_ pattern: [UInt8], from: Int64, before limit: Int64) throws(FileError) -> Int64? {
        var bytes = [UInt8](repeating: 0, count: Self.scanBytes)
        var from = from
        while limit - from >= Int64(pattern.count) {
            let room = Int(min(Int64(bytes.count), limit - from))
            let count = try file.read(into: &bytes, 0..<room, at: from)
            if count < pattern.count { return nil }
            if let found = Self.first(pattern, in: bytes.span.bytes.extracting(..<count)) {
                return from + Int64(found)
            }
            // The pattern may begin in the last bytes of this read.
            from += Int64(count - pattern.count + 1)
        }
        return nil
    }

    private static func first(_ pattern: [UInt8], in bytes: RawSpan) -> Int? {
        var from = 0
        while let next = bytes.extracting(from...).firstIndex(of: pattern[0]) {
            let start = from + next
            if start + pattern.count > bytes.byteCount { return nil }
            if bytes.extracting(start..<start + pattern.count).hasSameBytes(as: pattern.span.bytes) { return start }
            from = start + 1
        }
        return nil
    }

    /// - Parameter ranOut: the file ends before the member that begins there.
    private func kind(ofTail range: Range<Int64>, ranOut: Bool) throws(FileError) -> LogDamage.Kind {
        let kind = try kind(of: range)
        if kind == .zeros { return kind }
        // A file system that had given the file its length and not yet all its bytes leaves zeros at the end; a whole
        // member ends in at most 8 zeros, an empty one's check and length.
        let last = max(range.lowerBound, range.upperBound - 12)..<range.upperBound
        if ranOut { return .tornMember }
        return try isZero(last) ? .tornMember : kind
    }

    private func kind(of range: Range<Int64>) throws(FileError) -> LogDamage.Kind {
        if try isZero(range) { return .zeros }
        var first: [UInt8] = [0, 0]
        let count = try file.read(into: &first, at: range.lowerBound)
        return count == 2 && first == [0x1f, 0x8b] ? .badMember : .garbage
    }

    private func isZero(_ range: Range<Int64>) throws(FileError) -> Bool {
        var bytes = [UInt8](repeating: 0, count: Self.scanBytes)
        var from = range.lowerBound
        while from < range.upperBound {
            let count = try file.read(into: &bytes, at: from)
            let wanted = min(count, Int(clamping: range.upperBound - from))
            if wanted == 0 { return true }
            if bytes[..<wanted].contains(where: { $0 != 0 }) { return false }
            from += Int64(wanted)
        }
        return true
    }
}
