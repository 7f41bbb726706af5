internal import Synchronization

/// What the committer's thread tells to those who ask.
final class CommitRecord: Sendable {
    private struct State {
        var snapshot = CommitterSnapshot()
        var ends: [LogKind: LogPosition] = [:]
        var extents: [LogKind: LogExtent] = [:]
    }
    private let state = Mutex(State())

    func update(_ change: (inout CommitterSnapshot) -> Void) {
        state.withLock { change(&$0.snapshot) }
    }

    func setEnd(_ end: LogPosition, of kind: LogKind) {
        state.withLock { state in
            state.ends[kind] = end
            state.extents[kind, default: LogExtent()].set(end.segment, length: end.offset)
        }
    }

    /// At start: the log as it was found.
    func begin(_ kind: LogKind, end: LogPosition, extent: LogExtent) {
        state.withLock { state in
            state.ends[kind] = end
            state.extents[kind] = extent
        }
    }

    /// A closed file was compacted, or removed.
    func change(_ kind: LogKind, _ sequence: Int64, length: Int64) {
        state.withLock { $0.extents[kind]?.change(sequence, length: length) }
    }

    func end(of kind: LogKind) -> LogPosition {
        state.withLock { $0.ends[kind] ?? .beginning }
    }

    func bytes(after position: LogPosition, in kind: LogKind) -> Int64 {
        state.withLock { $0.extents[kind]?.bytes(after: position) ?? 0 }
    }

    func totalBytes(of kind: LogKind) -> Int64 {
        state.withLock { $0.extents[kind]?.total ?? 0 }
    }

    func snapshot(queueBytes: Int) -> CommitterSnapshot {
        state.withLock { state in
            var snapshot = state.snapshot
            snapshot.queueBytes = queueBytes
            snapshot.quarantineBytes = state.extents[.rejected]?.total ?? 0
            snapshot.reportBytes = state.extents[.reports]?.total ?? 0
            return snapshot
        }
    }
}

/// What a ``Committer`` has done since its start, and how it stands.
package struct CommitterSnapshot: Sendable, Equatable {
    /// Requests whose lines are durable, and such as were refused with an error of the disk.
    package var commits: UInt64 = 0
    package var failures: UInt64 = 0
    /// Lines as they came, in bytes.
    package var lineBytes: UInt64 = 0
    /// Files as they were written, in bytes.
    package var archivedBytes: UInt64 = 0
    /// Lines of one group commit, in bytes.
    package var groupBytes = Histogram(bounds: [1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304])
    /// Requests in one group commit.
    package var groupCommits = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
    /// One sync of a file, in seconds.
    package var syncSeconds = Histogram(
        bounds: [0.000_25, 0.000_5, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1, 2, 4])
    /// Rejected events that the quarantine holds, and such as were only counted because it is full.
    package var quarantineKept: UInt64 = 0
    package var quarantineDropped: UInt64 = 0
    /// The quarantine's files, in bytes.
    package var quarantineBytes: Int64 = 0
    /// The files of players' reports, in bytes.
    package var reportBytes: Int64 = 0
    /// Lines that wait, in bytes.
    package var queueBytes = 0
    /// The last commit was durable; true before the first.
    package var lastCommitGood = true
    /// Nothing will be committed any more: the process has to end.
    package var fatal: FileError?
}

/// Counts of values up to given bounds, with their sum, as Prometheus wants them.
package struct Histogram: Sendable, Equatable {
    /// The upper bound of each bucket, inclusive, rising.
    package let bounds: [Double]
    /// How many values fell into each bucket (not added up), and after the last bound those above it.
    package private(set) var counts: [UInt64]
    package private(set) var sum: Double = 0

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = [UInt64](repeating: 0, count: bounds.count + 1)
    }

    package var count: UInt64 { counts.reduce(0, +) }

    package mutating func record(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }
}

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
    func bytes(after position: LogPosition) -> Int64 {
        let index = index(from: position.segment)
        guard index < segments.count else { return 0 }
        let segment = segments[index]
        let read = segment.sequence == position.segment ? min(max(0, position.offset), segment.length) : 0
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
