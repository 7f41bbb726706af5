/// The failed plays of a group with one error code in one phase.
package struct FailureTally: Sendable {
    package var code: ByteText
    /// Before the first frame.
    package var isAtStart: Bool
    package var plays: Int64
    /// Over the group's sessions and plays without one: x plays, y failed so.
    var spread: ClusterSpread

    /// `count` sessions, or plays without one, of the same size in which as many plays failed so.
    struct Cluster {
        var plays: Int64
        var failed: Int64
        var count: Int64 = 1
    }

    /// - Parameters:
    ///   - clusters: the sessions, and plays without one, in which such failures occurred: all their plays in the group,
    ///     and how many failed so.
    ///   - sizes: how many sessions and plays without one of the whole group hold so many plays.
    /// - Complexity: O(clusters + distinct sizes).
    init(
        code: ByteText, isAtStart: Bool, clusters: [Cluster], sizes: CountBySize, groupPlays: Int64
    ) {
        self.code = code
        self.isAtStart = isAtStart
        plays = clusters.reduce(0) { $0 + $1.failed * $1.count }
        spread = ClusterSpread(x: groupPlays, y: Int128(plays))
        var others = sizes
        for cluster in clusters.sorted(by: { ($0.plays, $0.failed) < ($1.plays, $1.failed) }) {
            spread.add(x: cluster.plays, y: Int128(cluster.failed), count: cluster.count)
            others.add(cluster.plays, -cluster.count)
        }
        for (size, count) in others.counts {
            spread.add(x: size, y: 0, count: count)
        }
    }

    /// As tables list them: most plays first, then code as bytes, `start` before `playback`.
    func precedes(_ other: FailureTally) -> Bool {
        if plays != other.plays { return plays > other.plays }
        if code != other.code { return code < other.code }
        return isAtStart && !other.isAtStart
    }
}
