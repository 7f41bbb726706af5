/// Counts and sums over the plays of one session in one group, or of one play without a session.
struct ClusterSums: Sendable, Hashable {
    var plays: Int64 = 0
    var started: Int64 = 0
    var failed: Int64 = 0
    var measured: Int64 = 0
    var withinTarget: Int64 = 0
    var stalledPlays: Int64 = 0
    var stalls: Int64 = 0
    var watchedMs: Int64 = 0
    var stalledMs: Int64 = 0
    /// Started plays with known bytes.
    var weighed: Int64 = 0
    var bytes: Int128 = 0
    var estimatedBytes: Int128 = 0

    mutating func add(_ other: ClusterSums) {
        plays += other.plays
        started += other.started
        failed += other.failed
        measured += other.measured
        withinTarget += other.withinTarget
        stalledPlays += other.stalledPlays
        stalls += other.stalls
        watchedMs += other.watchedMs
        stalledMs += other.stalledMs
        weighed += other.weighed
        bytes += other.bytes
        estimatedBytes += other.estimatedBytes
    }

    /// A session counts in data per session when one of its started plays has known bytes, or none of its plays started.
    var hasKnownBytes: Bool { weighed > 0 || started == 0 }
}
