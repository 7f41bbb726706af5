import Foundation

/// A value that a test changes while others read it.
final class Mutable<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    /// Changes the value in one step.
    func update(_ change: (inout Value) -> Void) {
        lock.withLock { change(&stored) }
    }
}
