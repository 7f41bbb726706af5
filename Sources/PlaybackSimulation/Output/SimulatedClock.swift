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
    private var sleeper: Sleeper?
    private var watcher: CheckedContinuation<Void, Never>?

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
            try await withCheckedThrowingContinuation { continuation in
                let watcher: CheckedContinuation<Void, Never>? = locked {
                    guard cancelled.remove(id) == nil else { return nil }
                    sleeper = Sleeper(id: id, deadline: deadline, continuation: continuation)
                    defer { self.watcher = nil }
                    return self.watcher
                }
                watcher?.resume()
            }
        } onCancel: {
            let sleeping: Sleeper? = locked {
                guard sleeper?.id == id else {
                    cancelled.insert(id)
                    return nil
                }
                defer { sleeper = nil }
                return sleeper
            }
            sleeping?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Comes back when somebody sleeps: the sender then does nothing until it is woken.
    func untilSomebodySleeps() async {
        await withCheckedContinuation { continuation in
            let isSleeping = locked {
                if sleeper == nil { watcher = continuation }
                return sleeper != nil
            }
            if isSleeping { continuation.resume() }
        }
    }

    /// When the next one who sleeps wakes, in ms since 1970.
    var nextWaking: Int64? {
        locked { sleeper?.deadline }
    }

    /// Goes on to a time; whoever sleeps wakes at his own time on the way, and is waited for until he sleeps again.
    func advance(to target: Int64) async {
        while let sleeping = takeSleeper(until: target) {
            locked { time = max(time, sleeping.deadline) }
            sleeping.continuation.resume()
            await untilSomebodySleeps()
        }
        locked { time = max(time, target) }
    }

    /// The process stood still until `target`: whoever should have been woken meanwhile wakes only now.
    func leap(to target: Int64) async {
        locked { time = max(time, target) }
        await advance(to: target)
    }

    private func takeSleeper(until target: Int64) -> Sleeper? {
        locked {
            guard let sleeping = sleeper, sleeping.deadline <= target else { return nil }
            sleeper = nil
            return sleeping
        }
    }

    private static let millisecond: Int64 = 1_000_000_000_000_000

    private func locked<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}
