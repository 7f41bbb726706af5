import PlaybackMetricsClient

/// A play that closed, whose item's logs may know more than was read last.
struct ClosedPlay: Sendable {
    private let closed: PlaybackSummary
    private var logs: PlayLogs
    /// The item whose logs are worth reading once more; `nil` when there is none, or no time for that.
    let item: PlayerEvent.ItemID?
    /// Where the entries of the error log begin that may have ended the play; `nil` when the code of its failure says enough,
    /// or it did not fail.
    let errorsFrom: Int?

    init(_ closed: PlaybackSummary, logs: PlayLogs, item: PlayerEvent.ItemID?, errorsFrom: Int? = nil) {
        self.closed = closed
        self.logs = logs
        self.item = item
        self.errorsFrom = errorsFrom
    }

    /// The summary with what the logs are known to hold.
    var summary: PlaybackSummary {
        var summary = closed
        summary.bytes = logs.bytes
        summary.accessLogStartupMs =
            closed.accessLogStartupMs ?? logs.startupMs.map { min($0, ContractRange.startupMs.upperBound) }
        summary.avgBitrate =
            closed.avgBitrate ?? logs.bitrate(played: Int64(closed.watchedMs - closed.stalledMs))
        return summary
    }

    /// The play with the player's own account of all plays of the item, when it has had no other.
    func witnessed(by metric: PlayerMetric?) -> ClosedPlay {
        guard logs.isItemsFirst, case .summary(let stalls, let stalledMs, let startupMs) = metric else { return self }
        var summary = closed
        if ContractRange.stalls.contains(stalls), ContractRange.watchedMs.contains(stalledMs) {
            summary.playerStalls = stalls
            summary.playerStalledMs = stalledMs
        }
        if ContractRange.startupMs.contains(startupMs) { summary.accessLogStartupMs = startupMs }
        return ClosedPlay(summary, logs: logs, item: item, errorsFrom: errorsFrom)
    }

    /// The summary with what the logs held in the end.
    ///
    /// - Parameters:
    ///   - access: the item's access log.
    ///   - errors: the item's error log.
    ///   - told: the item's access log when the play before this one was told.
    ///   - edge: tells the edge that a log shows.
    func completed(
        access: [ItemLog.Entry], errors: [FailureCode.LogEntry], told: [ItemLog.Entry] = [],
        edge: (EdgeEvidence) -> CDNEdge?
    ) -> PlaybackSummary {
        var play = self
        if let item {
            play.logs.wasTold(told, of: item)
            play.logs.read(access, of: item, played: Int64(closed.watchedMs - closed.stalledMs))
        }
        var summary = play.summary
        var evidence: [EdgeEvidence] = []
        if CDNEdge(cdn: summary.context.cdn, region: summary.context.cdnRegion) == CDNEdge(), let last = access.last {
            evidence.append(last.evidence)
        }
        if closed.error != nil, let last = errors.last { evidence.append(last.evidence) }
        for seen in evidence.compactMap(edge) {
            summary.context.cdn = seen.cdn ?? summary.context.cdn
            summary.context.cdnRegion = seen.region ?? summary.context.cdnRegion
        }
        if let errorsFrom, let fatal = FailureCode.fatal(in: errors.dropFirst(errorsFrom)) {
            summary.error = PlaybackError(domain: fatal.domain, code: fatal.code)
        }
        return summary
    }
}
