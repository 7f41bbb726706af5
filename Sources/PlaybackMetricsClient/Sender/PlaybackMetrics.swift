/// Where the summaries of plays go: ``PlaybackMetricsSender`` in the app, ``InMemoryPlaybackMetrics`` in a test,
/// ``NoOpPlaybackMetrics`` where nothing is measured.
public protocol PlaybackMetrics: Sendable {
    /// Takes the summary of a play that closed. Never throws and never waits.
    func record(_ summary: PlaybackSummary)
}

/// Metrics that keep every summary, for tests that ask what an app would have sent.
public final class InMemoryPlaybackMetrics: PlaybackMetrics {
    private let kept = Locked<[PlaybackSummary]>([])

    /// Metrics that have kept nothing yet.
    public init() {}

    /// Keeps the summary.
    public func record(_ summary: PlaybackSummary) {
        kept.withLock { $0.append(summary) }
    }

    /// Everything recorded, in order.
    public var summaries: [PlaybackSummary] { kept.withLock { $0 } }

    /// Forgets everything recorded.
    public func removeAll() {
        kept.withLock { $0.removeAll() }
    }
}

/// Metrics that nobody wants: every summary is forgotten.
public struct NoOpPlaybackMetrics: PlaybackMetrics {
    /// Metrics that forget.
    public init() {}

    /// Forgets the summary.
    public func record(_ summary: PlaybackSummary) {}
}
