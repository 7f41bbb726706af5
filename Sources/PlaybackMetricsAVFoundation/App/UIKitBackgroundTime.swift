#if canImport(UIKit)
    public import PlaybackMetricsClient
    public import UIKit

    /// Background time of an app: what its way to the background leaves for the last flush.
    public struct UIKitBackgroundTime: BackgroundTime {
        private let application: UIApplication

        /// Background time of `application`, commonly `UIApplication.shared`.
        public init(application: UIApplication) {
            self.application = application
        }

        /// Begins a background task, and ends it when the time is given back.
        public func begin(expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            let task = application.beginBackgroundTask(withName: "PlaybackMetrics", expirationHandler: expired)
            guard task != .invalid else { return {} }
            return { [application] in application.endBackgroundTask(task) }
        }
    }
#endif
