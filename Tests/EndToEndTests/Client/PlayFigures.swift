import Foundation
import PlaybackMetricsClient

/// What a play is, in the same words for the device that made it and for the database that has it.
struct PlayFigures: Hashable {
    let playId: UUID
    /// By the name of the database's column; none where nothing is known.
    let values: [String: String]

    /// What should be in the database.
    init(_ summary: PlaybackSummary) {
        playId = summary.playId
        let context = summary.context
        let hasStarted = summary.startupMs != nil || summary.watchedMs > 0
        let bitrate = summary.avgBitrate.flatMap { (0.5...1e9).contains($0) ? Int(($0 + 0.5).rounded(.down)) : nil }
        let tags = Dictionary(uniqueKeysWithValues: context.tags.names.map { ($0.text, context.tags[$0]?.text ?? "") })
        let known: [String: String?] = [
            "video_id": summary.videoId.text,
            "session_id": context.session?.uuid.uuidString,
            "cdn": context.cdn?.text,
            "cdn_region": context.cdnRegion?.text,
            "network": context.network?.rawValue,
            "source": context.source?.rawValue,
            "app_version": context.appVersion?.text,
            "os_version": context.osVersion?.text,
            "device_model": context.deviceModel?.text,
            "player": context.player?.text,
            "tags": Self.text(tags),
            "startup_ms": summary.startupMs?.description,
            "stalls": String(summary.stalls),
            "stalled_ms": String(summary.stalledMs),
            "watched_ms": String(summary.watchedMs),
            "avg_bitrate": bitrate?.description,
            // Nothing of a play that never started counts as data, unless the player says so.
            "bytes": (summary.bytes ?? (hasStarted ? nil : 0))?.description,
            "error_code": summary.error?.description,
            "waited_ms": summary.waitedMs?.description,
            "memory_bytes": summary.memoryBytes?.description,
            "attempt": summary.attempt == 1 ? nil : String(summary.attempt),
            "access_log_startup_ms": summary.accessLogStartupMs?.description,
            "player_stalls": summary.playerStalls?.description,
            "player_stalled_ms": summary.playerStalledMs?.description,
        ]
        values = known.compactMapValues { $0 }
    }

    /// What is in the database, by column.
    init?(_ row: [String: String]) {
        guard let playId = row["play_id"].flatMap(UUID.init),
            let own = try? JSONSerialization.jsonObject(with: Data((row["tags"] ?? "{}").utf8))
        else { return nil }
        self.playId = playId
        values = row.filter { Self.columns.contains($0.key) }.merging([
            "tags": Self.text(own as? [String: String] ?? [:])
        ]) { $1 }
    }

    private static func text(_ tags: [String: String]) -> String {
        tags.map { "\($0)=\($1)" }.sorted().joined(separator: "\n")
    }

    /// What differs, each with its two values; empty when nothing does.
    func differences(from other: PlayFigures) -> [String] {
        Set(values.keys).union(other.values.keys).sorted().filter { values[$0] != other.values[$0] }
            .map { "\($0): \(values[$0] ?? "none") and \(other.values[$0] ?? "none")" }
    }

    private static let columns: Set = [
        "video_id", "session_id", "cdn", "cdn_region", "network", "source", "app_version", "os_version", "device_model",
        "player", "tags", "startup_ms", "stalls", "stalled_ms", "watched_ms", "avg_bitrate", "bytes", "error_code",
        "waited_ms", "memory_bytes", "attempt", "access_log_startup_ms", "player_stalls", "player_stalled_ms",
    ]
}
