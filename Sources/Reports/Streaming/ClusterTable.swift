/// What runs have in each group.
struct ClusterTable {
    /// The plays of one run in one group.
    struct Cluster: BitwiseCopyable {
        let run: UInt32
        let group: Int32
        /// The run's next cluster, -1 for none.
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

        init(run: UInt32, group: Int32, next: Int32) {
            self.run = run
            self.group = group
            self.next = next
        }
    }

    /// So many clusters of a run are looked through one by one, and found by a hash from there on.
    private static let nearest = 4

    private let clusters = Pieces<Cluster>()
    /// The first cluster of each run.
    private(set) var heads = RunTable()
    private var further = IndexTable()

    subscript(_ number: Int) -> Cluster { clusters[number] }

    func update(_ number: Int, _ body: (inout Cluster) -> Void) {
        body(&clusters.address(number).pointee)
    }

    /// The cluster of a run in a group, made when it is not there.
    mutating func number(run: UInt32, group: Int32) -> Int {
        let head = heads[run]
        var (number, last) = (head, head)
        var steps = 0
        while number >= 0, steps < Self.nearest {
            let cluster = clusters.address(Int(number))
            if cluster.pointee.group == group { return Int(number) }
            steps += 1
            last = number
            number = cluster.pointee.next
        }
        let new = Int32(clusters.count)
        if steps == Self.nearest {
            let found = further.number(of: IndexTable.key(Int32(bitPattern: run), group), orElse: new)
            if found != new { return Int(found) }
            clusters.append(Cluster(run: run, group: group, next: number))
            clusters.address(Int(last)).pointee.next = new
        } else {
            clusters.append(Cluster(run: run, group: group, next: head))
            heads.set(run, new)
        }
        return Int(new)
    }

    /// Visits the clusters of a run, which stay where they are for as long as there is the table.
    func forEach(of run: UInt32, _ visit: (UnsafePointer<Cluster>) -> Void) {
        var number = heads[run]
        while number >= 0 {
            let cluster = clusters.address(Int(number))
            visit(UnsafePointer(cluster))
            number = cluster.pointee.next
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
        if play.memoryBytes >= 0 { note(play.memoryBytes, play.endedAt, play.arrival) }
    }

    private mutating func note(_ bytes: Int64, _ endedAt: Int64, _ arrival: Int64) {
        if (memoryEndedAt, memoryArrival) < (endedAt, arrival) {
            (memoryEndedAt, memoryArrival, memoryBytes) = (endedAt, arrival, bytes)
        }
    }

    /// Adds another cluster of the same session.
    mutating func add(_ other: Self) {
        plays += other.plays
        started += other.started
        failed += other.failed
        measured += other.measured
        withinTarget += other.withinTarget
        stalledPlays += other.stalledPlays
        weighed += other.weighed
        upToP50 += other.upToP50
        upToP95 += other.upToP95
        upToAllP50 += other.upToAllP50
        upToAllP95 += other.upToAllP95
        stalls += other.stalls
        watchedMs += other.watchedMs
        stalledMs += other.stalledMs
        bytesHigh += other.bytesHigh
        bytesLow += other.bytesLow
        note(other.memoryBytes, other.memoryEndedAt, other.memoryArrival)
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
