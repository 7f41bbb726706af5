/// What is known of the plays of one group after all of them have been counted.
package struct GroupTally: Sendable {
    /// What the plays share in each dimension, as the group columns hold it; nil for all plays of the period.
    package var key: GroupKey?
    package var totals: PlayTotals
    package var startups: StartupHistogram

    // Sessions.
    /// Bytes of each session that counts, in no order until ``finish()``, then ascending.
    var sessionBytes: [Int128] = []
    var estimatedBytes: Int128 = 0
    /// Memory at the end of each session that has it, in bytes; sorted like ``sessionBytes``.
    var sessionMemory: [Int64] = []

    // Spreads over sessions.
    var within: ClusterSpread
    var rebuffering: ClusterSpread
    var stalls: ClusterSpread
    var stalledPlays: ClusterSpread
    var failed: ClusterSpread
    var upToP50: ClusterSpread
    var upToP95: ClusterSpread
    /// How many sessions and plays without one hold so many plays.
    var clusterSizes = CountBySize()
    var failures: [FailureTally] = []

    /// A group whose plays are counted and whose sessions are not yet.
    init(key: GroupKey?, totals: PlayTotals, startups: StartupHistogram) {
        self.key = key
        self.totals = totals
        self.startups = startups
        within = ClusterSpread(x: totals.measured, y: Int128(totals.withinTarget))
        rebuffering = ClusterSpread(x: totals.watchedMs, y: Int128(totals.stalledMs))
        stalls = ClusterSpread(x: totals.watchedMs, y: Int128(totals.stalls))
        stalledPlays = ClusterSpread(x: totals.started, y: Int128(totals.stalledPlays))
        failed = ClusterSpread(x: totals.plays, y: Int128(totals.failed))
        let upTo = { (percent: Int64) in startups.percentile(percent).map { startups.count(upTo: $0).plays } ?? 0 }
        upToP50 = ClusterSpread(x: startups.count, y: Int128(upTo(50)))
        upToP95 = ClusterSpread(x: startups.count, y: Int128(upTo(95)))
    }

    /// Adds a session, or `count` plays without one that are alike.
    ///
    /// It is a cluster of a metric when it has plays that the metric is about.
    mutating func add(_ cluster: ClusterSums, count: Int64 = 1) {
        if cluster.measured > 0 { within.add(x: cluster.measured, y: Int128(cluster.withinTarget), count: count) }
        if cluster.started > 0 {
            rebuffering.add(x: cluster.watchedMs, y: Int128(cluster.stalledMs), count: count)
            stalls.add(x: cluster.watchedMs, y: Int128(cluster.stalls), count: count)
            stalledPlays.add(x: cluster.started, y: Int128(cluster.stalledPlays), count: count)
        }
        failed.add(x: cluster.plays, y: Int128(cluster.failed), count: count)
        clusterSizes.add(cluster.plays, count)
    }

    /// Makes room, so that nothing is copied as sessions come.
    mutating func expect(sessions: Int) {
        sessionBytes.reserveCapacity(sessions)
        sessionMemory.reserveCapacity(sessions)
    }

    /// Adds what only sessions have.
    mutating func addSession(_ session: ClusterSums) {
        add(session)
        guard session.hasKnownBytes else { return }
        sessionBytes.append(session.bytes)
        estimatedBytes += session.estimatedBytes
    }

    /// Adds how many plays of a session started at all, and by the percentiles found.
    mutating func addStartups(measured: Int64, upToP50 atMostP50: Int64, upToP95 atMostP95: Int64, count: Int64 = 1) {
        upToP50.add(x: measured, y: Int128(atMostP50), count: count)
        upToP95.add(x: measured, y: Int128(atMostP95), count: count)
    }

    /// After the last session: the plays without a session in the percentiles' spreads, and everything in its order.
    ///
    /// - Complexity: O(sessions · log sessions).
    mutating func finish() {
        let lone = startups.loneCount
        for (percent, spread) in [(Int64(50), \GroupTally.upToP50), (95, \.upToP95)] {
            let below = startups.percentile(percent).map { startups.count(upTo: $0).lonePlays } ?? 0
            self[keyPath: spread].add(x: 1, y: 1, count: below)
            self[keyPath: spread].add(x: 1, y: 0, count: lone - below)
        }
        RadixSort.sort(&sessionBytes)
        RadixSort.sort(&sessionMemory)
        failures.sort { $0.precedes($1) }
    }
}
