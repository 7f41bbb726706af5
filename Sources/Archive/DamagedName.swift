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
