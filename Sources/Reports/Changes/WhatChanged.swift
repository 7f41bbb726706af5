/// Looks for plays that were bad more often on some days than on the same weekdays before.
///
/// A slice that contains another has its excess too: the smallest one that has most of it is named, and no other that shares
/// plays with it.
struct WhatChanged {
    static let dimensions: [PlayDimension] = [
        .cdnRegion, .cdn, .network, .appVersion, .osVersion, .deviceModel, .player,
    ]
    /// The weekdays before that a day is set against.
    static let weeks = 4
    /// Names of a slice at most, its error code among them.
    private static let mostNames = 3
    /// Of all that is looked at together: on a hundred quiet days one may name something.
    private static let level = 0.01
    private static let fewestBad: Int128 = 5
    private static let fewestSessions: Int64 = 20
    /// Lines at most.
    static let mostSlices = 5
    /// A part of a slice is named in its place when it has so much of the excess, and so much more than of what was expected.
    private static let (leastShare, leastGain, leastDeviation) = (0.75, 0.3, 3.0)

    let store: any ReportStore
    let request: ReportRequest
    let classes: ErrorClasses

    /// A slice on a day: bad plays by session, then and on each of the weekdays before that had plays.
    struct Cell {
        var filters: [PlayFilter]
        var code: String?
        var outcome: BadOutcome
        var now: RatioSums
        var days: [RatioSums]

        var before: RatioSums {
            var sums = RatioSums()
            for day in days { sums += day }
            return sums
        }

        /// - Parameter rate: where the slice itself has no weekday before.
        func expected(_ rate: Double) -> Double {
            let before = before
            return Double(now.base) * (before.hasBase(of: 5) ? Double(before.events) / Double(before.base) : rate)
        }

        var rate: Double { before.base > 0 ? Double(before.events) / Double(before.base) : 0 }

        var isDecidable: Bool {
            now.hasBase(of: WhatChanged.fewestSessions) && before.hasBase(of: WhatChanged.fewestSessions)
        }

        /// The probability of a rise like this by luck alone; nil where there is none.
        var p: Double? {
            guard now.events >= WhatChanged.fewestBad, let rate = now.ratio else { return nil }
            // Days differ by more than the luck of their sessions: it must be worse than every single one.
            guard days.allSatisfy({ ($0.ratio ?? 0) < rate }) else { return nil }
            let before = before
            if 2 * (now.events + before.events) > now.base + before.base {
                return LogRatioTest(ComparedSide(before.complement), ComparedSide(now.complement), covariance: 0).p
            }
            return LogRatioTest(ComparedSide(now), ComparedSide(before), covariance: 0).p
        }

        /// Whether the two can have a bad play in common.
        func overlaps(_ other: Cell) -> Bool {
            guard outcome == other.outcome else { return false }
            if let code, let theirs = other.code, code != theirs { return false }
            return !filters.contains { one in
                other.filters.contains { $0.dimension == one.dimension && $0 != one }
            }
        }
    }

    // MARK: Looking

    /// - Parameter days: in order.
    /// - Throws: what the store says.
    func slices(on days: [CalendarDay]) throws -> [ChangedSlice] {
        var cells: [CalendarDay: [Cell]] = [:]
        for dimension in Self.dimensions where isFree(dimension) {
            for (day, found) in try look(days, [], dimension) {
                // All plays are in every question; once is enough.
                let isFirst = cells[day] == nil
                cells[day, default: []] += isFirst ? found : found.filter { !$0.filters.isEmpty }
            }
        }
        let decidable = cells.values.reduce(0) { $0 + $1.count(where: \.isDecidable) }
        var slices: [ChangedSlice] = []
        for day in days.reversed() {
            let shown = (cells[day] ?? []).filter { cell in
                cell.isDecidable && cell.p.map { $0 <= Self.level / Double(max(1, decidable)) } == true
            }
            var told: [Cell] = []
            for cell in shown.sorted(by: Self.comesFirst) where slices.count < Self.mostSlices {
                guard !told.contains(where: { $0.overlaps(cell) }) else { continue }
                let smallest = try narrowed(cell, day, cells[day] ?? [])
                guard !told.contains(where: { $0.overlaps(smallest) }) else { continue }
                told.append(smallest)
                slices.append(try slice(smallest, p: cell.p ?? 0, day, cells[day] ?? []))
            }
        }
        return slices
    }

    /// The largest excess first; of slices of the same plays the one with the fewest names.
    private static func comesFirst(_ one: Cell, _ other: Cell) -> Bool {
        let (first, second) = (excess(one), excess(other))
        return first == second ? one.filters.count < other.filters.count : first > second
    }

    private static func excess(_ cell: Cell) -> Double { Double(cell.now.events) - cell.expected(cell.rate) }

    private func isFree(_ dimension: PlayDimension) -> Bool {
        !request.filters.contains { $0.dimension == dimension && !$0.isNegated }
    }

    /// The parts of a slice by a dimension, and the slice itself, with every outcome and error code.
    private func look(
        _ days: [CalendarDay], _ filters: [PlayFilter], _ dimension: PlayDimension
    ) throws -> [CalendarDay: [Cell]] {
        var scope = PlayScope(request)
        scope.dimensions = [dimension]
        scope.filters += filters
        let needed = Set(days.flatMap { day in (0...Self.weeks).map { day.advanced(by: -7 * $0) } }).sorted()
        let periods = ReportPeriod.days(needed, request.zone)
        let sums: [PeriodSums]
        do {
            sums = try store.sums(SumsQuestion(scope, periods: periods.map(\.range)))
        } catch let error as ReportLimitError where error != .time {
            // Nobody's names, but somebody's invention.
            return [:]
        }
        let byDay = Dictionary(uniqueKeysWithValues: zip(periods.map { $0.name ?? "" }, sums))
        var found: [CalendarDay: [Cell]] = [:]
        for day in days {
            guard let now = byDay[day.description], now.all.totals[.plays] > 0 else { continue }
            let before = (1...Self.weeks).compactMap { byDay[day.advanced(by: -7 * $0).description] }
                .filter { $0.all.totals[.plays] > 0 }
            guard !before.isEmpty else { continue }
            var cells = self.cells(filters, now.all, before.map(\.all))
            let ofDays = before.map { day in
                Dictionary(day.groups.map { ($0.key, $0) }) { one, _ in one }
            }
            for group in now.groups {
                guard let value = group.key?.values.first?.description else { continue }
                cells += self.cells(
                    filters + [PlayFilter(dimension, value)], group,
                    ofDays.map { $0[group.key] ?? GroupSums(key: group.key) })
            }
            found[day] = cells
        }
        return found
    }

    private func cells(_ filters: [PlayFilter], _ now: GroupSums, _ before: [GroupSums]) -> [Cell] {
        var cells = BadOutcome.allCases.map { outcome in
            let sums = { (group: GroupSums) in
                outcome == .failed ? group.failed(without: classes) : outcome.sums(group)
            }
            return Cell(filters: filters, outcome: outcome, now: sums(now), days: before.map(sums))
        }
        guard filters.count < Self.mostNames else { return cells }
        let codes = before.map { $0.failedByCode() }
        for (code, sums) in now.failedByCode() {
            let days = zip(before, codes).map { day, codes in
                var none = day.ratios[.failed]
                (none.events, none.products, none.eventSquares) = (0, 0, 0)
                return codes[code] ?? none
            }
            cells.append(Cell(filters: filters, code: code, outcome: .failed, now: sums, days: days))
        }
        return cells
    }

    // MARK: Narrowing

    /// The smallest part of a slice that has most of its excess, and nearly nothing else of what is bad.
    private func narrowed(_ start: Cell, _ day: CalendarDay, _ level: [Cell]) throws -> Cell {
        var cell = start
        var known = level
        while cell.filters.count + (cell.code == nil ? 0 : 1) < Self.mostNames {
            if !cell.filters.isEmpty {
                known = []
                for dimension in Self.dimensions
                where isFree(dimension) && !cell.filters.contains(where: { $0.dimension == dimension }) {
                    known += try look([day], cell.filters, dimension)[day] ?? []
                }
            }
            guard let part = Self.best(known, of: cell) else { break }
            cell = part
        }
        return cell
    }

    private static func best(_ parts: [Cell], of whole: Cell) -> Cell? {
        let (expected, excess) = (whole.expected(whole.rate), Self.excess(whole))
        guard excess > 0 else { return nil }
        var best: (gain: Double, part: Cell)?
        for part in parts where part.outcome == whole.outcome {
            let names = part.filters.count - whole.filters.count
            let isOneMore =
                names == 1 && part.code == whole.code || names == 0 && whole.code == nil && part.code != nil
            guard isOneMore else { continue }
            let expectedHere = part.expected(whole.rate)
            let share = (Double(part.now.events) - expectedHere) / excess
            let expectedShare = expected > 0 ? expectedHere / expected : Double(part.now.base) / Double(whole.now.base)
            let gain = share - expectedShare
            let luck = (Double(whole.now.events) * max(expectedShare, 1e-6) * (1 - min(1, expectedShare))).squareRoot()
            let deviation = Double(part.now.events) - Double(whole.now.events) * expectedShare
            guard share >= leastShare, gain >= leastGain, deviation >= leastDeviation * luck else { continue }
            // Of parts with the same plays, such as a CDN's only region, the first dimension's.
            if gain > (best?.gain ?? 0) + 1e-9 { best = (gain, part) }
        }
        return best?.part
    }

    // MARK: Telling

    private func slice(_ cell: Cell, p: Double, _ day: CalendarDay, _ known: [Cell]) throws -> ChangedSlice {
        let region = cell.filters.filter { $0.dimension == .cdnRegion }
        let isOffline = cell.code.map { classes.kind(of: $0) == .offline } == true
        let ofAll = known.first { $0.filters == region && $0.code == nil && $0.outcome == cell.outcome }
        // Viewers without a network are none of the failures that a region is asked about.
        let badOfAll = (ofAll?.now.events ?? 0) + (isOffline ? cell.now.events : 0)
        var slice = ChangedSlice(
            day: day, outcome: cell.outcome, filters: cell.filters, code: cell.code,
            kind: cell.code.map { classes.kind(of: $0) }, plays: Int64(cell.now.base), bad: Int64(cell.now.events),
            badOfAll: Int64(max(badOfAll, cell.now.events)), expected: cell.expected(cell.rate), p: p)
        var scope = PlayScope(request)
        scope.filters += cell.filters
        slice.hours = try WorstHours.find(
            store, scope, request.zone.range(from: day, to: day), cell.outcome.measure,
            isComplement: cell.outcome.isComplement, reference: cell.rate)
        return slice
    }
}

extension ReportMaker {
    /// What changed on the last days of a request, at most seven, against the same weekdays before.
    ///
    /// - Throws: ``ReportRequestError`` for a filter's value that no play has ever had; what the store says;
    ///   ``ReportLimitError/time``.
    package func changed(_ request: ReportRequest, _ classes: ErrorClasses = .standard) throws -> [ChangedSlice] {
        try store.snapshot {
            try checkFilters(request.filters)
            return try findChanged(request, classes)
        }
    }

    /// The same as a table for machines.
    ///
    /// - Throws: as ``changed(_:_:)``.
    package func changedTable(_ request: ReportRequest, _ classes: ErrorClasses = .standard) throws -> ReportTable {
        try store.snapshot {
            try checkFilters(request.filters)
            let slices = try findChanged(request, classes)
            var ungrouped = request
            ungrouped.dimensions = []
            return slices.table(request, asOf: try plays(ungrouped).asOf)
        }
    }

    func findChanged(_ request: ReportRequest, _ classes: ErrorClasses) throws -> [ChangedSlice] {
        var byDay = limited(request)
        byDay.isByDay = true
        let periods = try ReportPeriod.periods(of: byDay, in: store)
        let days = periods.compactMap { $0.name.flatMap { CalendarDay($0) } }.suffix(7)
        guard !days.isEmpty else { return [] }
        return try WhatChanged(store: store, request: byDay, classes: classes).slices(on: Array(days))
    }
}
