/// What sessions have in each group, in one flat array.
struct ClusterTable {
    /// The plays of one session in one group.
    struct Cluster {
        var session: Int32
        var group: Int32
        /// The session's next cluster, -1 for none.
        var next: Int32
        var plays: Int32 = 0
        var started: Int32 = 0
        var failed: Int32 = 0
        var measured: Int32 = 0
        var withinTarget: Int32 = 0
        var stalledPlays: Int32 = 0
        var weighed: Int32 = 0
        // By the percentiles of the group, and of all plays.
        var upToP50: Int32 = 0
        var upToP95: Int32 = 0
        var upToAllP50: Int32 = 0
        var upToAllP95: Int32 = 0
        var stalls: Int64 = 0
        var watchedMs: Int64 = 0
        var stalledMs: Int64 = 0
        /// The whole multiples of 2³² and the rest.
        var bytesHigh: Int64 = 0
        var bytesLow: Int64 = 0
        /// Of the last play that has it; the time is `Int64.min` before the first.
        var memoryEndedAt: Int64 = .min
        var memoryArrival: Int64 = 0
        var memoryBytes: Int64 = 0
    }

    private(set) var clusters: [Cluster] = []
    private var numbers = IndexTable()
    /// The first cluster of each session.
    private var heads: [Int32] = []

    /// The cluster of a session in a group, made when it is not there.
    mutating func number(session: Int32, group: Int32) -> Int {
        if let head = head(of: session, in: group) { return head }
        let next = Int32(clusters.count)
        let found = numbers.number(of: IndexTable.key(session, group), orElse: next)
        if found == next {
            while heads.count <= Int(session) { heads.append(-1) }
            clusters.append(Cluster(session: session, group: group, next: heads[Int(session)]))
            heads[Int(session)] = next
        }
        return Int(found)
    }

    /// The cluster of a session in a group that has one.
    func find(session: Int32, group: Int32) -> Int? {
        if let head = head(of: session, in: group) { return head }
        return numbers.number(of: IndexTable.key(session, group)).map { Int($0) }
    }

    /// The latest cluster that was made for the session, when it is the group's: most sessions have no other.
    private func head(of session: Int32, in group: Int32) -> Int? {
        guard session < heads.count else { return nil }
        let head = Int(heads[Int(session)])
        return head >= 0 && clusters[head].group == group ? head : nil
    }

    mutating func update(_ number: Int, _ body: (inout Cluster) -> Void) {
        body(&clusters[number])
    }

    /// Visits the clusters of each session, session by session.
    func forEachSession(_ visit: ([Cluster]) -> Void) {
        var session: [Cluster] = []
        for head in heads where head >= 0 {
            session.removeAll(keepingCapacity: true)
            var number = head
            while number >= 0 {
                session.append(clusters[Int(number)])
                number = clusters[Int(number)].next
            }
            visit(session)
        }
    }
}

extension ClusterTable.Cluster {
    mutating func add(_ play: ScannedPlay, targetMs: Int64) {
        plays += 1
        failed += play.isFailed ? 1 : 0
        if play.isStarted {
            started += 1
            stalledPlays += play.stalls > 0 ? 1 : 0
            stalls += play.stalls
        }
        if play.startupMs >= 0 {
            measured += 1
            withinTarget += play.startupMs <= targetMs ? 1 : 0
        }
        watchedMs += play.watchedMs
        stalledMs += play.stalledMs
        let bytes = play.countedBytes
        if bytes >= 0 {
            weighed += play.isStarted ? 1 : 0
            bytesHigh += bytes >> 32
            bytesLow += bytes & 0xffff_ffff
        }
        if play.memoryBytes >= 0, (memoryEndedAt, memoryArrival) < (play.endedAt, play.arrival) {
            (memoryEndedAt, memoryArrival, memoryBytes) = (play.endedAt, play.arrival, play.memoryBytes)
        }
    }

    var sums: ClusterSums {
        var sums = ClusterSums()
        sums.plays = Int64(plays)
        sums.started = Int64(started)
        sums.failed = Int64(failed)
        sums.measured = Int64(measured)
        sums.withinTarget = Int64(withinTarget)
        sums.stalledPlays = Int64(stalledPlays)
        sums.weighed = Int64(weighed)
        sums.stalls = stalls
        sums.watchedMs = watchedMs
        sums.stalledMs = stalledMs
        sums.bytes = wide(high: bytesHigh, low: bytesLow)
        return sums
    }
}

extension ClusterSums {
    /// One play without a session.
    init(lone play: ScannedPlay, targetMs: Int64) {
        self.init()
        plays = 1
        started = play.isStarted ? 1 : 0
        failed = play.isFailed ? 1 : 0
        measured = play.startupMs >= 0 ? 1 : 0
        withinTarget = play.startupMs >= 0 && play.startupMs <= targetMs ? 1 : 0
        stalledPlays = play.isStarted && play.stalls > 0 ? 1 : 0
        stalls = play.isStarted ? play.stalls : 0
        watchedMs = play.watchedMs
        stalledMs = play.stalledMs
    }
}
