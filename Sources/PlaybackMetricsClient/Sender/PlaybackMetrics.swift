/// Where the summaries of plays go: ``PlaybackMetricsSender`` in the app, ``InMemoryPlaybackMetrics`` in a test,
/// ``NoOpPlaybackMetrics`` where nothing is measured.
public protocol PlaybackMetrics: Sendable {
    /// Takes the summary of a play that closed. Never throws and never waits.
    func record(_ summary: PlaybackSummary)
}
