import PlaybackMetricsClient

/// What the overlay says, a line each.
struct OverlayLines {
    /// `nil`: no play is open.
    var live: LivePlay?
    var last: PlaybackSummary?
    /// `nil`: nothing was started.
    var stats: SenderStats?

    var lines: [String] {
        guard let stats else { return ["not started: call PlaybackMonitoring.start"] }
        return [state, latest, queue(stats), answer(stats)]
    }

    private var state: String {
        guard let live else { return "no play" }
        return "\(live.videoId) \(live.state.rawValue), stalls \(live.stalls)"
    }

    private var latest: String {
        guard let last else { return "no summary yet" }
        let startup = last.startupMs.map { "startup \($0) ms" } ?? "startup not measured"
        let error = last.error.map { ", \($0)" } ?? ""
        let region = last.context.cdnRegion?.text ?? "(unknown)"
        return
            "last: \(last.videoId) \(startup), watched \(last.watchedMs) ms, stalls \(last.stalls)\(error), \(region)"
    }

    private func queue(_ stats: SenderStats) -> String {
        let earlier = stats.earlierQueued == 0 ? "" : ", \(stats.earlierQueued) of earlier runs"
        let waiting = stats.queued + stats.inFlight
        return "waiting \(waiting)\(earlier), delivered \(stats.delivered), dropped \(stats.dropped)"
    }

    private func answer(_ stats: SenderStats) -> String {
        if let status = stats.lastStatus { return "last status \(status)" }
        return stats.attempts == 0 ? "nothing sent yet" : "no response"
    }
}
