internal import Archive
internal import Platform
package import PlaybackEvents

/// Work that the follower's thread does on the store between two loads, for a thread that waits for it.
final class FollowerWork: @unchecked Sendable {
    private let body: (any Store) throws -> Tombstones?
    /// Written by the follower's thread before it says that it is done, read by the other one after that.
    private(set) var result: Result<Void, any Error>?

    init(_ body: @escaping (any Store) throws -> Tombstones?) {
        self.body = body
    }

    func run(_ loop: FollowLoop) {
        result = Result { try loop.apart(body) }
    }
}

/// The follower has a failure to get over first.
package struct FollowerIsBusy: Error, CustomStringConvertible {
    package var description: String { "the store takes no plays just now, so none can be erased" }
}

extension Follower {
    /// Runs work on the store when nothing is gathered and no commit is under way: on the follower's thread, or without
    /// ``start()`` on the caller's.
    ///
    /// - Parameter work: gives whose plays are left out of what is read from then on; nil: those of before.
    /// - Throws: what the work throws; ``FollowerIsBusy`` and ``FollowerStopped``.
    package func apart(_ work: @escaping (any Store) throws -> Tombstones?) throws {
        let work = FollowerWork(work)
        if isRunning {
            state.change { $0.work.append(work) }
            state.wait(milliseconds: nil) { state in
                !state.work.contains { $0 === work } || state.hasEnded
            }
        } else {
            work.run(loop)
            noteTotals()
        }
        switch work.result {
        case .success: return
        case .failure(let error): throw error
        case nil: throw FollowerStopped()
        }
    }

    /// Does the work that waits. On the follower's thread.
    func doWork() {
        while let work = state.read({ $0.work.first }) {
            work.run(loop)
            noteTotals()
            state.change { _ = $0.work.removeFirst() }
        }
    }

    private func noteTotals() {
        let (positions, totals) = loop.committed
        state.change { ($0.status.positions, $0.status.totals) = (positions, totals) }
    }
}
