#if canImport(UIKit) && canImport(AVFoundation)
    public import PlaybackMetricsClient
    public import UIKit

    /// Tells the library when the app goes to the background, comes back and ends.
    ///
    /// On the way to the background, and at the end, it closes the plays that do not go on there and flushes the sender. Coming
    /// back after half an hour begins a new session. Keep it as long as the app runs.
    @MainActor
    public final class AppLifecycle {
        private let sender: PlaybackMetricsSender
        private let session: PlaybackSession
        private let tokens = NotificationTokens()
        private var players: [WeakPlayer] = []

        private struct WeakPlayer {
            weak var metrics: AVPlayerMetrics?
        }

        /// Follows an app.
        ///
        /// - Parameters:
        ///   - application: commonly `UIApplication.shared`.
        ///   - sender: flushed on the way to the background.
        ///   - session: renewed on the way to the foreground, when the app was away for long.
        public init(application: UIApplication, sender: PlaybackMetricsSender, session: PlaybackSession) {
            self.sender = sender
            self.session = session
            tokens.observe(UIApplication.didEnterBackgroundNotification, of: application) { [weak self] _ in
                MainThread.run { self?.didEnterBackground() }
            }
            tokens.observe(UIApplication.willEnterForegroundNotification, of: application) { [weak self] _ in
                MainThread.run { self?.willEnterForeground() }
            }
            tokens.observe(UIApplication.willTerminateNotification, of: application) { [weak self] _ in
                MainThread.run { self?.willTerminate() }
            }
        }

        /// Tells a player's metrics too, as long as they live.
        public func follow(_ metrics: AVPlayerMetrics) {
            players.removeAll { $0.metrics == nil }
            players.append(WeakPlayer(metrics: metrics))
            metrics.whenRecordedInBackground = { [sender] in sender.flushInBackground() }
        }

        private func didEnterBackground() {
            session.appDidEnterBackground()
            for player in players { player.metrics?.appDidEnterBackground() }
            sender.flushInBackground()
        }

        private func willEnterForeground() {
            session.appWillEnterForeground()
            for player in players { player.metrics?.appWillEnterForeground() }
        }

        private func willTerminate() {
            for player in players { player.metrics?.appWillTerminate() }
            sender.flushInBackground()
        }
    }
#endif
