// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Just the part of UIKit that the adapter uses, written from Apple's documentation, so that it runs elsewhere.

@_exported import Foundation

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

@MainActor
open class UIApplication: NSObject {
    public static let shared = UIApplication()

    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name { .init("didEnterBackground") }
    public nonisolated class var willEnterForegroundNotification: NSNotification.Name { .init("willEnterForeground") }
    public nonisolated class var willTerminateNotification: NSNotification.Name { .init("willTerminate") }

    private nonisolated let lock = NSLock()
    private nonisolated(unsafe) var tasks: [Int: (@MainActor @Sendable () -> Void)?] = [:]
    private nonisolated(unsafe) var last = 0
    private nonisolated(unsafe) var refuses = false

    public nonisolated func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        lock.withLock {
            guard !refuses else { return .invalid }
            last += 1
            tasks[last] = handler
            return UIBackgroundTaskIdentifier(rawValue: last)
        }
    }

    public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        _ = lock.withLock { tasks.removeValue(forKey: identifier.rawValue) }
    }

    /// Background tasks that were begun and not ended, and how many were begun.
    public nonisolated var openTasks: Int { lock.withLock { tasks.count } }
    public nonisolated var begunTasks: Int { lock.withLock { last } }

    /// The system gives no time from now on.
    public nonisolated func refuseTasks() { lock.withLock { refuses = true } }

    /// The system wants its time back.
    public func expireTasks() {
        for handler in lock.withLock({ tasks.values.map(\.self) }) { handler?() }
    }

    public nonisolated func post(_ name: NSNotification.Name) {
        NotificationCenter.default.post(name: name, object: self)
    }
}

@MainActor
open class UIViewController: NSObject {}
