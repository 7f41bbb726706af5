internal import Glibc

/// A value under a lock, and a way to wait for a change of it, on the system's clock that never steps.
///
/// Not checked: the value is touched under the system's lock alone, which the compiler can't see.
package final class Monitor<Value: Sendable>: @unchecked Sendable {
    private var value: Value
    /// The system keeps their addresses, so they must not move.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    package init(_ value: Value) {
        self.value = value
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
        changed = .allocate(capacity: 1)
        changed.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        changed.deallocate()
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    package func read<Result>(_ body: (Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body(value)
    }

    /// Changes the value and wakes those that wait.
    package func change<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(lock)
        }
        return body(&value)
    }

    /// Waits until the value is so, or the time is over.
    ///
    /// - Parameter milliseconds: nil waits for ever.
    /// - Returns: whether the value is so.
    @discardableResult
    package func wait(milliseconds: Int?, until isSo: (Value) -> Bool) -> Bool {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        guard let milliseconds else {
            while !isSo(value) { pthread_cond_wait(changed, lock) }
            return true
        }
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let nanoseconds = deadline.tv_nsec + milliseconds % 1_000 * 1_000_000
        deadline.tv_sec += milliseconds / 1_000 + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        while !isSo(value) {
            if pthread_cond_timedwait(changed, lock, &deadline) == ETIMEDOUT { return isSo(value) }
        }
        return true
    }
}
