internal import Queries

/// Counts a period by the queries of `Queries/`: the store groups and adds up, whole numbers come back.
final class QueriedTally: PeriodCounter {
    private let store: any ReportStore
    private let scope: PlayScope

    init(store: any ReportStore, scope: PlayScope) {
        self.store = store
        self.scope = scope
    }

    private var isGrouped: Bool { !scope.dimensions.isEmpty }

    /// - Throws: what the store says of a query.
    func tally() throws -> PeriodTally {
        var tally = try counted()
        let places = Dictionary(
            uniqueKeysWithValues: tally.groups.enumerated().compactMap { index, group in group.key.map { ($0, index) } }
        )
        var ledger = FailureLedger<ByteText>()
        try addSessions(to: &tally, places, &ledger)
        try addLonePlays(to: &tally, places)
        try addStartups(to: &tally, places)
        try addMemory(to: &tally, places)
        try addFailures(to: &tally, places, &ledger)
        tally.downloads = try downloads()
        tally.finish()
        return tally
    }

    private func rows(_ file: QueryFile, _ scope: PlayScope, _ visit: (any SQLRow) throws -> Void) throws {
        let (subquery, parameters) = scope.query(file.columns)
        try store.rows(file.sql(scope: subquery), parameters, visit)
    }

    private func key(_ row: any SQLRow, from column: Int) -> GroupKey {
        GroupKey(scope.dimensions.indices.map { index in row.withText(column + index) { ByteText($0) } })
    }

    // MARK: Plays

    private func counted() throws -> PeriodTally {
        var totals: [(key: GroupKey, totals: PlayTotals)] = []
        try rows(.totals, scope) { row in
            totals.append((key(row, from: 0), PlayTotals(row, from: 3)))
            if isGrouped { try scope.check(groups: totals.count) }
        }
        var bars: [GroupKey: [StartupHistogram.Bar]] = [:]
        try rows(.startups, scope) { row in
            bars[key(row, from: 0), default: []].append(
                .init(ms: row.integer(3), plays: row.integer(4), lonePlays: row.integer(5)))
        }
        return PeriodTally(totals, bars: bars, isGrouped: isGrouped)
    }

    // MARK: Sessions

    private func addSessions(
        to tally: inout PeriodTally, _ places: [GroupKey: Int], _ ledger: inout FailureLedger<ByteText>
    ) throws {
        var current: (session: ByteText, sums: ClusterSums)?
        func finish() {
            guard let (session, sums) = current else { return }
            tally.all.addSession(sums)
            if sums.failed > 0 { ledger.note(group: nil, session: session, plays: sums.plays) }
        }
        try rows(.sessions, scope) { row in
            let session = row.withText(0) { ByteText($0) }
            let sums = ClusterSums(session: row, from: 5)
            if isGrouped, let place = places[key(row, from: 1)] {
                tally.groups[place].addSession(sums)
                if sums.failed > 0 { ledger.note(group: place, session: session, plays: sums.plays) }
            }
            if current?.session == session {
                current?.sums.add(sums)
            } else {
                finish()
                current = (session, sums)
            }
        }
        finish()
    }

    private func addLonePlays(to tally: inout PeriodTally, _ places: [GroupKey: Int]) throws {
        try rows(.lonePlays, scope) { row in
            let play = ClusterSums(lone: row, from: 4)
            let count = row.integer(12)
            tally.all.add(play, count: count)
            if isGrouped, let place = places[key(row, from: 0)] { tally.groups[place].add(play, count: count) }
        }
    }

    private func addStartups(to tally: inout PeriodTally, _ places: [GroupKey: Int]) throws {
        func add(_ row: any SQLRow, to group: inout GroupTally) {
            group.addStartups(measured: row.integer(4), upToP50: row.integer(5), upToP95: row.integer(6))
        }
        var whole = scope
        whole.dimensions = []
        if let threshold = tally.all.threshold {
            whole.thresholds = StartupThresholds([threshold], in: whole)
            try rows(.sessionStartups, whole) { row in add(row, to: &tally.all) }
        }
        guard isGrouped else { return }
        let thresholds = tally.groups.compactMap(\.threshold)
        for start in stride(from: 0, to: thresholds.count, by: StartupThresholds.batch) {
            var part = scope
            let batch = thresholds[start..<min(start + StartupThresholds.batch, thresholds.count)]
            part.thresholds = StartupThresholds(Array(batch), in: scope)
            try rows(.sessionStartups, part) { row in
                if let place = places[key(row, from: 1)] { add(row, to: &tally.groups[place]) }
            }
        }
    }

    private func addMemory(to tally: inout PeriodTally, _ places: [GroupKey: Int]) throws {
        var session: ByteText?
        var last: Int64 = 0
        var lastOfGroup: [Int: Int64] = [:]
        func finish() {
            guard session != nil else { return }
            tally.all.sessionMemory.append(last)
            for (place, memory) in lastOfGroup { tally.groups[place].sessionMemory.append(memory) }
            lastOfGroup.removeAll(keepingCapacity: true)
        }
        try rows(.sessionMemory, scope) { row in
            let next = row.withText(0) { ByteText($0) }
            if next != session { finish() }
            session = next
            last = row.integer(6)
            if isGrouped, let place = places[key(row, from: 3)] { lastOfGroup[place] = last }
        }
        finish()
    }

    private func addFailures(
        to tally: inout PeriodTally, _ places: [GroupKey: Int], _ ledger: inout FailureLedger<ByteText>
    ) throws {
        try rows(.failures, scope) { row in
            let code = row.withText(3) { ByteText($0) }
            let session = row.withText(5) { ByteText($0) }
            func note(group: Int?) {
                ledger.note(
                    group: group, code: code, isAtStart: row.integer(4) == 1, session: session.isEmpty ? nil : session,
                    failed: row.integer(6))
            }
            note(group: nil)
            if isGrouped, let place = places[key(row, from: 0)] { note(group: place) }
        }
        ledger.fill(&tally)
    }

    private func downloads() throws -> Int64 {
        guard scope.leavesOutDownloads else { return 0 }
        var downloads: Int64 = 0
        try rows(.downloads, scope) { row in downloads = row.integer(0) }
        return downloads
    }

    // MARK: Session by session

    func readSessions(_ visit: ([SessionPart], Int64) -> Void) throws {
        var session: ByteText?
        var parts: [SessionPart] = []
        try rows(.sessions, scope) { row in
            let next = row.withText(0) { ByteText($0) }
            if next != session, !parts.isEmpty {
                visit(parts, 1)
                parts.removeAll(keepingCapacity: true)
            }
            session = next
            parts.append(
                SessionPart(key: key(row, from: 1), part: row.integer(4), sums: ClusterSums(session: row, from: 5)))
        }
        if !parts.isEmpty { visit(parts, 1) }
        try rows(.lonePlays, scope) { row in
            let part = SessionPart(key: key(row, from: 0), part: row.integer(3), sums: ClusterSums(lone: row, from: 4))
            visit([part], row.integer(12))
        }
    }
}

extension GroupTally {
    /// The percentiles found, for the second query; nil without a measured startup, or for the tally of all plays.
    fileprivate var threshold: StartupThresholds.Group? {
        guard let p50 = startups.percentile(50), let p95 = startups.percentile(95) else { return nil }
        return StartupThresholds.Group(key: key?.values ?? [], p50: p50, p95: p95)
    }
}
