internal import Archive
internal import Platform
package import PlaybackEvents
internal import Synchronization

/// Work that the follower's thread does on the store between two loads, for a thread that waits for it.
struct FollowerWork: Sendable {
    /// Gets nil when the thread ends without having done it.
    let run: @Sendable (FollowLoop?) -> Void
}

/// The follower has a failure to get over first.
package struct FollowerIsBusy: Error, CustomStringConvertible {
    package var description: String { "the store takes no plays just now, so none can be erased" }
}

extension Follower {
    /// What is done on a store apart from loading: gives what its caller wants to know, and whose plays are left out of what is
    /// read from then on; nil: those of before.
    package typealias Work<Value> = @Sendable (any Store) throws -> (value: Value, tombstones: Tombstones?)

    /// Runs work on the store when nothing is gathered and no commit is under way: on the follower's thread, or without
    /// ``start()`` on the caller's.
    ///
    /// - Throws: what the work throws; ``FollowerIsBusy`` and ``FollowerStopped``.
    package func apart<Value: Sendable>(_ work: @escaping Work<Value>) throws -> Value {
        let outcome = PendingValue<Result<Value, any Error>>()
        let waiting = FollowerWork { [self] loop in
            outcome.fulfil(
                Result {
                    guard let loop else { throw FollowerStopped() }
                    defer { noteTotals(loop) }
                    return try loop.apart(work)
                })
        }
        guard isRunning else {
            loop.withLock { waiting.run($0) }
            return try outcome.wait().get()
        }
        let isTaken = state.change { state in
            if !state.hasEnded { state.work.append(waiting) }
            return !state.hasEnded
        }
        if !isTaken { throw FollowerStopped() }
        return try outcome.wait().get()
    }

    /// Does the work that waits. On the follower's thread.
    func doWork(_ loop: FollowLoop) {
        while let work = state.change({ $0.work.isEmpty ? nil : $0.work.removeFirst() }) { work.run(loop) }
    }

    private func noteTotals(_ loop: FollowLoop) {
        let (positions, totals) = loop.committed
        state.change { ($0.status.positions, $0.status.totals) = (positions, totals) }
    }
}
