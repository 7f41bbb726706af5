internal import Foundation
internal import PlaybackMetricsClient

/// The clock of one run of the app: it stands still until it is told to go on, and wakes who sleeps on it, in order.
final class SimulatedClock: SenderClock, @unchecked Sendable {
    private struct Sleeper {
        let id: Int
        /// In ms since 1970.
        let deadline: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let lock = NSLock()
    private let origin: Int64
    private var time: Int64
    private var lastID = 0
    private var cancelled: Set<Int> = []
    /// The one that wakes first in front.
    private var sleepers: [Sleeper] = []
    private var watcher: (sleepers: Int, continuation: CheckedContinuation<Void, Never>)?

    /// - Parameter time: in ms since 1970.
    init(at time: Int64) {
        origin = time
        self.time = time
    }

    /// In ms since 1970.
    var milliseconds: Int64 {
        locked { time }
    }

    var now: Duration {
        .milliseconds(milliseconds - origin)
    }

    /// The same time for a meter.
    var instant: PlaybackInstant {
        PlaybackInstant(sinceOrigin: now)
    }

    func sleep(for duration: Duration) async throws {
        let (id, deadline) = locked {
            lastID += 1
            let milliseconds = duration.components.seconds * 1_000 + duration.components.attoseconds / Self.millisecond
            // A whole ms later at least, so that whoever sleeps again and again gets on.
            return (lastID, time + max(1, milliseconds))
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isCancelled = locked { cancelled.remove(id) != nil }
                guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
                add(Sleeper(id: id, deadline: deadline, continuation: continuation))?.resume()
            }
        } onCancel: {
            remove(id)?.continuation.resume(throwing: CancellationError())
        }
    }

    /// - Returns: who waits for so many sleepers.
    private func add(_ sleeper: Sleeper) -> CheckedContinuation<Void, Never>? {
        locked {
            let position = sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? sleepers.endIndex
            sleepers.insert(sleeper, at: position)
            guard let watcher, sleepers.count >= watcher.sleepers else { return nil }
            defer { self.watcher = nil }
            return watcher.continuation
        }
    }

    /// - Returns: the sleeper; `nil` when he does not sleep yet, and then never will, or no longer does.
    private func remove(_ id: Int) -> Sleeper? {
        locked {
            if let index = sleepers.firstIndex(where: { $0.id == id }) { return sleepers.remove(at: index) }
            cancelled.insert(id)
            return nil
        }
    }

    /// Comes back when so many sleep: the sender then does nothing until one is woken.
    func untilAsleep(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isSo = locked {
                if sleepers.count < count { watcher = (count, continuation) }
                return sleepers.count >= count
            }
            if isSo { continuation.resume() }
        }
    }

    /// When the next one who sleeps wakes, in ms since 1970.
    var nextWaking: Int64? {
        locked { sleepers.first?.deadline }
    }

    /// Goes on to a time; whoever sleeps wakes at his own time on the way, and is waited for until he sleeps again.
    func advance(to target: Int64) async {
        while let (sleeper, count) = takeSleeper(until: target) {
            locked { time = max(time, sleeper.deadline) }
            sleeper.continuation.resume()
            await untilAsleep(count)
        }
        locked { time = max(time, target) }
    }

    /// The process stood still until `target`: whoever should have been woken meanwhile wakes only now.
    func leap(to target: Int64) async {
        locked { time = max(time, target) }
        await advance(to: target)
    }

    /// - Returns: the next to wake, and how many slept.
    private func takeSleeper(until target: Int64) -> (Sleeper, Int)? {
        locked {
            guard let first = sleepers.first, first.deadline <= target else { return nil }
            defer { sleepers.removeFirst() }
            return (first, sleepers.count)
        }
    }

    private static let millisecond: Int64 = 1_000_000_000_000_000

    private func locked<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}
