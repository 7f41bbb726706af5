/// What of plays has to be looked at a second time when the totals are known, kept in memory: up to a limit, beyond which
/// the store has to be read once more.
struct KeptPlays {
    /// A play of a session that started.
    struct Started: BitwiseCopyable {
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

    /// 96 MiB.
    private let limit: Int

    let started = Pieces<Started>()
    let lone = Pieces<Lone>()
    /// Whether every play is here.
    private(set) var isComplete = true

    /// - Parameter limit: bytes.
    init(limit: Int = 96 << 20) {
        self.limit = limit
    }

    mutating func add(cluster: Int, startupMs: Int64) {
        guard isComplete else { return }
        guard let startupMs = Int32(exactly: startupMs), hasRoom else { return giveUp() }
        started.append(Started(cluster: Int32(cluster), startupMs: startupMs))
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
        started.removeAll()
    }

    private var hasRoom: Bool {
        started.count * MemoryLayout<Started>.stride + lone.count * MemoryLayout<Lone>.stride < limit
    }

    private mutating func giveUp() {
        isComplete = false
        started.removeAll()
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
