internal import Glibc
internal import Gzip
internal import Platform

/// What a member of a compacted file says of the commits that it has taken together: where each stood in the file as it was
/// first written, and how many lines it had.
///
/// So a place in the file stays what it was: whoever has one, a database of an older backup too, finds it by the number of
/// lines before it. It is an extra field of gzip's header (RFC 1952, 2.3.1.1), which every other reader passes over.
struct OriginField: Sendable, Equatable {
    /// One commit, as it was written.
    struct Commit: Sendable, Equatable {
        /// Of its member.
        var bytes: Int64
        var lines: Int64
    }

    /// A place in the member: between two commits.
    struct Cut: Sendable, Equatable {
        /// In the file as it was first written.
        var offset: Int64
        /// The member's lines before it.
        var lines: Int64
    }

    /// Where the first of the commits began.
    var start: Int64
    private(set) var end: Int64
    private(set) var lines: Int64 = 0
    private(set) var commits: [Commit] = []
    /// The length of the member that has the field, in bytes.
    private(set) var memberBytes: Int64 = 0
    /// What ``commits`` take.
    private var packed: [UInt8] = []

    /// The field's name in the header: "QO".
    private static let name: [UInt8] = [0x51, 0x4f]
    /// gzip's frame before the field: the head, the length of all extra fields, the name and the length of this one.
    private static let headBytes = 10
    private static let frameBytes = 16
    /// The check, and the member's length.
    private static let fixedBytes = 8
    /// A field holds 65,531 bytes at most, a commit takes 20 at most.
    private static let fullBytes = 65_000

    init(start: Int64) {
        self.start = start
        end = start
    }

    /// There is no room for another commit.
    var isFull: Bool { packed.count > Self.fullBytes }

    mutating func add(_ commit: Commit) {
        commits.append(commit)
        Self.append(commit.bytes, to: &packed)
        Self.append(commit.lines, to: &packed)
        end += commit.bytes
        lines += commit.lines
    }

    /// The last place between commits that is no later than an offset.
    func cut(at offset: Int64) -> Cut {
        if offset >= end { return Cut(offset: end, lines: lines) }
        var cut = Cut(offset: start, lines: 0)
        for commit in commits {
            guard cut.offset + commit.bytes <= offset else { break }
            cut.offset += commit.bytes
            cut.lines += commit.lines
        }
        return cut
    }

    // MARK: Bytes

    /// A member as it was, with this field in its header.
    ///
    /// - Parameter plain: a gzip member whose header has no more than its ten bytes.
    func member(_ plain: RawSpan) -> [UInt8] {
        var field: [UInt8] = []
        Self.append(start, to: &field)
        field += packed
        let fieldBytes = Self.fixedBytes + field.count
        var length: [UInt8] = []
        Self.append32(UInt32(Self.frameBytes + fieldBytes + plain.byteCount - Self.headBytes), to: &length)
        field = length + field
        var member: [UInt8] = []
        member.reserveCapacity(plain.byteCount + fieldBytes + 6)
        member.append(plain.extracting(..<Self.headBytes))
        member[3] |= PaddedMember.hasExtra
        Self.append16(4 + fieldBytes, to: &member)
        member += Self.name
        Self.append16(fieldBytes, to: &member)
        Self.append32(Checksum.crc32(field), to: &member)
        member += field
        member.append(plain.extracting(Self.headBytes...))
        return member
    }

    /// Whether a file has been compacted: whether its first member has such a field.
    ///
    /// - Complexity: one read; where the first member's head is damaged, all of the file up to the next field.
    static func marks(_ file: OpenFile) throws(FileError) -> Bool {
        let head = try head(of: file, at: 0)
        guard head.count == frameBytes else { return false }
        if hasExtra(head), Array(head[12..<14]) == name { return true }
        if isHeadOfCommit(head) { return false }
        // Every member of a compacted file has a field, so any of them says it as well as the first.
        var next: Int64? = 0
        while let offset = next {
            if try read(file, at: offset) != nil { return true }
            next = try MemberReader(file, at: 0).find([0x1f, 0x8b, 8, 4], from: offset + 1, before: .max)
        }
        return false
    }

    /// Whether a member begins as one that a commit wrote, or an erasure in its place.
    private static func isHeadOfCommit(_ head: [UInt8]) -> Bool {
        guard head[..<3] == [0x1f, 0x8b, 8] else { return false }
        let after = Array(head[12..<14])
        switch head[3] {
        // With one bit turned a field would stand where the lines begin.
        case 0, PaddedMember.hasName: return after != name
        case PaddedMember.hasExtra: return after == PaddedMember.name
        default: return false
        }
    }

    /// The field of the member that begins at an offset.
    ///
    /// - Returns: nil at the file's end, for a member without the field, and for a field that isn't as it was written.
    static func read(_ file: OpenFile, at offset: Int64) throws(FileError) -> OriginField? {
        let head = try head(of: file, at: offset)
        // Its check says more than its name.
        guard head.count == frameBytes, hasExtra(head) else { return nil }
        let count = Int(number(head[14..<16]))
        guard count > fixedBytes else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        guard try file.fill(&bytes, at: offset + Int64(frameBytes)) == count else { return nil }
        guard Checksum.crc32(bytes[4...]) == number(bytes[..<4]) else { return nil }
        return OriginField(memberBytes: Int64(number(bytes[4..<8])), bytes[8...])
    }

    /// The first bytes of a member; fewer at the file's end.
    private static func head(of file: OpenFile, at offset: Int64) throws(FileError) -> [UInt8] {
        var head = [UInt8](repeating: 0, count: frameBytes)
        let count = try file.read(into: &head, at: offset)
        return Array(head[..<count])
    }

    private static func hasExtra(_ head: [UInt8]) -> Bool {
        head[0] == 0x1f && head[1] == 0x8b && head[3] & PaddedMember.hasExtra != 0
    }

    /// - Parameter bytes: the start, and the commits.
    private init?(memberBytes: Int64, _ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let start = Self.take(&rest) else { return nil }
        self.init(start: start)
        self.memberBytes = memberBytes
        while !rest.isEmpty {
            guard let bytes = Self.take(&rest), let count = Self.take(&rest), end <= Self.most - bytes,
                lines <= Self.most - count
            else {
                return nil
            }
            add(Commit(bytes: bytes, lines: count))
        }
        guard memberBytes > 0, !commits.isEmpty else { return nil }
    }

    /// Far from where sums would overflow.
    private static let most: Int64 = 1 << 60

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(number)
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func take(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        var number: UInt64 = 0
        for shift in stride(from: 0, through: 56, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            number |= UInt64(byte & 0x7f) << UInt64(shift)
            if byte < 0x80 { return number < UInt64(most) ? Int64(number) : nil }
        }
        return nil
    }

    private static func append16(_ number: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(number & 0xff))
        bytes.append(UInt8(number >> 8 & 0xff))
    }

    private static func append32(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, through: 24, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
