internal import Reports
internal import SQLite

/// Answers a question of deliveries from the senders' reports and the plays that came with them.
final class DeliveryTally {
    private let question: DeliveryQuestion
    private let connection: SQLiteConnection
    private let loop: SQLiteRowLoop
    private let dictionaries: PlayDictionaries
    private let span: Range<Int64>

    /// No play is placed further before its receipt than this, in hours.
    private static let longestAge: Int64 = 30 * 24

    /// - Parameter span: times that hold every play of the store, ms since 1970.
    init(
        _ question: DeliveryQuestion, _ connection: SQLiteConnection, loop: SQLiteRowLoop,
        _ dictionaries: PlayDictionaries, span: Range<Int64>
    ) {
        self.span = span
        self.question = question
        self.connection = connection
        self.loop = loop
        self.dictionaries = dictionaries
    }

    private typealias Report = HighestAccount.Report

    /// A sender in a period.
    private struct Slot {
        var period: Int
        var before: Report?
        var latest: Report
        var arrived: Int64 = 0
        /// The groups of its plays, -1 before the first and without a second.
        var group: Int32 = -1
        var other: Int32 = -1
        var isChosen = false

        init(period: Int, before: Report?, latest: Report) {
            (self.period, self.before, self.latest) = (period, before, latest)
        }

        /// Totals that fall make nothing: the sender began again under its name.
        func made(_ total: (Report) -> Int64) -> Int64 { max(0, total(latest) - (before.map(total) ?? 0)) }

        /// Notes the group of one of its plays.
        mutating func note(_ plays: borrowing PlayColumns, _ placer: inout PlayPlacer) throws {
            guard try !placer.isDownload(plays.context[0]) else { return }
            let group = try placer.groupNumber(0, plays)
            if self.group < 0 { self.group = group }
            if self.group != group { other = group }
            if try !isChosen && placer.isChosen(0, plays) { isChosen = true }
        }

        /// The same of plays of which the context alone is known, and all that the question asks about.
        mutating func note(_ context: UInt32, _ placer: inout PlayPlacer) throws {
            var plays = PlayColumns()
            plays.context = [Int32(truncatingIfNeeded: context)]
            plays.count = 1
            try note(plays, &placer)
        }
    }

    /// - Throws: what SQLite says.
    /// - Complexity: linear in the accounts received in the periods, and logarithmic in the others; where groups or filters
    ///   go by more than the CDN, the region, the network and the source, linear in the plays of those times too.
    func deliveries() throws -> [[SenderSums]] {
        var placer = PlayPlacer(question.scope, span: span, dictionaries)
        var (slots, requests) = try slots(&placer)
        try countPlays(&slots, requests, &placer)
        var groups = Array(repeating: [SenderSums.Group: SenderSums](), count: question.periods.count)
        for slot in slots where slot.isChosen || question.scope.filters.isEmpty {
            let group: SenderSums.Group =
                slot.other >= 0 ? .several : slot.group >= 0 ? .one(placer.key(of: Int(slot.group))) : .unknown
            groups[slot.period][group, default: SenderSums(group)].addSender(
                made: slot.made(\.made), arrived: slot.arrived, dropped: slot.made(\.dropped),
                rejected: slot.made(\.rejected))
        }
        return groups.map { Array($0.values) }
    }

    // MARK: Reports

    /// The senders of each period with their totals, and the requests of which only rows tell the rest.
    private func slots(_ placer: inout PlayPlacer) throws -> ([Slot], [Request]) {
        let before = try HighestAccount(connection)
        let contexts = placer.isByContext
        var slots: [Slot] = []
        var requests: [Request] = []
        var highest: [Int64: Report] = [:]
        var end: Int64?
        let first = try before.firstReceipt()
        for (number, range) in question.periods.enumerated().sorted(by: { $0.element.start < $1.element.start }) {
            // What a period before has read is known, as long as nothing lies between.
            if let end, end != range.start { highest.removeAll() }
            if range == nil { highest = try before.all() }
            let isComplete = range == nil || first >= range.start
            end = range?.upperBound ?? .max
            var positions: [Int64: Int] = [:]
            try forEachReport(in: range) { report, arrived in
                let position: Int
                if let known = positions[report.sender] {
                    position = known
                } else {
                    let last =
                        try highest[report.sender] ?? (isComplete ? nil : before.of(report.sender, before: range.start))
                    position = slots.count
                    positions[report.sender] = position
                    slots.append(Slot(period: number, before: last, latest: last ?? report))
                }
                if report.outdoes(slots[position].latest) { slots[position].latest = report }
                highest[report.sender] = slots[position].latest
                slots[position].arrived += arrived?.stored ?? 0
                if contexts, let arrived {
                    for context in arrived.contexts { try slots[position].note(context, &placer) }
                } else if let arrivals = report.arrivals {
                    requests.append(Request(arrivals: arrivals, slot: position, isCounted: arrived != nil))
                }
            }
        }
        return (slots, requests)
    }

    /// Visits the reports of a period in the order of their receipt.
    ///
    /// - Parameter visit: gets a report, and what is noted of the plays that came with it; nil where nothing is.
    private func forEachReport(in range: Range<Int64>?, _ visit: (Report, StoredAccount.Arrived?) throws -> Void) throws
    {
        // Pruning dates before 1970 what is there for later reports to be set against, and says nothing of its day.
        let rows = try connection.prepare(
            """
            SELECT \(Report.columns), first_arrival, arrivals, stored, contexts FROM sender_accounts
            WHERE received_at >= ? AND received_at < ? ORDER BY received_at, account
            """)
        try rows.bind(1, range.start)
        try rows.bind(2, range?.upperBound ?? .max)
        while try rows.step() {
            var report = try Report(rows)
            let (first, count) = (rows.int(7), rows.int(8))
            guard 0...1 << 60 ~= first, 0...1 << 40 ~= count else { throw SQLiteError.impossibleRow }
            if count > 0 { report.arrivals = first...first + count - 1 }
            let stored = rows.intOrNil(9)
            guard 0...1 << 40 ~= stored ?? 0 else { throw SQLiteError.impossibleRow }
            let arrived = stored.map {
                StoredAccount.Arrived(stored: $0, contexts: StoredAccount.Arrived.contexts(10, of: rows))
            }
            try visit(report, arrived)
        }
    }

    // MARK: Plays

    /// A request's plays, and whose they are.
    private struct Request {
        var arrivals: ClosedRange<Int64>
        var slot: Int
        /// How many of them have arrived is known.
        var isCounted: Bool
    }

    private func countPlays(_ slots: inout [Slot], _ requests: [Request], _ placer: inout PlayPlacer) throws {
        guard !requests.isEmpty else { return }
        let requests = requests.sorted { $0.arrivals.lowerBound < $1.arrivals.lowerBound }
        let finder = PeriodSlices(question.periods)
        var devices: [Int64: Int32] = [:]
        let device = try connection.prepare("SELECT device FROM runs WHERE id = ?")
        let columns = [
            "hour", "ended_ms", "lag_ms", "arrival", "delivery", "run", "error", "video", "tag_set", "flags",
        ]
        var plays = PlayColumns.one
        let hasDevice = placer.columns.contains(.device)
        for table in PlayTable.allCases {
            let condition =
                hoursOfPlays(table).map { " WHERE hour BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
            try loop.rows(columns, from: table.rawValue + condition) { row in
                guard PlayHour.possible.contains(row[0]), 0..<PlayHour.length ~= row[1], -1 << 54...1 << 54 ~= row[2]
                else { throw SQLiteError.impossibleRow }
                let receivedAt = row[0] * PlayHour.length + row[1] + row[2]
                guard let request = Self.request(of: row[3], requests),
                    finder.periods[finder.slice(of: receivedAt)].first == slots[request.slot].period
                else { return }
                let slot = request.slot
                if !request.isCounted { slots[slot].arrived += 1 }
                plays.hour = row[0]
                plays.endedMs[0] = Int32(truncatingIfNeeded: row[1])
                plays.context[0] = Int32(clamping: max(0, row[4]))
                plays.error[0] = Int32(clamping: max(0, row[6]))
                plays.video[0] = Int32(clamping: max(0, row[7]))
                plays.tags[0] = Int32(clamping: max(0, row[8]))
                plays.flags[0] = UInt8(truncatingIfNeeded: row[9])
                if hasDevice {
                    plays.device[0] = try devices[row[5]] ?? Self.device(of: row[5], device)
                    devices[row[5]] = plays.device[0]
                }
                try slots[slot].note(plays, &placer)
            }
        }
    }

    private static func device(of run: Int64, _ lookup: SQLiteStatement) throws -> Int32 {
        lookup.reset()
        try lookup.bind(1, run)
        return try lookup.step() ? Int32(clamping: max(0, lookup.int(0))) : 0
    }

    /// The hours of plays that may have come in the periods.
    private func hoursOfPlays(_ table: PlayTable) -> ClosedRange<Int64>? {
        guard !question.periods.contains(nil) else { return nil }
        let ranges = question.periods.compactMap { $0 }.map { hours(of: $0) }
        guard let first = ranges.map(\.lowerBound).min(), let last = ranges.map(\.upperBound).max() else { return nil }
        // A prompt play is received in its hour or the one after; a delayed one up to thirty days later.
        return first - (table == .prompt ? 2 : Self.longestAge + 1)...last
    }

    private static func request(of arrival: Int64, _ requests: [Request]) -> Request? {
        var (low, high) = (0, requests.count)
        while low < high {
            let middle = (low + high) / 2
            if requests[middle].arrivals.lowerBound <= arrival { low = middle + 1 } else { high = middle }
        }
        guard low > 0, requests[low - 1].arrivals.contains(arrival) else { return nil }
        return requests[low - 1]
    }
}

extension Range<Int64>? {
    /// Where receipts of the period begin, ms since 1970.
    fileprivate var start: Int64 { Swift.max(0, self?.lowerBound ?? 0) }
}

extension PlayColumns {
    /// Room for one play.
    fileprivate static var one: PlayColumns {
        var plays = PlayColumns()
        for path in [\PlayColumns.context, \.device, \.video, \.tags, \.error, \.endedMs] { plays[keyPath: path] = [0] }
        plays.flags = [0]
        plays.count = 1
        return plays
    }
}
