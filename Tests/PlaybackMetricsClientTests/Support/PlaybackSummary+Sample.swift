import Foundation
import PlaybackMetricsClient

extension PlaybackSummary {
    /// A play of 20 seconds; its id ends in `number`.
    static func sample(_ number: Int = 0, videoId: VideoID = "v1") -> PlaybackSummary {
        let digits = String(number, radix: 16)
        let id = UUID(
            uuidString: "00000000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
        var summary = PlaybackSummary(videoId: videoId, playId: id ?? UUID())
        summary.startupMs = 412
        summary.stalls = 1
        summary.stalledMs = 900
        summary.watchedMs = 20_000
        summary.avgBitrate = 2_000_000
        return summary
    }
}
