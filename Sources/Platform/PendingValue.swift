internal import Dispatch
internal import Synchronization

/// A value that one thread hands to another, which waits for it.
package final class PendingValue<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let arrival = DispatchSemaphore(value: 0)

    package init() {}

    /// Hands the value over, once.
    package func fulfil(_ value: Value) {
        self.value.withLock { $0 = value }
        arrival.signal()
    }

    /// Waits for the value, once.
    package func wait() -> Value {
        while true {
            arrival.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }

    /// Waits for the value until the time has come; may be called again when it has.
    package func wait(until deadline: MonotonicTime) -> Value? {
        // Dispatch counts on the same clock.
        _ = arrival.wait(timeout: DispatchTime(uptimeNanoseconds: UInt64(max(deadline.nanoseconds, 0))))
        return value.withLock { $0 }
    }
}
