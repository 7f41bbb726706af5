import Foundation

/// A value behind an `NSLock`: the newer `Mutex` needs systems that the library still has to run without.
///
/// Not checked: the value is touched under the lock alone, which the compiler can't see.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// Runs `body` alone with the value. `body` must be short and must not call back.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
