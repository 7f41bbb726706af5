/// The end of a log's last file, read member by member.
struct LogTail {
    /// The file's length in bytes.
    let size: Int64
    /// What is no good member, in order.
    private(set) var damage: [(range: Range<Int64>, kind: LogDamage.Kind)] = []
    /// The stretches of good members after the first damage, in order.
    private(set) var salvage: [Range<Int64>] = []

    /// - Parameter reach: how much of the file's end is read, in bytes.
    init(_ file: OpenFile, reach: Int64) throws(FileFault) {
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
