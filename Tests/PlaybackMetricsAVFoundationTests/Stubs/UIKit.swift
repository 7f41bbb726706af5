// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Just the part of UIKit that the adapter uses, written from Apple's documentation. Nothing here runs.

@_exported import Foundation

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

@MainActor
open class UIApplication: NSObject {
    public class var shared: UIApplication { UIApplication() }
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name { .init("a") }
    public nonisolated class var willEnterForegroundNotification: NSNotification.Name { .init("b") }

    public nonisolated func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { .invalid }

    public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}
