internal import Synchronization

/// What the committer's thread tells to those who ask.
final class CommitRecord: Sendable {
    private struct State {
        var snapshot = CommitterSnapshot()
        var ends: [LogKind: LogPlace] = [:]
        var extents: [LogKind: LogExtent] = [:]
    }
    private let state = Mutex(State())

    func update(_ change: (inout CommitterSnapshot) -> Void) {
        state.withLock { change(&$0.snapshot) }
    }

    func setEnd(_ end: LogPlace, of kind: LogKind) {
        state.withLock { state in
            state.ends[kind] = end
            state.extents[kind, default: LogExtent()].set(end.segment, length: end.offset)
        }
    }

    /// At start: the log as it was found.
    func begin(_ kind: LogKind, end: LogPlace, extent: LogExtent) {
        state.withLock { state in
            state.ends[kind] = end
            state.extents[kind] = extent
        }
    }

    /// A closed file was compacted, or removed.
    func change(_ kind: LogKind, _ sequence: Int64, length: Int64) {
        state.withLock { $0.extents[kind]?.change(sequence, length: length) }
    }

    func end(of kind: LogKind) -> LogPlace {
        state.withLock { $0.ends[kind] ?? .beginning }
    }

    func bytes(after place: LogPlace, in kind: LogKind) -> Int64 {
        state.withLock { $0.extents[kind]?.bytes(after: place) ?? 0 }
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
