#if canImport(SwiftUI) && canImport(AVFoundation)
    public import PlaybackMetricsClient
    public import SwiftUI

    /// A small view over the video, for those who build the app: what the player does, how often it stalled, the last summary,
    /// how many plays wait, and what the endpoint answered last.
    ///
    /// ```swift
    /// let overlay = PlaybackMetricsOverlay()
    /// ```
    public struct PlaybackMetricsOverlay: View {
        private let monitoring: PlaybackMonitoring?

        /// - Parameter monitoring: what is shown; the latest that was started when it is `nil`.
        public init(_ monitoring: PlaybackMonitoring? = nil) {
            self.monitoring = monitoring
        }

        /// The lines, read anew every second.
        public var body: some View {
            TimelineView(.periodic(from: Date(timeIntervalSince1970: 0), by: 1)) { _ in
                Text(lines.joined(separator: "\n"))
                    .font(.caption)
                    .padding(8)
                    .background(.black)
                    .foregroundStyle(.white)
                    .opacity(0.8)
                    .allowsHitTesting(false)
            }
        }

        private var lines: [String] {
            let monitoring = monitoring ?? .current
            return OverlayLines(
                live: MeasuredPlayers.shared.live, last: monitoring?.lastSummary, stats: monitoring?.sender.stats
            ).lines
        }
    }
#endif
