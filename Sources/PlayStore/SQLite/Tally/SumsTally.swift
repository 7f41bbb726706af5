internal import Reports

/// Answers a question of sums from plays in columns.
struct SumsTally {
    private let question: SumsQuestion
    private var walk: SessionWalk
    private let slices: PeriodSlices
    private let periods: Int
    private let isGrouped: Bool

    init(_ question: SumsQuestion, _ walk: SessionWalk) {
        self.question = question
        self.walk = walk
        slices = walk.slices
        periods = question.periods.count
        isGrouped = !question.scope.dimensions.isEmpty
    }

    /// In how many rows a cell counts at most: its group's and that of all plays, in each period.
    static func views(_ slices: PeriodSlices) -> Int { 2 * slices.mostPeriods }

    /// - Throws: what the store says.
    mutating func sums() throws -> [PeriodSums] {
        if question.wantsTotalsAlone { return try totals() }
        let mostNamed = question.scope.mostNamed
        let histograms = try walk.lookBack(countsPlays: mostNamed < .max)
        let groups = walk.placer.groups
        // Rows of all plays first, then the groups of each period that can have plays.
        var rows = periods
        var rowOfGroup = Array(repeating: Array(repeating: Int32(-1), count: isGrouped ? groups : 0), count: periods)
        var others: [Int32?] = Array(repeating: nil, count: periods)
        for period in rowOfGroup.indices {
            let isNamed = groups > mostNamed ? named(mostNamed, in: period) : nil
            for group in rowOfGroup[period].indices {
                if let isNamed, !isNamed[group] {
                    if others[period] == nil {
                        others[period] = Int32(rows)
                        rows += 1
                    }
                    rowOfGroup[period][group] = others[period] ?? -1
                } else {
                    rowOfGroup[period][group] = Int32(rows)
                    rows += 1
                }
            }
        }
        let startups = startups(histograms, rowOfGroup, rows)
        let tally = TallyRows(
            rowOfGroup: rowOfGroup, rows: rows, percents: question.percents.count, hasCross: question.otherSide != nil)
        var sessions = SessionRows(question, slices, tally)
        try walk.lookForward(thresholds: thresholds(startups, rowOfGroup)) { sessions.add($0, from: $1, isSession: $2) }
        return (0..<periods).map { period in
            var sums = PeriodSums()
            sums.all = finished(period, key: nil, &sessions.tally, startups[period], cells(of: period, group: nil))
            if isGrouped {
                var groupsOfRow: [Int: [Int]] = [:]
                for group in 0..<groups { groupsOfRow[Int(rowOfGroup[period][group]), default: []].append(group) }
                for (row, groups) in groupsOfRow {
                    let cells = groups.flatMap { self.cells(of: period, group: $0) }
                    guard cells.contains(where: { walk.totals.plays(in: $0) > 0 }) else { continue }
                    let isOther = row == others[period].map(Int.init)
                    let key = isOther ? .other(question.scope.dimensions.count) : walk.placer.key(of: groups[0])
                    sums.groups.append(finished(row, key: key, &sessions.tally, startups[row], cells))
                }
            }
            sums.sharedSessions = sessions.shared[period]
            sums.downloads = downloads(of: period)
            return sums
        }
    }

    private mutating func totals() throws -> [PeriodSums] {
        try walk.countTotals()
        return (0..<periods).map { period in
            var sums = PeriodSums()
            for group in 0..<walk.placer.groups {
                let totals = totals(of: cells(of: period, group: group))
                sums.all.totals += totals
                guard isGrouped, totals[.plays] > 0 else { continue }
                var own = GroupSums(key: walk.placer.key(of: group))
                own.totals = totals
                sums.groups.append(own)
            }
            sums.downloads = downloads(of: period)
            return sums
        }
    }

    private func totals(of cells: [Int]) -> Totals {
        var totals = Totals()
        for cell in cells where walk.totals.plays(in: cell) > 0 { totals += walk.totals.totals(of: cell) }
        return totals
    }

    private func downloads(of period: Int) -> Int64 {
        slices.periods.indices.reduce(0) { slices.periods[$1].contains(period) ? $0 + walk.downloads[$1] : $0 }
    }

    /// Whether each group is one of those with the most plays in a period; nil where they need not be chosen.
    private func named(_ most: Int, in period: Int) -> [Bool]? {
        let plays = (0..<walk.placer.groups).map { group in
            cells(of: period, group: group).reduce(Int64(0)) {
                $0 + ($1 < walk.plays.count ? walk.plays[$1] : 0)
            }
        }
        let present = plays.indices.filter { plays[$0] > 0 }
        guard present.count > most else { return nil }
        let ranked = present.map { (group: $0, key: walk.placer.key(of: $0)) }.sorted {
            GroupKey.precedes(($0.key, plays[$0.group]), ($1.key, plays[$1.group]))
        }
        // Groups without plays in the period have no row in any case.
        var isNamed = plays.map { $0 == 0 }
        for one in ranked.prefix(most) { isNamed[one.group] = true }
        return isNamed
    }

    private func finished(
        _ row: Int, key: GroupKey?, _ tally: inout TallyRows, _ startups: StartupHistogram, _ cells: [Int]
    ) -> GroupSums {
        var sums = tally.sums(of: row, key: key, codes: walk.codes.values)
        sums.startups = startups
        sums.totals = totals(of: cells)
        for cell in cells { sums.data.estimatedBytes += walk.totals.estimatedBytesOfSessions(in: cell) }
        return sums
    }

    /// The cells of a group, or of all, in a period.
    private func cells(of period: Int, group: Int?) -> [Int] {
        let groups = group.map { $0..<$0 + 1 } ?? 0..<walk.placer.groups
        return slices.periods.indices.filter { slices.periods[$0].contains(period) }.flatMap { slice in
            groups.map { walk.cell(group: $0, slice: slice) }
        }
    }

    // MARK: Startups

    private func startups(_ histograms: [StartupHistogram], _ rowOfGroup: [[Int32]], _ rows: Int) -> [StartupHistogram]
    {
        var parts: [[StartupHistogram]] = Array(repeating: [], count: rows)
        for group in 0..<walk.placer.groups {
            for slice in slices.periods.indices {
                let histogram = histograms[walk.cell(group: group, slice: slice)]
                guard histogram.count > 0 else { continue }
                for period in slices.periods[slice] {
                    parts[period].append(histogram)
                    if isGrouped { parts[Int(rowOfGroup[period][group])].append(histogram) }
                }
            }
        }
        return parts.map { StartupHistogram(merging: $0) }
    }

    /// For each cell and view, the percentiles of its rows.
    private func thresholds(_ startups: [StartupHistogram], _ rowOfGroup: [[Int32]]) -> [SIMD8<Int32>] {
        let ofRows = startups.map { histogram in
            var percentiles = SIMD8<Int32>(repeating: -1)
            for (index, percent) in question.percents.enumerated() {
                percentiles[index] = Int32(clamping: histogram.percentile(percent) ?? -1)
            }
            return percentiles
        }
        let views = Self.views(slices)
        var thresholds = Array(
            repeating: SIMD8<Int32>(repeating: -1), count: walk.placer.groups * slices.count * views)
        for group in 0..<walk.placer.groups {
            for slice in slices.periods.indices {
                for (position, period) in slices.periods[slice].enumerated() {
                    let start = walk.cell(group: group, slice: slice) * views + 2 * position
                    thresholds[start] = ofRows[period]
                    if isGrouped { thresholds[start + 1] = ofRows[Int(rowOfGroup[period][group])] }
                }
            }
        }
        return thresholds
    }
}

/// Adds sessions to the rows in which they have plays.
private struct SessionRows {
    private let question: SumsQuestion
    private let slices: PeriodSlices
    private let isGrouped: Bool
    private let views: Int
    var tally: TallyRows
    /// The sessions that are left out, by period.
    private(set) var shared: [Int64]

    init(_ question: SumsQuestion, _ slices: PeriodSlices, _ tally: TallyRows) {
        self.question = question
        self.slices = slices
        self.tally = tally
        isGrouped = !question.scope.dimensions.isEmpty
        views = SumsTally.views(slices)
        shared = Array(repeating: 0, count: question.periods.count)
    }

    /// - Parameter head: the session's first cell.
    mutating func add(_ cells: borrowing SessionCells, from head: Int32, isSession: Bool) {
        let cell = cells.cells[Int(head)]
        let periods = slices.periods[Int(cell.slice)]
        // In one group and one period nothing has to be put together.
        guard cell.next < 0, periods.count == 1 else { return addParts(cells, from: head, isSession: isSession) }
        let (period, view) = (periods[0], Int(head) * views)
        add(cell, atMost: cells.atMost[view], isSession, to: period)
        let row = isGrouped ? tally.row(of: cell.group, in: period) : -1
        if isGrouped { add(cell, atMost: cells.atMost[view + 1], isSession, to: row) }
        guard cell.sums.failed > 0 else { return }
        for (kind, failed) in cells.failures[head] ?? [:] {
            tally.add(kind, plays: cell.sums.plays, failed: failed, to: period)
            if isGrouped { tally.add(kind, plays: cell.sums.plays, failed: failed, to: row) }
        }
    }

    @inline(__always)
    private mutating func add(_ cell: SessionCell, atMost: SIMD8<Int32>, _ isSession: Bool, to row: Int) {
        tally.add(cell.sums, atMost: atMost, isSession: isSession, to: row)
        if isSession, cell.memory.isKnown { tally.add(memory: cell.memory.bytes, to: row) }
    }

    // MARK: Sessions in several cells or periods

    /// What a session has in one row.
    private struct Share {
        var row: Int
        var period: Int
        var group: Int32
        var sums: SessionSums
        var atMost: SIMD8<Int32>
        var memory: LastMemory
        var failures: [TallyRows.FailureKind: Int64] = [:]
    }

    private mutating func addParts(_ cells: borrowing SessionCells, from head: Int32, isSession: Bool) {
        var shares: [Share] = []
        var number = head
        while number >= 0 {
            let cell = cells.cells[Int(number)]
            let failures = cell.sums.failed > 0 ? cells.failures[number] ?? [:] : [:]
            for (position, period) in slices.periods[Int(cell.slice)].enumerated() {
                let view = Int(number) * views + 2 * position
                Self.gather(cell, cells.atMost[view], failures, row: period, period, group: -1, &shares)
                guard isGrouped else { continue }
                let row = tally.row(of: cell.group, in: period)
                Self.gather(cell, cells.atMost[view + 1], failures, row: row, period, group: cell.group, &shares)
            }
            number = cell.next
        }
        if question.leavesOutSharedSessions, isSession { leaveOut(&shares) }
        for share in shares {
            tally.add(share.sums, atMost: share.atMost, isSession: isSession, to: share.row)
            if isSession, share.memory.isKnown { tally.add(memory: share.memory.bytes, to: share.row) }
            for (kind, failed) in share.failures {
                tally.add(kind, plays: share.sums.plays, failed: failed, to: share.row)
            }
        }
        if isSession { addCross(shares) }
    }

    /// Leaves out what a session has in the periods in which it is in several groups.
    private mutating func leaveOut(_ shares: inout [Share]) {
        for period in shared.indices
        where shares.count(where: { $0.period == period && $0.group >= 0 }) > 1 {
            shares.removeAll { $0.period == period }
            shared[period] += 1
        }
    }

    private static func gather(
        _ cell: SessionCell, _ atMost: SIMD8<Int32>, _ failures: [TallyRows.FailureKind: Int64], row: Int,
        _ period: Int, group: Int32, _ shares: inout [Share]
    ) {
        guard let known = shares.firstIndex(where: { $0.row == row }) else {
            shares.append(
                Share(
                    row: row, period: period, group: group, sums: cell.sums, atMost: atMost,
                    memory: cell.memory, failures: failures))
            return
        }
        shares[known].sums += cell.sums
        shares[known].atMost &+= atMost
        shares[known].memory.note(cell.memory)
        if !failures.isEmpty { shares[known].failures.merge(failures) { $0 + $1 } }
    }

    private mutating func addCross(_ shares: [Share]) {
        switch question.otherSide {
        case nil: break
        case .rest:
            for share in shares where share.group >= 0 {
                for other in shares where other.group >= 0 && other.group != share.group && other.period == share.period
                {
                    // The others' parts are one: their products add up.
                    tally.addCross(share.sums, other.sums, to: share.row)
                }
            }
        case .periods(let others):
            for share in shares {
                guard let period = others[share.period],
                    let other = shares.first(where: { $0.period == period && $0.group == share.group })
                else { continue }
                tally.addCross(share.sums, other.sums, to: share.row)
            }
        }
    }
}

/// The stretches of time that the ends of some periods cut, which may overlap.
struct PeriodSlices {
    /// The first instants of the slices but the first, ms since 1970, ascending.
    private let cuts: [Int64]
    /// By slice, the periods that hold it, ascending.
    let periods: [[Int]]

    init(_ ranges: [Range<Int64>?]) {
        let cuts = Set(ranges.compactMap { $0 }.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
        self.cuts = cuts
        periods = (0...cuts.count).map { slice in
            ranges.indices.filter { index in
                guard let range = ranges[index] else { return true }
                guard slice > 0 else { return false }
                return range.contains(cuts[slice - 1])
            }
        }
    }

    var count: Int { periods.count }

    /// In how many periods a slice is at most.
    var mostPeriods: Int { periods.map(\.count).max() ?? 0 }

    func slice(of instant: Int64) -> Int {
        var (low, high) = (0, cuts.count)
        while low < high {
            let middle = (low + high) / 2
            if cuts[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The slice that all plays of an hour are in; nil where a cut lies inside.
    func slice(ofHour hour: Int64) -> Int? {
        let start = hour * 3_600_000
        let first = slice(of: start)
        return first == slice(of: start + 3_599_999) ? first : nil
    }
}
