import Foundation
import PlaybackMetricsClient
import Synchronization

/// A sender's clock that a test can set forward.
final class DeviceClock: SenderClock {
    private let origin = ContinuousClock.now
    private let skipped = Mutex(Duration.zero)

    var now: Duration { origin.duration(to: .now) + skipped.withLock { $0 } }

    func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }

    /// Time passes in which nothing happens.
    func advance(by duration: Duration) {
        skipped.withLock { $0 += duration }
    }
}
