import Foundation
import PlaybackMetricsClient

extension PlaybackSummary {
    /// A play of 20 seconds; its id ends in `number`.
    static func sample(_ number: Int = 0, videoId: VideoID = "v1") -> PlaybackSummary {
        var summary = PlaybackSummary(videoId: videoId, playId: NumberedIDs.id(number))
        summary.startupMs = 412
        summary.stalls = 1
        summary.stalledMs = 900
        summary.watchedMs = 20_000
        summary.avgBitrate = 2_000_000
        return summary
    }
}
