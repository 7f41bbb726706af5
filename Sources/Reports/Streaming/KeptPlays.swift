/// What of plays has to be looked at a second time when the totals are known, kept in memory: up to a limit, beyond which
/// the store has to be read once more.
struct KeptPlays {
    /// A play of a session that started. Most are packed into four bytes; these are the others.
    private struct Started: BitwiseCopyable {
        let cluster: Int32
        let startupMs: Int32
    }

    /// A play without a session.
    struct Lone: BitwiseCopyable {
        let group: Int32
        let startupMs: Int32
        let stalls: Int32
        let stalledMs: Int32
        let watchedMs: Int32
        let isFailed: Bool
    }

    private static let startupBits = 12
    /// How far a cluster may lie from the newest at the beginning of its block, in either direction.
    private static let reach = 1 << 19
    private static let blockBits = 12

    private let limit: Int

    /// Clusters by their distance, and startups below four seconds.
    private let packed = Pieces<UInt32>()
    /// The newest cluster at the beginning of each block of packed plays.
    private var bases: [Int] = []
    private var newest = 0
    private let others = Pieces<Started>()
    let lone = Pieces<Lone>()
    /// Whether every play is here.
    private(set) var isComplete = true

    /// - Parameter limit: bytes.
    init(limit: Int = 96 << 20) {
        self.limit = limit
    }

    /// Keeps a play of a session, whose clusters are mostly among the newest.
    mutating func add(cluster: Int, startupMs: Int64) {
        guard isComplete else { return }
        guard let startup = Int32(exactly: startupMs), hasRoom else { return giveUp() }
        newest = max(newest, cluster)
        if packed.count >> Self.blockBits == bases.count { bases.append(newest) }
        let distance = cluster - bases[bases.count - 1] + Self.reach
        if distance >= 0, distance < 2 * Self.reach, startup < 1 << Self.startupBits {
            packed.append(UInt32(distance << Self.startupBits) | UInt32(startup))
        } else {
            others.append(Started(cluster: Int32(cluster), startupMs: startup))
        }
    }

    /// Visits plays of sessions with their clusters and startups, in no order.
    func forEachStarted(_ visit: (Int, Int64) -> Void) {
        for index in 0..<packed.count {
            let (base, play) = (bases[index >> Self.blockBits], packed[index])
            let distance = Int(play >> UInt32(Self.startupBits)) - Self.reach
            visit(base + distance, Int64(play & (1 << UInt32(Self.startupBits) - 1)))
        }
        others.forEach { visit(Int($0.cluster), Int64($0.startupMs)) }
    }

    mutating func add(lone play: ScannedPlay, group: Int32) {
        guard isComplete else { return }
        guard let startupMs = Int32(exactly: play.startupMs), let stalls = Int32(exactly: play.stalls),
            let stalledMs = Int32(exactly: play.stalledMs), let watchedMs = Int32(exactly: play.watchedMs), hasRoom
        else { return giveUp() }
        lone.append(
            Lone(
                group: group, startupMs: startupMs, stalls: stalls, stalledMs: stalledMs, watchedMs: watchedMs,
                isFailed: play.isFailed))
    }

    /// After the second look at them.
    func forgetStarted() {
        packed.removeAll()
        others.removeAll()
    }

    private var hasRoom: Bool {
        packed.count * MemoryLayout<UInt32>.stride + others.count * MemoryLayout<Started>.stride
            + lone.count * MemoryLayout<Lone>.stride < limit
    }

    private mutating func giveUp() {
        isComplete = false
        forgetStarted()
        lone.removeAll()
    }
}

extension ClusterSums {
    /// One play without a session.
    init(lone play: ScannedPlay, targetMs: Int64) {
        self.init(
            startupMs: play.startupMs, stalls: play.stalls, stalledMs: play.stalledMs, watchedMs: play.watchedMs,
            isFailed: play.isFailed, targetMs)
    }

    /// The same of a play that was kept.
    init(lone play: KeptPlays.Lone, targetMs: Int64) {
        self.init(
            startupMs: Int64(play.startupMs), stalls: Int64(play.stalls), stalledMs: Int64(play.stalledMs),
            watchedMs: Int64(play.watchedMs), isFailed: play.isFailed, targetMs)
    }

    private init(
        startupMs: Int64, stalls: Int64, stalledMs: Int64, watchedMs: Int64, isFailed: Bool, _ targetMs: Int64
    ) {
        self.init()
        let isStarted = startupMs >= 0 || watchedMs > 0
        plays = 1
        started = isStarted ? 1 : 0
        failed = isFailed ? 1 : 0
        measured = startupMs >= 0 ? 1 : 0
        withinTarget = startupMs >= 0 && startupMs <= targetMs ? 1 : 0
        stalledPlays = isStarted && stalls > 0 ? 1 : 0
        self.stalls = isStarted ? stalls : 0
        self.watchedMs = watchedMs
        self.stalledMs = stalledMs
    }
}
