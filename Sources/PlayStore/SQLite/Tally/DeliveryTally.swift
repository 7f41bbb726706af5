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

    /// One request's running totals of its sender.
    private struct Report {
        var number: Int64
        var sender: Int
        var sequence: Int64
        var made: Int64
        var dropped: Int64
        var rejected: Int64
        var receivedAt: Int64
        var arrivals: ClosedRange<Int64>?

        func precedes(_ other: Report) -> Bool { (receivedAt, number) < (other.receivedAt, other.number) }

        /// Of two with one sequence the first received stands.
        func outdoes(_ other: Report) -> Bool {
            sequence != other.sequence ? sequence > other.sequence : precedes(other)
        }
    }

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

        /// Totals that fall make nothing: the sender began again under its name.
        func made(_ total: (Report) -> Int64) -> Int64 { max(0, total(latest) - (before.map(total) ?? 0)) }
    }

    /// - Throws: what SQLite says.
    func deliveries() throws -> [[SenderSums]] {
        var (slots, requests) = try slots()
        guard !slots.isEmpty else { return question.periods.map { _ in [] } }
        let placer = try countPlays(&slots, requests: &requests)
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

    private func slots() throws -> ([Slot], [Request]) {
        let end = question.periods.contains(nil) ? Int64.max : question.periods.compactMap { $0?.upperBound }.max() ?? 0
        var reports: [Report] = []
        let columns = [
            "account", "sender", "sequence", "made", "dropped", "rejected", "received_at", "first_arrival", "arrivals",
        ]
        try loop.rows(columns, from: "sender_accounts WHERE received_at < \(end)") { row in
            guard Self.isPossible(row) else { throw SQLiteError.impossibleRow }
            reports.append(
                Report(
                    number: row[0], sender: Int(row[1]), sequence: row[2], made: row[3], dropped: row[4],
                    rejected: row[5], receivedAt: row[6], arrivals: row[8] > 0 ? row[7]...row[7] + row[8] - 1 : nil))
        }
        let numbers = try numbers(of: reports)
        reports.sort { $0.precedes($1) }
        let finder = PeriodSlices(question.periods)
        var highest: [Int: Report] = [:]
        var slots: [Slot] = []
        var places: [SIMD2<Int>: Int] = [:]
        var requests: [Request] = []
        for report in reports {
            guard let sender = numbers[report.sender] else { continue }
            let before = highest[sender]
            let latest = before.map { report.outdoes($0) ? report : $0 } ?? report
            highest[sender] = latest
            // Pruning dates before 1970 what is there for later reports to be set against, and says nothing of its day.
            guard report.receivedAt >= 0, let period = finder.periods[finder.slice(of: report.receivedAt)].first else {
                continue
            }
            let number = places[SIMD2(period, sender)] ?? slots.count
            if number == slots.count {
                places[SIMD2(period, sender)] = number
                slots.append(Slot(period: period, before: before, latest: latest))
            }
            slots[number].latest = latest
            if let arrivals = report.arrivals { requests.append(Request(arrivals: arrivals, slot: number)) }
        }
        return (slots, requests)
    }

    /// Whether a row of `sender_accounts` has nothing that would not fit into sums, or that no account says.
    private static func isPossible(_ row: UnsafePointer<Int64>) -> Bool {
        let counts = (2...5).allSatisfy { 0...1 << 53 ~= row[$0] }
        return counts && PlayHour.possible.contains(PlayHour(of: row[6]).number) && 0...1 << 60 ~= row[7]
            && 0...1 << 40 ~= row[8]
    }

    /// One number for all entries of a name.
    private func numbers(of reports: [Report]) throws -> [Int: Int] {
        let wanted = Set(reports.map(\.sender))
        var names: [ByteText: Int] = [:]
        var numbers: [Int: Int] = [:]
        let rows = try connection.prepare("SELECT id, sender_id FROM senders")
        while try rows.step() {
            let id = Int(rows.int(0))
            guard wanted.contains(id) else { continue }
            let name = rows.withBytes(1) { ByteText($0) }
            let number = names[name] ?? names.count
            names[name] = number
            numbers[id] = number
        }
        return numbers
    }

    // MARK: Plays

    /// A request's plays, and whose they are.
    private struct Request {
        var arrivals: ClosedRange<Int64>
        var slot: Int
    }

    private func countPlays(_ slots: inout [Slot], requests: inout [Request]) throws -> PlayPlacer {
        requests.sort { $0.arrivals.lowerBound < $1.arrivals.lowerBound }
        var placer = PlayPlacer(question.scope, span: span, dictionaries)
        let finder = PeriodSlices(question.periods)
        var devices: [Int64: Int32] = [:]
        let device = try connection.prepare("SELECT device FROM runs WHERE id = ?")
        let columns = ["hour", "ended_ms", "lag_ms", "arrival", "delivery", "run", "error", "video", "tag_set"]
        var plays = PlayColumns()
        for path in [\PlayColumns.context, \.device, \.video, \.tags, \.error, \.endedMs] {
            plays[keyPath: path] = [0]
        }
        plays.count = 1
        let hasDevice = placer.columns.contains(.device)
        for table in PlayTable.allCases {
            let condition =
                hoursOfPlays(table).map { " WHERE hour BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
            try loop.rows(columns, from: table.rawValue + condition) { row in
                guard PlayHour.possible.contains(row[0]), 0..<PlayHour.length ~= row[1], -1 << 54...1 << 54 ~= row[2]
                else { throw SQLiteError.impossibleRow }
                let receivedAt = row[0] * PlayHour.length + row[1] + row[2]
                guard let slot = Self.slot(of: row[3], requests),
                    finder.periods[finder.slice(of: receivedAt)].first
                        == slots[slot].period
                else { return }
                slots[slot].arrived += 1
                plays.hour = row[0]
                plays.endedMs[0] = Int32(truncatingIfNeeded: row[1])
                plays.context[0] = Int32(clamping: max(0, row[4]))
                plays.error[0] = Int32(clamping: max(0, row[6]))
                plays.video[0] = Int32(clamping: max(0, row[7]))
                plays.tags[0] = Int32(clamping: max(0, row[8]))
                if hasDevice {
                    plays.device[0] = try devices[row[5]] ?? Self.device(of: row[5], device)
                    devices[row[5]] = plays.device[0]
                }
                guard try !placer.isDownload(plays.context[0]) else { return }
                let group = try placer.groupNumber(0, plays)
                if slots[slot].group < 0 { slots[slot].group = group }
                if slots[slot].group != group { slots[slot].other = group }
                if try !slots[slot].isChosen && placer.isChosen(0, plays) { slots[slot].isChosen = true }
            }
        }
        return placer
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

    private static func slot(of arrival: Int64, _ requests: [Request]) -> Int? {
        var (low, high) = (0, requests.count)
        while low < high {
            let middle = (low + high) / 2
            if requests[middle].arrivals.lowerBound <= arrival { low = middle + 1 } else { high = middle }
        }
        guard low > 0, requests[low - 1].arrivals.contains(arrival) else { return nil }
        return requests[low - 1].slot
    }
}
