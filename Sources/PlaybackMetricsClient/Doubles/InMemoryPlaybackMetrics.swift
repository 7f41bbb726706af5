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
