/// What recovery has set aside of one log, and where the rest of those files went.
///
/// A file damaged in the middle is cut back to where the damage begins, and what is good after it lies, in order and without
/// gaps, at the beginning of the file with the next sequence number. So a place behind the damage, which a follower may
/// have stored before, can still be found: the names in `damaged/` say how many bytes are missing before it. Once every
/// follower has read on, those files may be taken away.
struct DamagedList: Sendable {
    private var ranges: [Int64: [Range<Int64>]] = [:]

    /// - Parameter directory: the folder `damaged`.
    init(directory: String, kind: LogKind) throws(FileError) {
        for text in try Folder.names(directory) {
            guard let name = DamagedName(text, kind: kind) else { continue }
            ranges[name.sequence, default: []].append(name.range)
        }
        for sequence in ranges.keys { ranges[sequence]?.sort { $0.lowerBound < $1.lowerBound } }
    }

    /// The sequence numbers of files that were cut back or removed; none of them gets another byte.
    var sequences: Dictionary<Int64, [Range<Int64>]>.Keys { ranges.keys }

    /// Where the first damage of a file begins, which is what the file was cut back to.
    func cut(of sequence: Int64) -> Int64? { ranges[sequence]?.first?.lowerBound }

    /// The stretches of a file of `size` bytes that its next file should have, when the file has not been cut yet.
    func rest(of sequence: Int64, size: Int64) -> [Range<Int64>] {
        guard let damage = ranges[sequence] else { return [] }
        let ends = damage.dropFirst().map(\.lowerBound) + [size]
        return zip(damage, ends).compactMap { $0.upperBound < $1 ? $0.upperBound..<$1 : nil }
    }

    /// Where that which stood at a place behind a file's cut stands now.
    func moved(_ position: LogPosition) -> LogPosition? {
        guard let damage = ranges[position.segment], let first = damage.first, position.offset > first.lowerBound else {
            return nil
        }
        // A place inside of damage is as good as its end. The names may be anybody's, so nothing here may overflow.
        let offset = damage.first { $0.contains(position.offset) }?.upperBound ?? position.offset
        let missing = damage.prefix { $0.upperBound <= offset }.reduce(0) { $0 &+ Int64($1.count) }
        return LogPosition(segment: position.segment + 1, offset: max(0, offset - first.lowerBound &- missing))
    }
}

/// The name of a file in `damaged/`: `plays-main-0000000017.ndjson.gz.1200-1800`, bytes 1200 up to 1800 of that file.
struct DamagedName: Sendable, Equatable {
    /// The damaged file's name, without its folder.
    var file: String
    var sequence: Int64
    var range: Range<Int64>

    init(file: String, sequence: Int64, range: Range<Int64>) {
        self.file = file
        self.sequence = sequence
        self.range = range
    }

    init?(_ text: String, kind: LogKind) {
        guard let dot = text.lastIndex(of: ".") else { return nil }
        let bounds = text[text.index(after: dot)...].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let from = Int64(bounds[0]), let to = Int64(bounds[1]), from >= 0, from < to,
            let (_, sequence) = SegmentName.parse(file: text[..<dot], kind: kind)
        else { return nil }
        self.init(file: String(text[..<dot]), sequence: sequence, range: from..<to)
        if description != text { return nil }
    }

    var description: String { "\(file).\(range.lowerBound)-\(range.upperBound)" }
}
