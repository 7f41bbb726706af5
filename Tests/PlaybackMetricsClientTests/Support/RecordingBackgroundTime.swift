import Foundation
import PlaybackMetricsClient

/// A host that counts how often its time is taken and given back.
final class RecordingBackgroundTime: BackgroundTime, @unchecked Sendable {
    private let lock = NSLock()
    private var expiries: [@Sendable () -> Void] = []
    private var begunCount = 0
    private var endedCount = 0
    private var expiresAtOnce = false

    var begun: Int { lock.withLock { begunCount } }
    var ended: Int { lock.withLock { endedCount } }

    /// From now on the time is up before it has begun.
    func refuse() { lock.withLock { expiresAtOnce = true } }

    func begin(expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let isRefused = lock.withLock {
            begunCount += 1
            expiries.append(expired)
            return expiresAtOnce
        }
        if isRefused { expired() }
        return { self.lock.withLock { self.endedCount += 1 } }
    }

    /// The host wants all its time back.
    func expire() {
        for expired in lock.withLock({ expiries }) { expired() }
    }
}
