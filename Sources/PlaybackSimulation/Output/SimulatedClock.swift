internal import PlaybackMetricsClient
internal import Synchronization

/// The clock of one run of the app: it stands still until it is told to go on, and wakes who sleeps on it, in order.
final class SimulatedClock: SenderClock {
    private struct Sleeper {
        let id: Int
        /// In ms since 1970.
        let deadline: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var time: Int64
        var lastID = 0
        var cancelled: Set<Int> = []
        /// The one that wakes first in front.
        var sleepers: [Sleeper] = []
        var watcher: (sleepers: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let origin: Int64
    private let state: Mutex<State>

    /// - Parameter time: in ms since 1970.
    init(at time: Int64) {
        origin = time
        state = Mutex(State(time: time))
    }

    /// In ms since 1970.
    var milliseconds: Int64 {
        state.withLock { $0.time }
    }

    var now: Duration {
        .milliseconds(milliseconds - origin)
    }

    /// The same time for a meter.
    var instant: PlaybackInstant {
        PlaybackInstant(sinceOrigin: now)
    }

    func sleep(for duration: Duration) async throws {
        let (id, deadline) = state.withLock { state in
            state.lastID += 1
            let milliseconds = duration.components.seconds * 1_000 + duration.components.attoseconds / Self.millisecond
            // A whole ms later at least, so that whoever sleeps again and again gets on.
            return (state.lastID, state.time + max(1, milliseconds))
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isCancelled = state.withLock { $0.cancelled.remove(id) != nil }
                guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
                add(Sleeper(id: id, deadline: deadline, continuation: continuation))?.resume()
            }
        } onCancel: {
            remove(id)?.continuation.resume(throwing: CancellationError())
        }
    }

    /// - Returns: who waits for so many sleepers.
    private func add(_ sleeper: Sleeper) -> CheckedContinuation<Void, Never>? {
        state.withLock { state in
            let position = state.sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? state.sleepers.endIndex
            state.sleepers.insert(sleeper, at: position)
            guard let watcher = state.watcher, state.sleepers.count >= watcher.sleepers else { return nil }
            state.watcher = nil
            return watcher.continuation
        }
    }

    /// - Returns: the sleeper; `nil` when he does not sleep yet, and then never will, or no longer does.
    private func remove(_ id: Int) -> Sleeper? {
        state.withLock { state in
            if let index = state.sleepers.firstIndex(where: { $0.id == id }) { return state.sleepers.remove(at: index) }
            state.cancelled.insert(id)
            return nil
        }
    }

    /// Comes back when so many sleep: the sender then does nothing until one is woken.
    func untilAsleep(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.sleepers.count < count { state.watcher = (count, continuation) }
                return state.sleepers.count >= count
            }
            if isSo { continuation.resume() }
        }
    }

    /// When the next one who sleeps wakes, in ms since 1970.
    var nextWaking: Int64? {
        state.withLock { $0.sleepers.first?.deadline }
    }

    /// Goes on to a time; whoever sleeps wakes at his own time on the way, and is waited for until he sleeps again.
    func advance(to target: Int64) async {
        while let (sleeper, count) = takeSleeper(until: target) {
            state.withLock { $0.time = max($0.time, sleeper.deadline) }
            sleeper.continuation.resume()
            await untilAsleep(count)
        }
        state.withLock { $0.time = max($0.time, target) }
    }

    /// The process stood still until `target`: whoever should have been woken meanwhile wakes only now.
    func leap(to target: Int64) async {
        state.withLock { $0.time = max($0.time, target) }
        await advance(to: target)
    }

    /// - Returns: the next to wake, and how many slept.
    private func takeSleeper(until target: Int64) -> (Sleeper, Int)? {
        state.withLock { state in
            guard let first = state.sleepers.first, first.deadline <= target else { return nil }
            defer { state.sleepers.removeFirst() }
            return (first, state.sleepers.count)
        }
    }

    private static let millisecond: Int64 = 1_000_000_000_000_000
}
