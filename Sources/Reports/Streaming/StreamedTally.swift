/// Counts a period in two passes over its plays: the first reads them from the store and adds everything up, the second
/// looks at each again with the totals and the percentiles known, in memory where that was possible.
///
/// - Complexity: O(plays) time. Memory: some 150 bytes a session and group, and what ``StartedPlays`` keeps at most.
final class StreamedTally: PeriodCounter {
    private let scope: PlayScope
    private let scanner: any PlayScanner
    private var reader: ScopeReader
    private var sessions = SessionTable()
    private var clusters = ClusterTable()
    private var startups = StartupCounter()
    private var totals: [PlayTotals] = []
    private var estimated: [Int128] = []
    private var failures: [Failure] = []
    private var codes = ValueTable(.errorCode)
    private var downloads: Int64 = 0
    private let days: DayFinder
    private var startedPlays = StartedPlays()

    /// A failed play.
    private struct Failure {
        var group: Int32
        var code: Int32
        /// -1 for a play without one.
        var session: Int32
        var isAtStart: Bool
    }

    init(_ scope: PlayScope, _ scanner: any PlayScanner) {
        self.scope = scope
        self.scanner = scanner
        reader = ScopeReader(scope, scanner)
        days = DayFinder(zone: scope.zone)
    }

    /// Visits the plays of the scope with their groups and sessions.
    private func scan(_ visit: (ScannedPlay, Int32, Int32?) throws -> Void, download: () -> Void = {}) throws {
        if let range = scope.range, range.isEmpty { return }
        try scanner.scan(scope.hours, reader.parts.union(.figures)) { play in
            switch try reader.place(play) {
            case .outside: break
            case .download: download()
            case .group(let group):
                try visit(play, numbered(group, play), try sessions.number(of: play.run, in: scanner))
            }
        }
    }

    /// Where the time before the period is in the scope too, each group is two: before the boundary, and after it.
    private func numbered(_ group: Int32, _ play: ScannedPlay) -> Int32 {
        scope.boundary.map { group * 2 + (play.endedAt < $0 ? 0 : 1) } ?? group
    }

    private func part(_ group: Int32, _ keys: [GroupKey], _ sums: ClusterSums) -> SessionPart {
        scope.boundary == nil
            ? SessionPart(key: keys[Int(group)], part: 1, sums: sums)
            : SessionPart(key: keys[Int(group / 2)], part: Int64(group % 2), sums: sums)
    }

    // MARK: First pass

    func tally() throws -> PeriodTally {
        try scan({ play, group, session in try add(play, group, session) }, download: { downloads += 1 })
        let isGrouped = !scope.dimensions.isEmpty
        let keys = reader.keys
        let bars = startups.bars(groups: totals.count)
        var tally = PeriodTally(
            totals.indices.map { (keys[$0], totals[$0]) },
            bars: Dictionary(uniqueKeysWithValues: totals.indices.map { (keys[$0], bars[$0]) }), isGrouped: isGrouped)
        tally.downloads = downloads
        try addSecondPass(to: &tally, isGrouped: isGrouped)
        addSessions(to: &tally, isGrouped: isGrouped)
        addFailures(to: &tally, isGrouped: isGrouped)
        tally.finish()
        return tally
    }

    private func add(_ play: ScannedPlay, _ group: Int32, _ session: Int32?) throws {
        let index = Int(group)
        while totals.count <= index {
            totals.append(PlayTotals())
            estimated.append(0)
        }
        let source = play.delivery == 0 ? nil : try scanner.regionSource(in: play.delivery)
        totals[index].add(play, hasSession: session != nil, regionFrom: source, scope.targetMs)
        if play.receivedAt - days.range(of: play.endedAt).upperBound > millisecondsPerHour { totals[index].late += 1 }
        if play.startupMs >= 0 { startups.add(play.startupMs, group: group, isLone: session == nil) }
        if play.isFailed {
            failures.append(
                Failure(
                    group: group, code: try codes.number(of: play.error, in: scanner), session: session ?? -1,
                    isAtStart: !play.isStarted))
        }
        guard let session else {
            startedPlays.giveUp()
            return
        }
        if play.bytes < 0, play.isStarted { estimated[index] += Int128(max(0, play.countedBytes)) }
        let cluster = clusters.number(session: session, group: group)
        clusters.update(cluster) { $0.add(play, targetMs: scope.targetMs) }
        if play.startupMs >= 0 { startedPlays.add(cluster: cluster, startupMs: play.startupMs) }
    }

    // MARK: Second pass

    private func addSecondPass(to tally: inout PeriodTally, isGrouped: Bool) throws {
        let all = (p50: tally.all.startups.percentile(50) ?? -1, p95: tally.all.startups.percentile(95) ?? -1)
        let own = tally.groups.map { ($0.startups.percentile(50) ?? -1, $0.startups.percentile(95) ?? -1) }
        func compare(_ number: Int, _ startupMs: Int64) {
            clusters.update(number) { cluster in
                cluster.upToAllP50 += startupMs <= all.p50 ? 1 : 0
                cluster.upToAllP95 += startupMs <= all.p95 ? 1 : 0
                guard isGrouped else { return }
                let percentiles = own[Int(cluster.group)]
                cluster.upToP50 += startupMs <= percentiles.0 ? 1 : 0
                cluster.upToP95 += startupMs <= percentiles.1 ? 1 : 0
            }
        }
        if startedPlays.isComplete { return startedPlays.forEach(compare) }
        var counted = tally
        try scan({ play, group, session in
            guard let session else {
                let sums = ClusterSums(lone: play, targetMs: scope.targetMs)
                counted.all.add(sums)
                if isGrouped { counted.groups[Int(group)].add(sums) }
                return
            }
            guard play.startupMs >= 0, let number = clusters.find(session: session, group: group) else { return }
            compare(number, play.startupMs)
        })
        tally = counted
    }

    // MARK: Sessions

    private func addSessions(to tally: inout PeriodTally, isGrouped: Bool) {
        var counted = tally
        clusters.forEachSession { session in
            var all = ClusterSums()
            var upTo: (p50: Int64, p95: Int64) = (0, 0)
            var memory = (endedAt: Int64.min, arrival: Int64(0), bytes: Int64(0))
            for cluster in session {
                let sums = cluster.sums
                all.add(sums)
                upTo.p50 += Int64(cluster.upToAllP50)
                upTo.p95 += Int64(cluster.upToAllP95)
                if (memory.endedAt, memory.arrival) < (cluster.memoryEndedAt, cluster.memoryArrival) {
                    memory = (cluster.memoryEndedAt, cluster.memoryArrival, cluster.memoryBytes)
                }
                guard isGrouped else { continue }
                let group = Int(cluster.group)
                counted.groups[group].addSession(sums)
                if sums.measured > 0 {
                    counted.groups[group].addStartups(
                        measured: sums.measured, upToP50: Int64(cluster.upToP50), upToP95: Int64(cluster.upToP95))
                }
                if cluster.memoryEndedAt > .min { counted.groups[group].sessionMemory.append(cluster.memoryBytes) }
            }
            counted.all.addSession(all)
            if all.measured > 0 {
                counted.all.addStartups(measured: all.measured, upToP50: upTo.p50, upToP95: upTo.p95)
            }
            if memory.endedAt > .min { counted.all.sessionMemory.append(memory.bytes) }
        }
        for index in counted.groups.indices { counted.groups[index].estimatedBytes = estimated[index] }
        counted.all.estimatedBytes = estimated.reduce(0, +)
        tally = counted
    }

    private func addFailures(to tally: inout PeriodTally, isGrouped: Bool) {
        var ledger = FailureLedger<Int32>()
        clusters.forEachSession { session in
            let failed = session.reduce(0) { $0 + $1.failed }
            guard failed > 0, let number = session.first?.session else { return }
            ledger.note(group: nil, session: number, plays: session.reduce(0) { $0 + Int64($1.plays) })
            for cluster in session where cluster.failed > 0 && isGrouped {
                ledger.note(group: Int(cluster.group), session: number, plays: Int64(cluster.plays))
            }
        }
        for failure in failures {
            for group in isGrouped ? [nil, Int(failure.group)] : [nil] {
                ledger.note(
                    group: group, code: codes.values[Int(failure.code)], isAtStart: failure.isAtStart,
                    session: failure.session >= 0 ? failure.session : nil, failed: 1)
            }
        }
        ledger.fill(&tally)
    }

    // MARK: Session by session

    func readSessions(_ visit: ([SessionPart], Int64) -> Void) throws {
        if totals.isEmpty { try scan({ play, group, session in try add(play, group, session) }) }
        let keys = reader.keys
        clusters.forEachSession { session in
            visit(session.map { part($0.group, keys, $0.sums) }, 1)
        }
        try scan({ play, group, session in
            guard session == nil else { return }
            visit([part(group, keys, ClusterSums(lone: play, targetMs: scope.targetMs))], 1)
        })
    }
}
