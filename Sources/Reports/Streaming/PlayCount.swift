/// What one thread counts of a period's plays.
///
/// - Complexity: O(plays) time. Memory: some 120 bytes a run and group, and what ``KeptPlays`` keeps at most.
struct PlayCount {
    let scope: PlayScope
    let scanner: any PlayScanner
    let stretch: PlayStretch
    private(set) var clusters = ClusterTable()
    private(set) var startups = StartupCounter()
    private(set) var totals: [PlayTotals] = []
    /// Estimated bytes by group.
    private(set) var estimated: [Int128] = []
    private(set) var failures: [Failure] = []
    private(set) var codes = ValueTable(.errorCode)
    private(set) var downloads: Int64 = 0
    private(set) var kept = KeptPlays()
    /// What else looks at the plays of the same scan.
    private(set) var arrivals: ArrivalCount?
    private var reader: ScopeReader
    private let days: DayFinder
    private var sessionless = RunTable()
    private let hasSessionless: Bool
    /// By entry of a play's delivery.
    private var sources: [RegionSource] = []

    private enum RegionSource {
        case unasked
        case asked(ScannedPlay.RegionSource?)
    }

    /// A failed play.
    struct Failure {
        var group: Int32
        var code: Int32
        /// Nil for a play without a session.
        var run: UInt32?
        var isAtStart: Bool
    }

    init(_ scope: PlayScope, _ scanner: any PlayScanner, _ stretch: PlayStretch, alongside arrivals: ArrivalCount?)
        throws
    {
        self.scope = scope
        self.scanner = scanner
        self.stretch = stretch
        self.arrivals = arrivals
        reader = ScopeReader(scope, scanner)
        days = DayFinder(zone: scope.zone)
        let runs = try scanner.sessionlessRuns()
        hasSessionless = !runs.isEmpty
        for run in runs { sessionless.set(run, 0) }
    }

    /// The groups by number: where the time before the period is in the scope too, each key stands for two.
    var keys: [GroupKey] { reader.keys }

    mutating func count() throws {
        if let range = scope.range, range.isEmpty { return }
        let parts = reader.parts.union(.figures).union(arrivals?.parts ?? [])
        try scanner.scan(stretch, parts) { play in
            try arrivals?.add(play)
            switch try reader.place(play) {
            case .outside: break
            case .download: downloads += 1
            case .group(let group): try add(play, numbered(group, play))
            }
        }
    }

    /// Where the time before the period is in the scope too, each group is two: before the boundary, and after it.
    private func numbered(_ group: Int32, _ play: ScannedPlay) -> Int32 {
        scope.boundary.map { group * 2 + (play.endedAt < $0 ? 0 : 1) } ?? group
    }

    /// The run of a play that belongs to a session.
    private func run(of play: ScannedPlay) -> UInt32? {
        let run = UInt32(truncatingIfNeeded: play.run)
        return run == 0 || (hasSessionless && sessionless[run] >= 0) ? nil : run
    }

    private mutating func add(_ play: ScannedPlay, _ group: Int32) throws {
        let index = Int(group)
        while totals.count <= index {
            totals.append(PlayTotals())
            estimated.append(0)
        }
        let run = run(of: play)
        totals[index].add(play, hasSession: run != nil, regionFrom: try source(play.delivery), scope.targetMs)
        // Received within an hour of its end, a play is never late.
        if play.receivedAt - play.endedAt > millisecondsPerHour,
            play.receivedAt - days.range(of: play.endedAt).upperBound > millisecondsPerHour
        {
            totals[index].late += 1
        }
        if play.startupMs >= 0 { startups.add(play.startupMs, group: group, isLone: run == nil) }
        if play.isFailed {
            let code = try codes.number(of: play.error, in: scanner)
            failures.append(Failure(group: group, code: code, run: run, isAtStart: !play.isStarted))
        }
        guard let run else { return kept.add(lone: play, group: group) }
        if play.bytes < 0, play.isStarted { estimated[index] += Int128(max(0, play.countedBytes)) }
        let cluster = clusters.number(run: run, group: group)
        clusters.update(cluster) { $0.add(play, targetMs: scope.targetMs) }
        if play.startupMs >= 0 { kept.add(cluster: cluster, startupMs: play.startupMs) }
    }

    private mutating func source(_ delivery: Int64) throws -> ScannedPlay.RegionSource? {
        guard delivery > 0 else { return nil }
        let index = Int(delivery)
        while sources.count <= index { sources.append(.unasked) }
        if case .asked(let source) = sources[index] { return source }
        let source = try scanner.regionSource(in: delivery)
        sources[index] = .asked(source)
        return source
    }

    // MARK: The second look

    /// The percentiles of a startup, -1 without one.
    struct Percentiles {
        var p50: Int64 = -1
        var p95: Int64 = -1
    }

    /// Looks at each play once more, now that the percentiles are known.
    ///
    /// - Parameters:
    ///   - own: of each group, by number; none when all plays are one group.
    ///   - visitLone: gets the plays without a session and their groups.
    mutating func compare(
        all: Percentiles, own: [Percentiles], _ visitLone: (ClusterSums, Int32) -> Void
    ) throws {
        if kept.isComplete {
            kept.forEachStarted { cluster, startupMs in compare(cluster, startupMs, all, own) }
            kept.lone.forEach { play in visitLone(ClusterSums(lone: play, targetMs: scope.targetMs), play.group) }
            return kept.forgetStarted()
        }
        try forEachPlay { count, play, group in
            guard let run = count.run(of: play) else {
                return visitLone(ClusterSums(lone: play, targetMs: count.scope.targetMs), group)
            }
            if play.startupMs >= 0 {
                count.compare(count.clusters.number(run: run, group: group), play.startupMs, all, own)
            }
        }
    }

    private mutating func compare(_ cluster: Int, _ startupMs: Int64, _ all: Percentiles, _ own: [Percentiles]) {
        clusters.update(cluster) { cluster in
            cluster.upToAllP50 += startupMs <= all.p50 ? 1 : 0
            cluster.upToAllP95 += startupMs <= all.p95 ? 1 : 0
            guard !own.isEmpty else { return }
            let percentiles = own[Int(cluster.group)]
            cluster.upToP50 += startupMs <= percentiles.p50 ? 1 : 0
            cluster.upToP95 += startupMs <= percentiles.p95 ? 1 : 0
        }
    }

    /// Visits the plays without a session.
    mutating func forEachLone(_ visit: (ClusterSums, Int32) -> Void) throws {
        if kept.isComplete {
            return kept.lone.forEach { visit(ClusterSums(lone: $0, targetMs: scope.targetMs), $0.group) }
        }
        try forEachPlay { count, play, group in
            if count.run(of: play) == nil { visit(ClusterSums(lone: play, targetMs: count.scope.targetMs), group) }
        }
    }

    /// Reads the store once more.
    private mutating func forEachPlay(_ visit: (inout PlayCount, ScannedPlay, Int32) -> Void) throws {
        try scanner.scan(stretch, reader.parts.union(.figures)) { play in
            if case .group(let group) = try reader.place(play) { visit(&self, play, numbered(group, play)) }
        }
    }
}
