import Foundation

/// The reports by day and region, computed the long way round: every figure by its definition, from lists of plays.
struct BruteForceReport {
    typealias Row = [String: String]

    private let plays: [ArchivedPlay]

    init(_ plays: [ArchivedPlay]) {
        self.plays = plays
    }

    /// The rows of a table in the order of the files, without the intervals.
    func rows(_ row: ([ArchivedPlay]) -> [Row]) -> [Row] {
        Set(plays.map(\.day)).sorted().flatMap { day -> [Row] in
            let ofDay = plays.filter { $0.day == day }
            let regions = Dictionary(grouping: ofDay, by: \.region)
            let ordered = regions.sorted { one, other in
                (-one.value.count, one.key) < (-other.value.count, other.key)
            }
            return (ordered.map { ($0.key, $0.value) } + [("(all)", ofDay)]).flatMap { region, plays in
                row(plays).map { $0.merging(["period": day, "cdn_region": region, "definitions": "2"]) { $1 } }
            }
        }
    }

    static func summary(_ plays: [ArchivedPlay]) -> [Row] {
        var row = startup(plays)[0].filter { !["target_ms", "quick_exits"].contains($0.key) }
        let rebuffering = rebuffering(plays)[0]
        for column in ["started", "watched_ms", "rebuffer_ratio", "stalls_per_hour"] {
            row[column] = rebuffering[column]
        }
        let sessions = sessions(plays)[0]
        for column in sessions.keys
        where column.hasPrefix("data_") || column.hasPrefix("memory_p") || column == "sessions" {
            row[column] = sessions[column]
        }
        row["failure_ratio"] = ratio(plays.filter { $0.error != nil }.count, plays.count)
        row["late"] = String(plays.filter { $0.receivedAt > nextDay(after: $0.endedAt) + 3_600_000 }.count)
        return [row]
    }

    static func startup(_ plays: [ArchivedPlay]) -> [Row] {
        let measured = plays.compactMap(\.startupMs).sorted()
        let exits = plays.filter { !$0.started && $0.error == nil }
        let quick = exits.filter { $0.waitedMs.map { $0 < 1_000 } == true }
        return [
            [
                "plays": String(plays.count),
                "measured": String(measured.count),
                "startup_p50_ms": percentile(measured, 50),
                "startup_p95_ms": percentile(measured, 95),
                "target_ms": "1000",
                "startup_within_target_ratio": ratio(measured.filter { $0 <= 1_000 }.count, measured.count),
                "exits_before_start_ratio": ratio(exits.count - quick.count, plays.count),
                "quick_exits": String(quick.count),
            ]
        ]
    }

    static func rebuffering(_ plays: [ArchivedPlay]) -> [Row] {
        let started = plays.filter(\.started)
        let watched = started.map(\.watchedMs).reduce(0, +)
        let stalls = started.map(\.stalls).reduce(0, +)
        let stalled = started.map(\.stalledMs).reduce(0, +)
        let withStall = started.filter { $0.stalls > 0 }.count
        return [
            [
                "started": String(started.count),
                "watched_ms": String(watched),
                "stalled_ms": String(stalled),
                "stalls": String(stalls),
                "rebuffer_ratio": ratio(stalled, watched),
                "stalls_per_hour": ratio(stalls * 3_600_000, watched),
                "plays_with_stall": String(withStall),
                "plays_with_stall_ratio": ratio(withStall, started.count),
            ]
        ]
    }

    static func failures(_ plays: [ArchivedPlay]) -> [Row] {
        let failed = plays.filter { $0.error != nil }
        // The digit puts `start` before `playback`.
        let cells = Dictionary(grouping: failed) { ($0.error ?? "") + ($0.started ? "\t2playback" : "\t1start") }
        let ordered = cells.sorted { one, other in (-one.value.count, one.key) < (-other.value.count, other.key) }
        return ordered.map { key, failed in
            let parts = key.components(separatedBy: "\t")
            return [
                "error_code": parts[0], "phase": String(parts[1].dropFirst()), "failed_plays": String(failed.count),
                "plays": String(plays.count), "failure_ratio": ratio(failed.count, plays.count),
            ]
        }
    }

    static func sessions(_ plays: [ArchivedPlay]) -> [Row] {
        let sessions = Dictionary(grouping: plays.filter { $0.session != nil }, by: \.session)
        let counted = sessions.values.filter { plays in
            plays.contains { $0.started && $0.bytes != nil } || !plays.contains(where: \.started)
        }
        let bytes = counted.map { $0.compactMap(\.bytes).reduce(0, +) }.sorted()
        let estimated = counted.flatMap { $0 }.filter(\.isEstimated).compactMap(\.bytes).reduce(0, +)
        let memory = sessions.values.compactMap { plays in
            plays.filter { $0.memoryBytes != nil }
                .max { ($0.endedAt, $0.arrival) < ($1.endedAt, $1.arrival) }?.memoryBytes
        }.sorted()
        let rated = plays.filter { $0.started && $0.bitrate != nil }
        let playing = rated.map { $0.watchedMs - $0.stalledMs }.reduce(0, +)
        let total = bytes.reduce(0, +)
        return [
            [
                "sessions": String(counted.count),
                "bytes": String(total),
                "estimated_bytes": String(estimated),
                "estimated_ratio": ratio(estimated, total),
                "data_per_session_mean_bytes": whole(total, counted.count),
                "data_per_session_p50_bytes": percentile(bytes, 50),
                "data_per_session_p95_bytes": percentile(bytes, 95),
                "average_bitrate_bps": whole(8_000 * rated.compactMap(\.estimate).reduce(0, +), playing),
                "memory_sessions": String(memory.count),
                "memory_p50_bytes": percentile(memory, 50),
                "memory_p95_bytes": percentile(memory, 95),
            ]
        ]
    }

    private static func percentile(_ sorted: [Int], _ percent: Int) -> String {
        sorted.isEmpty ? "" : String(sorted[(sorted.count * percent + 99) / 100 - 1])
    }

    private static func ratio(_ part: Int, _ whole: Int) -> String {
        whole == 0 ? "" : String(format: "%.6f", Double(part) / Double(whole))
    }

    private static func whole(_ part: Int, _ whole: Int) -> String {
        whole == 0 ? "" : String((2 * part + whole) / (2 * whole))
    }

    private static func nextDay(after ms: Int) -> Int {
        (ms / 86_400_000 + 1) * 86_400_000
    }
}
