import Foundation
import PlaybackMetricsClient

/// A clock that a test moves.
final class ManualClock: SenderClock, @unchecked Sendable {
    private struct Sleeper {
        var id: Int
        var until: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private let lock = NSLock()
    private var time: Duration = .zero
    private var nextId = 0
    private var sleepers: [Sleeper] = []
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    var now: Duration { lock.withLock { time } }

    /// How many sleep now.
    var sleeping: Int { lock.withLock { sleepers.count } }

    /// How long the next sleeper has to sleep still.
    var untilNext: Duration? { lock.withLock { sleepers.map(\.until).min().map { $0 - time } } }

    func sleep(for duration: Duration) async throws {
        let id = lock.withLock {
            nextId += 1
            return nextId
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let woken = lock.withLock {
                    if !Task.isCancelled {
                        sleepers.append(Sleeper(id: id, until: time + duration, continuation: continuation))
                        return takeWatchers()
                    }
                    continuation.resume(throwing: CancellationError())
                    return []
                }
                for watcher in woken { watcher.resume() }
            }
        } onCancel: {
            let sleeper = lock.withLock {
                sleepers.firstIndex { $0.id == id }.map { sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the time on and wakes whoever has slept enough.
    func advance(by duration: Duration) {
        let woken = lock.withLock {
            time += duration
            let awake = sleepers.filter { $0.until <= time }
            sleepers.removeAll { $0.until <= time }
            return awake
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Comes back when at least `count` sleep.
    func untilSleeping(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if sleepers.count >= count { return true }
                watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func takeWatchers() -> [CheckedContinuation<Void, Never>] {
        let ready = watchers.filter { $0.count <= sleepers.count }.map(\.continuation)
        watchers.removeAll { $0.count <= sleepers.count }
        return ready
    }
}
