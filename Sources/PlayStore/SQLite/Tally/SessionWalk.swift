internal import Reports

/// Walks over the plays of a scope, session by session, in two looks.
///
/// The first goes backwards in time: it counts startup times, and notes for each stretch of a session's plays whether the
/// session comes again later. So the second, which goes forwards, knows a session's last hour, and gives the session away
/// after it: only sessions that are under way take memory.
struct SessionWalk {
    private let reader: PlayColumnReader
    private let aliases: SessionAliases
    private let hours: ClosedRange<Int64>?
    private let scope: PlayScope
    let slices: PeriodSlices
    private(set) var placer: PlayPlacer
    private var comesAgain = BitStack()
    private var startups = StartupCounts()
    private let dictionaries: PlayDictionaries

    // Of the second look.
    private var cells: SessionCells
    private let views: Int
    /// For each cell of group and slice and each view.
    private var thresholds: [SIMD8<Int32>] = []
    private(set) var downloads: [Int64]
    private(set) var totals = CellTotals()
    private var regionCounts: [PlayCount?] = []
    private var days: LocalDays
    private(set) var codes = DimensionValues(.errorCode)
    /// Plays with known memory so far.
    private var seen: Int64 = 0

    /// - Parameters:
    ///   - views: in how many rows a cell's startups are counted, at most.
    ///   - needsSessions: whether more than ``countTotals()`` will be wanted.
    ///   - times: times of plays outside of which none is wanted, ms since 1970; nil: all are.
    ///   - span: times that hold every play, ms since 1970.
    init(
        _ reader: PlayColumnReader, _ dictionaries: PlayDictionaries, _ scope: PlayScope, _ slices: PeriodSlices,
        hours: ClosedRange<Int64>?, times: Range<Int64>?, span: Range<Int64>, views: Int, needsSessions: Bool = true
    ) throws {
        self.reader = reader
        self.dictionaries = dictionaries
        self.scope = scope
        self.slices = slices
        self.hours = hours
        self.views = views
        placer = PlayPlacer(scope, span: span, dictionaries)
        try reader.narrow(to: times, columns: placer.columns.union(Self.columns))
        aliases = needsSessions ? try reader.aliases(hours: hours) : SessionAliases()
        cells = SessionCells(views: views)
        downloads = Array(repeating: 0, count: slices.count)
        days = LocalDays(zone: scope.zone)
    }

    /// The number of a group in a slice among all of them.
    func cell(group: Int, slice: Int) -> Int { group * slices.count + slice }

    /// The group of a play, and the slice that it is in; nil outside of them.
    @inline(__always)
    private mutating func position(_ index: Int, _ plays: borrowing PlayColumns, _ hourSlice: Int?) throws
        -> (group: Int32, slice: Int)?
    {
        let slice = hourSlice ?? slices.slice(of: PlayPlacer.endedAt(index, plays))
        guard !slices.periods[slice].isEmpty else { return nil }
        let group = try placer.group(of: index, in: plays)
        return group == PlayPlacer.outside ? nil : (group, slice)
    }

    private func slice(of plays: borrowing PlayColumns) -> Int? { slices.slice(ofHour: plays.hour) }

    // MARK: Backwards

    /// The plays of each cell of group and slice, as far as the first look counts them.
    private(set) var plays: [Int64] = []

    /// - Parameter countsPlays: whether ``plays`` are counted, too.
    /// - Returns: the startup times of each cell of group and slice.
    mutating func lookBack(countsPlays: Bool = false) throws -> [StartupHistogram] {
        var seen = SessionSet()
        try reader.forEachStretch(
            hours: hours, order: .backward, columns: placer.columns.union([.session, .startupMs, .endedMs]),
            aliases: aliases
        ) { plays in
            let hourSlice = slice(of: plays)
            var end = plays.count
            while end > 0 {
                let session = plays.session[end - 1]
                var start = end - 1
                while start > 0, session != 0, plays.session[start - 1] == session { start -= 1 }
                var isThere = false
                for index in start..<end {
                    guard let position = try position(index, plays, hourSlice), position.group >= 0 else { continue }
                    isThere = true
                    let cell = cell(group: Int(position.group), slice: position.slice)
                    if countsPlays { count(cell) }
                    let startup = plays.startupMs[index]
                    if startup >= 0 { startups.add(startup, cell: cell) }
                }
                if isThere, session != 0 { comesAgain.push(seen.insert(session)) }
                end = start
            }
        }
        try checkCells()
        let histograms = startups.histograms(cells: placer.groups * slices.count)
        startups = StartupCounts()
        return histograms
    }

    /// Each takes some 400 bytes: a quarter of a gigabyte.
    private static let mostCells = 600_000

    private func checkCells() throws {
        guard scope.mostGroups < .max, placer.groups * slices.count > Self.mostCells else { return }
        throw ReportLimitError.groups(most: max(1, Self.mostCells / slices.count))
    }

    private mutating func count(_ cell: Int) {
        while plays.count <= cell { plays.append(0) }
        plays[cell] += 1
    }

    // MARK: Forwards

    /// Gets a session whose last play has been seen, or a play without one: its first cell, from which the others are found.
    typealias Finish = (_ cells: borrowing SessionCells, _ head: Int32, _ isSession: Bool) -> Void

    /// - Parameters:
    ///   - thresholds: for each cell of group and slice and each view, the percentiles of the view's row, -1 for none.
    ///   - finish: gets each session once.
    mutating func lookForward(thresholds: [SIMD8<Int32>], _ finish: Finish) throws {
        self.thresholds = thresholds
        totals = CellTotals(cells: placer.groups * slices.count)
        try reader.forEachStretch(
            hours: hours, order: .forward, columns: placer.columns.union(Self.columns), aliases: aliases
        ) { plays in
            let hourSlice = slice(of: plays)
            var start = 0
            while start < plays.count {
                let session = plays.session[start]
                var end = start + 1
                while end < plays.count, session != 0, plays.session[end] == session { end += 1 }
                try add(start..<end, session, plays, hourSlice, finish)
                start = end
            }
        }
    }

    /// Adds up ``totals`` alone, in one look that tells no session from another.
    mutating func countTotals() throws {
        try reader.forEachStretch(
            hours: hours, order: .forward, columns: placer.columns.union(Self.columns), aliases: SessionAliases()
        ) { plays in
            let hourSlice = slice(of: plays)
            for index in 0..<plays.count {
                guard let position = try position(index, plays, hourSlice) else { continue }
                guard position.group >= 0 else {
                    downloads[position.slice] += 1
                    continue
                }
                let cell = cell(group: Int(position.group), slice: position.slice)
                totals.makeRoom(for: cell)
                try addTotals(CountedPlay(plays, index, targetMs: scope.targetMs), index, plays, to: cell)
            }
            try checkCells()
        }
        totals.makeRoom(for: placer.groups * slices.count - 1)
    }

    private static let columns: PlayColumns.Selection = [
        .session, .endedMs, .lagMs, .error, .startupMs, .stalls, .stalledMs, .watchedMs, .avgBitrate, .bytes, .waitedMs,
        .memoryBytes, .attempt, .accessLogStartupMs, .playerStalls, .playerStalledMs, .flags,
    ]

    private mutating func add(
        _ run: Range<Int>, _ session: Int32, _ plays: borrowing PlayColumns, _ hourSlice: Int?, _ finish: Finish
    ) throws {
        let known = session == 0 ? -1 : cells.head(of: session)
        var head = known
        var current: Int32 = -1
        var last: (group: Int32, slice: Int) = (-1, -1)
        for index in run {
            guard let position = try position(index, plays, hourSlice) else { continue }
            guard position.group >= 0 else {
                downloads[position.slice] += 1
                continue
            }
            if position != last {
                last = position
                current = cells.find(position.group, Int32(position.slice), from: head)
                if current < 0 {
                    current = cells.make(slice: Int32(position.slice), group: position.group, next: head)
                    head = current
                }
            }
            try add(index, plays, to: current, cell(group: Int(position.group), slice: position.slice))
        }
        guard current >= 0 else { return }
        if session != 0, comesAgain.pop() {
            cells.setHead(of: session, head)
            return
        }
        if known >= 0 { cells.setHead(of: session, -1) }
        finish(cells, head, session != 0)
        cells.release(from: head)
    }

    // MARK: One play

    @inline(__always)
    private mutating func regionCount(of context: Int) throws -> PlayCount {
        if context < regionCounts.count, let known = regionCounts[context] { return known }
        let count = try dictionaries.regionCount(of: Int64(context))
        guard context < PlayDictionaries.mostKept else { return count }
        while regionCounts.count <= context { regionCounts.append(nil) }
        regionCounts[context] = count
        return count
    }

    private mutating func add(
        _ index: Int, _ plays: borrowing PlayColumns, to cell: Int32, _ position: Int
    ) throws {
        let play = CountedPlay(plays, index, targetMs: scope.targetMs)
        if play.memoryBytes >= 0 { seen += 1 }
        cells.update(cell) { [seen] cell in
            cell.sums += play.sums
            if play.memoryBytes >= 0 { cell.memory.note(play.memoryBytes, endedAt: play.endedAt, order: seen) }
        }
        if play.startupMs >= 0 {
            for view in 0..<views {
                cells.count(play.startupMs, cell: cell, view: view, thresholds: thresholds[position * views + view])
            }
        }
        try addTotals(play, index, plays, to: position)
        if play.isFailed {
            let kind = TallyRows.FailureKind(
                code: try codes.number(of: plays.error[index], dictionaries), isAtStart: !play.isStarted)
            cells.count(kind, cell: cell)
        }
    }

    @inline(__always)
    private mutating func addTotals(
        _ play: CountedPlay, _ index: Int, _ plays: borrowing PlayColumns, to position: Int
    ) throws {
        let regionCount = try regionCount(of: Int(plays.context[index]))
        totals.add(play, regionCount: regionCount, hasSession: plays.session[index] != 0, to: position)
        // Received within an hour of its end, a play is never late.
        if play.lagMs > 3_600_000, play.endedAt + play.lagMs - days.range(of: play.endedAt).upperBound > 3_600_000 {
            totals.countLate(in: position)
        }
    }
}

/// How often each startup time occurs in each cell.
private struct StartupCounts {
    /// Times up to some seconds are counted in place, in pieces that are made when the first play comes. Small ones: most of
    /// many cells have few plays.
    private static let pieceBits = 7
    private static let pieces = 64
    private static let pieceSize = 1 << pieceBits

    private var piece: [Int32] = []
    private var counts: [Int32] = []
    private var far: [UInt64: Int32] = [:]

    @inline(__always)
    mutating func add(_ ms: Int32, cell: Int) {
        let number = Int(ms >> Int32(Self.pieceBits))
        guard number < Self.pieces else {
            far[UInt64(cell) << 32 | UInt64(ms), default: 0] += 1
            return
        }
        let slot = cell * Self.pieces + number
        if slot >= piece.count { piece += Array(repeating: -1, count: max(slot + 1 - piece.count, piece.count)) }
        if piece[slot] < 0 {
            piece[slot] = Int32(counts.count >> Self.pieceBits)
            counts += Array(repeating: 0, count: Self.pieceSize)
        }
        counts[Int(piece[slot]) << Self.pieceBits | Int(ms) & (Self.pieceSize - 1)] += 1
    }

    /// The histogram of each cell.
    func histograms(cells: Int) -> [StartupHistogram] {
        var bins: [[StartupHistogram.Bin]] = Array(repeating: [], count: cells)
        for slot in piece.indices where piece[slot] >= 0 {
            let (cell, start) = (slot / Self.pieces, (slot % Self.pieces) << Self.pieceBits)
            for position in 0..<Self.pieceSize {
                let plays = counts[Int(piece[slot]) << Self.pieceBits | position]
                if plays > 0 { bins[cell].append(.init(ms: Int64(start + position), plays: Int64(plays))) }
            }
        }
        for (key, plays) in far.sorted(by: { $0.key < $1.key }) {
            bins[Int(key >> 32)].append(.init(ms: Int64(key & 0xFFFF_FFFF), plays: Int64(plays)))
        }
        return bins.map { StartupHistogram($0) }
    }
}
