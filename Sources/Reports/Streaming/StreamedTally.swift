internal import Dispatch

/// Counts a period in two looks at its plays: the first adds everything up, the second knows the totals and the percentiles.
final class StreamedTally: PeriodCounter {
    private let scope: PlayScope
    private let scanner: any PlayScanner
    private var counted: Counted?

    /// - Parameter arrivals: what else is to see the plays.
    init(_ scope: PlayScope, _ scanner: any PlayScanner) {
        self.scope = scope
        self.scanner = scanner
    }

    /// The parts of a count, with one number for each group of all.
    private struct Counted {
        var parts: [PlayCount]
        var keys: [GroupKey] = []
        /// By part, the number of each group of its own.
        var groups: [[Int]] = []

        init(_ parts: [PlayCount], hasBoundary: Bool) {
            self.parts = parts
            var numbers: [GroupKey: Int] = [:]
            for part in parts {
                let own = part.keys.map { key in
                    if let number = numbers[key] { return number }
                    numbers[key] = keys.count
                    keys.append(key)
                    return keys.count - 1
                }
                groups.append(hasBoundary ? own.flatMap { [$0 * 2, $0 * 2 + 1] } : own)
            }
        }
    }

    private func count(alongside arrivals: ArrivalCount? = nil) throws -> Counted {
        if let counted { return counted }
        let counts = try PlayCounts(scope, scanner, alongside: arrivals)
        let counted = Counted(counts.parts, hasBoundary: scope.boundary != nil)
        if isGrouped { try scope.check(groups: counted.keys.count) }
        self.counted = counted
        return counted
    }

    private var isGrouped: Bool { !scope.dimensions.isEmpty }

    // MARK: Plays

    func tally() throws -> PeriodTally { try tally(alongside: nil).tally }

    /// - Parameter arrivals: what else looks at the plays.
    /// - Returns: also what the latter has counted, in parts.
    func tally(alongside arrivals: ArrivalCount?) throws -> (tally: PeriodTally, arrivals: [ArrivalCount]) {
        var counted = try count(alongside: arrivals)
        self.counted = nil
        var tally = sum(counted)
        try compare(&counted, with: &tally)
        let sessions = try SessionTable(
            of: RunTable.runs(in: counted.parts.map(\.clusters.heads)), in: scanner)
        finish(&tally, counted, sessions)
        self.counted = counted
        return (tally, counted.parts.compactMap(\.arrivals))
    }

    private func sum(_ counted: Counted) -> PeriodTally {
        var totals = counted.keys.map { _ in PlayTotals() }
        var estimated = counted.keys.map { _ in Int128(0) }
        var bars: [[StartupHistogram]] = counted.keys.map { _ in [] }
        for (part, groups) in zip(counted.parts, counted.groups) {
            for (own, number) in zip(part.totals.indices, groups) {
                totals[number].add(part.totals[own])
                estimated[number] += part.estimated[own]
            }
            for (own, number) in zip(part.startups.bars(groups: part.totals.count), groups) {
                bars[number].append(StartupHistogram(own))
            }
        }
        let present = totals.indices.filter { totals[$0].plays > 0 }
        var tally = PeriodTally(
            present.map { (counted.keys[$0], totals[$0]) },
            bars: Dictionary(
                uniqueKeysWithValues: present.map { (counted.keys[$0], StartupHistogram(merging: bars[$0]).bars) }),
            isGrouped: isGrouped)
        tally.downloads = counted.parts.reduce(0) { $0 + $1.downloads }
        for (place, number) in present.enumerated() where isGrouped {
            tally.groups[place].estimatedBytes = estimated[number]
        }
        tally.all.estimatedBytes = estimated.reduce(0, +)
        return tally
    }

    /// The second look.
    private func compare(_ counted: inout Counted, with tally: inout PeriodTally) throws {
        func percentiles(_ group: GroupTally) -> PlayCount.Percentiles {
            PlayCount.Percentiles(
                p50: group.startups.percentile(50) ?? -1, p95: group.startups.percentile(95) ?? -1)
        }
        let all = percentiles(tally.all)
        let groups = tally.groups.map(percentiles)
        var added = tally
        for part in counted.parts.indices {
            let numbers = counted.groups[part]
            let own = isGrouped ? numbers.map { groups[$0] } : []
            try counted.parts[part].compare(all: all, own: own) { sums, group in
                added.all.add(sums)
                if isGrouped { added.groups[numbers[Int(group)]].add(sums) }
            }
        }
        tally = added
    }

    // MARK: Sessions

    private func clusters(of sessions: SessionTable, _ counted: Counted) -> SessionClusters {
        SessionClusters(sessions, counted.parts.map(\.clusters), groups: counted.groups)
    }

    /// The tallies that a thread adds sessions to.
    private enum Side: CaseIterable {
        case all, groups
    }

    private func finish(_ tally: inout PeriodTally, _ counted: Counted, _ sessions: SessionTable) {
        let clusters = clusters(of: sessions, counted)
        let sides: [Side] = isGrouped ? Side.allCases : [.all]
        var tallies = sides.map { _ in tally }
        tallies.withUnsafeMutableBufferPointer { tallies in
            // Each thread has a tally to itself, and none changes what was counted.
            nonisolated(unsafe) let (this, tallies, counted, clusters) = (self, tallies, counted, clusters)
            DispatchQueue.concurrentPerform(iterations: sides.count) { index in
                this.finish(&tallies[index], sides[index], counted, sessions, clusters)
            }
        }
        for (side, finished) in zip(sides, tallies) {
            switch side {
            case .all: tally.all = finished.all
            case .groups: tally.groups = finished.groups
            }
        }
    }

    private func finish(
        _ tally: inout PeriodTally, _ side: Side, _ counted: Counted, _ sessions: SessionTable,
        _ clusters: SessionClusters
    ) {
        var (added, failures) = (tally, FailureLedger<Int32>())
        if side == .all { added.all.expect(sessions: sessions.count) }
        clusters.forEach { number, session in
            switch side {
            case .all:
                var all = session[0].sums
                for other in session.dropFirst() { all.add(other.sums) }
                added.all.add(all, upToP50: all.upToAllP50, upToP95: all.upToAllP95)
                if all.failed > 0 { failures.note(group: nil, session: number, plays: Int64(all.plays)) }
            case .groups:
                for share in session {
                    let sums = share.sums
                    added.groups[share.group].add(sums, upToP50: sums.upToP50, upToP95: sums.upToP95)
                    if sums.failed > 0 { failures.note(group: share.group, session: number, plays: Int64(sums.plays)) }
                }
            }
        }
        for (part, groups) in zip(counted.parts, counted.groups) {
            for failure in part.failures {
                failures.note(
                    group: side == .all ? nil : groups[Int(failure.group)],
                    code: part.codes.values[Int(failure.code)], isAtStart: failure.isAtStart,
                    session: failure.run.flatMap { sessions.number(of: $0) }, failed: 1)
            }
        }
        failures.fill(&added)
        added.finish()
        tally = added
    }

    // MARK: Session by session

    func readSessions(_ visit: ([SessionPart], Int64) -> Void) throws {
        var counted = try count()
        self.counted = nil
        let sessions = try SessionTable(
            of: RunTable.runs(in: counted.parts.map(\.clusters.heads)), in: scanner)
        clusters(of: sessions, counted).forEach { _, session in
            visit(session.map { part($0.group, counted.keys, $0.sums.sums) }, 1)
        }
        for index in counted.parts.indices {
            let (keys, groups) = (counted.keys, counted.groups[index])
            try counted.parts[index].forEachLone { sums, group in
                visit([part(groups[Int(group)], keys, sums)], 1)
            }
        }
    }

    private func part(_ group: Int, _ keys: [GroupKey], _ sums: ClusterSums) -> SessionPart {
        scope.boundary == nil
            ? SessionPart(key: keys[group], part: 1, sums: sums)
            : SessionPart(key: keys[group / 2], part: Int64(group % 2), sums: sums)
    }
}

extension GroupTally {
    /// Adds a session's plays in the group.
    fileprivate mutating func add(_ session: ClusterTable.Cluster, upToP50: Int32, upToP95: Int32) {
        let sums = session.sums
        addSession(sums)
        if sums.measured > 0 {
            addStartups(measured: sums.measured, upToP50: Int64(upToP50), upToP95: Int64(upToP95))
        }
        if session.memoryEndedAt > .min { sessionMemory.append(session.memoryBytes) }
    }
}
