import Foundation

/// Players and notifications speak on the main thread as a rule, and what they say there is taken at once. Whoever speaks
/// elsewhere does not bring the app down.
enum MainThread {
    /// Runs on the main thread: before this returns when it is this one.
    static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
        if Thread.isMainThread {
            MainActor.assumeIsolated(body)
        } else {
            Task { @MainActor in body() }
        }
    }

    /// A value that only the main thread can tell; `nil` on any other.
    static func value<Value: Sendable>(_ body: @MainActor () -> Value) -> Value? {
        Thread.isMainThread ? MainActor.assumeIsolated(body) : nil
    }
}
