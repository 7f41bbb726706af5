import PlaybackMetricsClient

/// A play that closed, whose item's access log may have grown since it was read last.
struct ClosedPlay: Sendable {
    private(set) var summary: PlaybackSummary
    /// The item whose log is worth reading once more; `nil` when there is no time for that.
    let item: PlayerEvent.ItemID?
    /// Bytes of the play in other items, less what the item's log held before the play.
    let otherBytes: Int64

    init(_ summary: PlaybackSummary, item: PlayerEvent.ItemID?, otherBytes: Int64) {
        self.summary = summary
        self.item = item
        self.otherBytes = otherBytes
    }

    /// The summary with the bytes that the log held in the end.
    func completed(with figures: AccessLogFigures) -> PlaybackSummary {
        guard let bytes = figures.bytes else { return summary }
        var summary = summary
        summary.bytes = max(summary.bytes ?? 0, min(bytes + otherBytes, AccessLogFigures.mostBytes))
        return summary
    }
}
