/// How long a log is, file by file.
struct LogExtent: Sendable {
    private struct Segment {
        var sequence: Int64
        /// Bytes of all files before it.
        var before: Int64
        var length: Int64
    }
    private var segments: [Segment] = []

    /// The bytes of all files.
    var total: Int64 { segments.last.map { $0.before + $0.length } ?? 0 }

    /// Notes that a file has so many bytes; only the last, or a new one after it.
    mutating func set(_ sequence: Int64, length: Int64) {
        if segments.last?.sequence == sequence {
            segments[segments.count - 1].length = length
        } else {
            segments.append(Segment(sequence: sequence, before: total, length: length))
        }
    }

    /// The bytes between a place and the end.
    func bytes(after place: LogPlace) -> Int64 {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].sequence < place.segment { low = middle + 1 } else { high = middle }
        }
        guard low < segments.count else { return 0 }
        let segment = segments[low]
        let read = segment.sequence == place.segment ? min(max(0, place.offset), segment.length) : 0
        return total - segment.before - read
    }
}
