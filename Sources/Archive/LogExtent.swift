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

    /// Notes that a file that is closed has so many bytes now, none when it is gone.
    mutating func change(_ sequence: Int64, length: Int64) {
        let index = index(from: sequence)
        guard index < segments.count, segments[index].sequence == sequence else { return }
        let difference = length - segments[index].length
        segments[index].length = length
        for later in segments.indices[(index + 1)...] { segments[later].before += difference }
    }

    /// The bytes between a place and the end.
    func bytes(after place: LogPlace) -> Int64 {
        let index = index(from: place.segment)
        guard index < segments.count else { return 0 }
        let segment = segments[index]
        let read = segment.sequence == place.segment ? min(max(0, place.offset), segment.length) : 0
        return total - segment.before - read
    }

    private func index(from sequence: Int64) -> Int {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
