/// Metrics that nobody wants: every summary is forgotten.
public struct NoOpPlaybackMetrics: PlaybackMetrics {
    /// Metrics that forget.
    public init() {}

    /// Forgets the summary.
    public func record(_ summary: PlaybackSummary) {}
}
