package import ClickHouse
internal import PlayStore
package import Reports

/// A ClickHouse store as reports see it: each question is answered where the plays are, and whole numbers come back.
package final class ClickHouseReportStore: ReportStore {
    private let client: ClickHouseClient
    let layout: ClickHouseLayout
    private let bounds: ClickHouseSettings.Bounds
    /// When the last query has to be done; nil: each has the time that the URL says.
    private let deadline: ContinuousClock.Instant?
    private var isChecked = false

    /// No play is placed further before its receipt than this: 30 days, in ms.
    private static let longestAge: Int64 = 30 * 86_400_000

    /// - Parameter patience: how long all queries may take together; nil: each as long as the URL says.
    package init(_ client: ClickHouseClient, patience: Duration? = nil) {
        self.client = client
        layout = ClickHouseLayout(client)
        deadline = patience.map { .now + $0 }
        var bounds = ClickHouseSettings.Bounds()
        bounds.rows = client.url.rows
        bounds.seconds = client.url.seconds
        // Beside a server that takes plays in.
        if deadline != nil { bounds.responseBytes = 256 << 20 }
        self.bounds = bounds
    }

    /// ClickHouse has no snapshot over queries.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try body() }

    func rows(_ sql: String, _ visit: (inout RowReader) throws -> Void) throws {
        if !isChecked {
            try layout.check()
            isChecked = true
        }
        var bounds = bounds
        if let deadline {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw SQLiteStoreError.outOfPatience }
            bounds.seconds = max(1, left.components.seconds)
        }
        do {
            try client.query(sql, within: bounds) { row in
                var reader = RowReader(row)
                try visit(&reader)
            }
        } catch let error as ClickHouseError where deadline != nil && error.isOutOfBounds {
            throw SQLiteStoreError.outOfPatience
        }
    }

    var playTable: String { "\(layout.relation(.plays)) FINAL" }

    package func hours(in hours: ClosedRange<Int64>?) throws -> [StoredHour] {
        let condition = hours.map { range in
            let days = PlayHour.day(ofHour: range.lowerBound)...PlayHour.day(ofHour: range.upperBound)
            return " WHERE day >= \(days.lowerBound) AND day <= \(days.upperBound) AND hour >= \(range.lowerBound) "
                + "AND hour <= \(range.upperBound)"
        }
        var found: [StoredHour] = []
        try rows(
            "SELECT hour, count(), max(arrival) FROM \(playTable)\(condition ?? "") GROUP BY hour ORDER BY hour"
        ) { found.append(StoredHour(number: $0.integer(), plays: $0.integer(), lastArrival: $0.integer())) }
        return found
    }

    // MARK: Sums

    /// The plays of a period; without a range, of the hours that the store has.
    func plays(_ scope: PlayScope, _ range: Range<Int64>?, strata: [PlayDimension] = []) throws -> ScopedPlays {
        let span = try range ?? self.span()
        var plays = ScopedPlays(scope: scope, source: playTable, range: range, span: span)
        plays.strata = strata
        return plays
    }

    private func span() throws -> Range<Int64> {
        let hours = try hours(in: nil)
        return (hours.first?.number ?? 0) * 3_600_000..<((hours.last?.number ?? 0) + 1) * 3_600_000
    }

    package func sums(_ question: SumsQuestion) throws -> [PeriodSums] {
        let isGrouped = !question.scope.dimensions.isEmpty
        let plays = try question.periods.map { try self.plays(question.scope, $0) }
        return try plays.enumerated().map { period, plays in
            var plays = plays
            if isGrouped { plays.named = try named(plays) }
            var sums = PeriodSums()
            let groups = try self.groups(plays, isGrouped: isGrouped)
            sums.all = GroupSums(key: nil)
            for group in groups.values {
                sums.all.totals += group.totals
                sums.all.data.estimatedBytes += group.data.estimatedBytes
            }
            sums.all.startups = StartupHistogram(merging: groups.values.map(\.startups))
            var alone: [GroupKey: GroupSums] = [GroupKey([]): sums.all]
            let leavesOut = question.leavesOutSharedSessions && isGrouped
            try addSessions(plays, isGrouped: false, leavesOut, question.percents, to: &alone)
            if case .periods? = question.otherSide {
                try addCross(question, period, plays, others: question.periods, isGrouped: false, to: &alone)
            }
            sums.all = alone[GroupKey([])] ?? sums.all
            if isGrouped {
                var groups = groups
                try addSessions(plays, isGrouped: true, leavesOut, question.percents, to: &groups)
                if leavesOut {
                    try rows(SumsSQL(plays: plays, isGrouped: true).sharedCount) { sums.sharedSessions = $0.integer() }
                }
                try addCross(question, period, plays, others: question.periods, isGrouped: true, to: &groups)
                sums.groups = Array(groups.values)
            }
            if question.scope.leavesOutDownloads {
                let conditions = plays.conditions(leavingOutDownloads: false).joined(separator: " AND ")
                try rows("SELECT count() FROM \(playTable) WHERE \(conditions)") { sums.downloads = $0.integer() }
            }
            return sums
        }
    }

    /// The groups with the most plays; nil where they need not be chosen.
    private func named(_ plays: ScopedPlays) throws -> [GroupKey]? {
        let most = plays.scope.mostNamed
        guard most < .max else { return nil }
        let names = plays.groupNames.joined(separator: ", ")
        var keys: [GroupKey] = []
        try rows(
            "SELECT \(names) FROM (\n\(plays.query([]))\n) GROUP BY \(names) "
                + "ORDER BY count() DESC, \(names) LIMIT \(most + 1)"
        ) { keys.append($0.key(plays.scope.dimensions.count)) }
        return keys.count > most ? Array(keys.prefix(most)) : nil
    }

    /// The groups of a period with totals and startups.
    private func groups(_ plays: ScopedPlays, isGrouped: Bool) throws -> [GroupKey: GroupSums] {
        let sql = SumsSQL(plays: plays, isGrouped: isGrouped)
        let dimensions = isGrouped ? plays.scope.dimensions.count : 0
        var groups: [GroupKey: GroupSums] = [:]
        try rows(sql.totals) { row in
            let key = row.key(dimensions)
            var group = GroupSums(key: key)
            (group.totals, group.data.estimatedBytes) = SumsSQL.readTotals(&row)
            // Without a group there is one row all the same, of no plays.
            if group.totals[.plays] > 0 { groups[key] = group }
            guard groups.count <= plays.scope.mostGroups else {
                throw ReportLimitError.groups(most: plays.scope.mostGroups)
            }
        }
        var bins: [GroupKey: [StartupHistogram.Bin]] = [:]
        try rows(sql.startups) { row in
            bins[row.key(dimensions), default: []].append(.init(ms: row.integer(), plays: row.integer()))
        }
        for (key, bins) in bins { groups[key]?.startups = StartupHistogram(bins) }
        return groups
    }

    private func addSessions(
        _ plays: ScopedPlays, isGrouped: Bool, _ leavesOutShared: Bool, _ percents: [Int64],
        to groups: inout [GroupKey: GroupSums]
    ) throws {
        let sql = SumsSQL(plays: plays, isGrouped: isGrouped, leavesOutShared: leavesOutShared)
        let dimensions = isGrouped ? plays.scope.dimensions.count : 0
        let thresholds = percents.map { Self.thresholds(groups, $0, isGrouped ? plays.groupNames : []) }
        try rows(sql.sums(atMost: thresholds)) { row in
            let key = row.key(dimensions)
            guard var group = groups[key] else { return }
            SumsSQL.readSums(&row, percents: percents.count, into: &group)
            groups[key] = group
        }
        try rows(sql.failures) { row in
            let key = row.key(dimensions)
            groups[key]?.failures.append(SumsSQL.readFailure(&row))
        }
        for key in groups.keys { groups[key]?.failures.sort { $0.precedes($1) } }
    }

    /// The percentile of a play's group.
    private static func thresholds(_ groups: [GroupKey: GroupSums], _ percent: Int64, _ names: [String]) -> String {
        let known = groups.compactMap { key, sums in sums.startups.percentile(percent).map { (key, $0) } }
        guard !known.isEmpty else { return "toInt64(-1)" }
        guard !names.isEmpty else { return "toInt64(\(known[0].1))" }
        return ScopedPlays.lookup(ScopedPlays.key(of: names), known.map { ($0.0, "\($0.1)") }, "toInt64")
    }

    private func addCross(
        _ question: SumsQuestion, _ period: Int, _ plays: ScopedPlays, others: [Range<Int64>?],
        isGrouped: Bool, to groups: inout [GroupKey: GroupSums]
    ) throws {
        guard let otherSide = question.otherSide else { return }
        for key in groups.keys { groups[key]?.cross = ByMeasure { _ in CrossSums() } }
        let sql = SumsSQL(plays: plays, isGrouped: isGrouped)
        switch otherSide {
        case .rest:
            let keys = Dictionary(
                uniqueKeysWithValues: groups.keys.map { (ByteText(ScopedPlays.key(of: $0)), $0) })
            try rows(sql.crossWithRest) { row in
                if let key = keys[row.text()] { groups[key]?.cross = SumsSQL.readCross(&row) }
            }
        case .periods(let indices):
            guard let index = indices[period] else { return }
            let other = SumsSQL(plays: try self.plays(question.scope, others[index]), isGrouped: isGrouped)
            try rows(sql.cross(with: other)) { row in
                let key = row.key(isGrouped ? question.scope.dimensions.count : 0)
                groups[key]?.cross = SumsSQL.readCross(&row)
            }
        }
    }

    // MARK: Strata

    package func strata(_ question: SumsQuestion, by strata: [PlayDimension]) throws -> [[GroupKey: [StratumSums]]] {
        let dimensions = question.scope.dimensions.count
        var plain: [[GroupKey: [GroupKey: StrataSQL.PlainRow]]] = []
        var sessions: [[GroupKey: ByMeasure<Int64>]] = []
        for range in question.periods {
            let sql = StrataSQL(plays: try plays(question.scope, range, strata: strata))
            var groups: [GroupKey: [GroupKey: StrataSQL.PlainRow]] = [:]
            try rows(sql.plain) { row in
                let (group, stratum) = (row.key(dimensions), row.key(strata.count))
                groups[group, default: [:]][stratum] = StrataSQL.readPlain(&row)
            }
            plain.append(groups)
            var all: [GroupKey: ByMeasure<Int64>] = [:]
            try rows(sql.sessionsOfStrata) { row in
                let stratum = row.key(strata.count)
                all[stratum] = StrataSQL.readSessions(&row)
            }
            sessions.append(all)
        }
        return plain.enumerated().map { period, groups in
            Dictionary(
                uniqueKeysWithValues: groups.map { group, own in
                    (
                        group,
                        own.map { stratum, row in
                            var sums = StratumSums(stratum)
                            sums.own = row.own
                            sums.other = ByMeasure { measure in
                                self.other(question, plain, sessions, period, group, stratum, row, measure)
                            }
                            return sums
                        }
                    )
                })
        }
    }

    private func other(
        _ question: SumsQuestion, _ plain: [[GroupKey: [GroupKey: StrataSQL.PlainRow]]],
        _ sessions: [[GroupKey: ByMeasure<Int64>]], _ period: Int, _ group: GroupKey, _ stratum: GroupKey,
        _ row: StrataSQL.PlainRow, _ measure: Measure
    ) -> StratumSums.Part {
        if case .periods(let indices) = question.otherSide {
            return indices[period].flatMap { plain[$0][group]?[stratum]?.own[measure] } ?? .init()
        }
        var rest = StratumSums.Part()
        for (other, strata) in plain[period] where other != group {
            rest.base += strata[stratum]?.own[measure].base ?? 0
            rest.events += strata[stratum]?.own[measure].events ?? 0
        }
        rest.sessions = (sessions[period][stratum]?[measure] ?? 0) - row.alone[measure]
        return rest
    }

    package func adjusted(
        _ question: SumsQuestion, by strata: [PlayDimension],
        weights: [[GroupKey: [GroupKey: ByMeasure<StratumWeights?>]]]
    ) throws -> [[GroupKey: ByMeasure<AdjustedSums>]] {
        try weights.enumerated().map { period, groups in
            let sql = StrataSQL(plays: try plays(question.scope, question.periods[period], strata: strata))
            var other: StrataSQL?
            if case .periods(let indices) = question.otherSide, let index = indices[period] {
                other = StrataSQL(plays: try plays(question.scope, question.periods[index], strata: strata))
            }
            var sums: [GroupKey: ByMeasure<AdjustedSums>] = [:]
            for (group, weights) in groups {
                try rows(sql.adjusted(group, weights, other: other)) { sums[group] = StrataSQL.readAdjusted(&$0) }
            }
            return sums
        }
    }

    package func plays(byTag name: String, _ scope: PlayScope, in range: Range<Int64>?) throws -> [String: Int64] {
        let plays = try plays(scope, range)
        let dimension = PlayDimension.tag(name)
        let values = plays.query(
            ["\(plays.expression(dimension)) AS value"], isGrouped: false, where: "tags IS NOT NULL")
        var found: [String: Int64] = [:]
        try rows("SELECT value, count() FROM (\(values)) GROUP BY value") { row in
            let (value, count) = (row.text().description, row.integer())
            if value != dimension.absent { found[value] = count }
            guard found.count <= scope.mostGroups else { throw ReportLimitError.groups(most: scope.mostGroups) }
        }
        return found
    }

    // MARK: Beside the plays

    package func deliveries(_ question: DeliveryQuestion) throws -> [[SenderSums]] {
        let firstReceipt = try firstReceipt()
        return try question.periods.map { period in
            let range = period.map { $0.lowerBound - Self.longestAge..<$0.upperBound }
            var plays = try plays(question.scope, range)
            plays.received = period
            let sql = DeliverySQL(
                plays: plays, reports: "\(layout.relation(.accounts)) FINAL",
                pruned: "\(layout.relation(.pruned)) FINAL", firstReceipt: firstReceipt, period: period)
            var groups: [SenderSums] = []
            try rows(sql.groups) { groups.append(DeliverySQL.read(&$0, dimensions: question.scope.dimensions.count)) }
            return groups
        }
    }

    /// Where the days begin that stay, ms since 1970; 0 where none were removed.
    private func firstReceipt() throws -> Int64 {
        var day: Int64 = 0
        // Without a row the maximum is 0.
        try rows("SELECT max(day) FROM \(layout.relation(.prunings))") { day = $0.integer() }
        return max(0, day) * 24 * PlayHour.length
    }

    package func receipts(in hours: ClosedRange<Int64>?) throws -> ReceiptCounts {
        let condition = hours.map { " WHERE hour >= \($0.lowerBound) AND hour <= \($0.upperBound)" } ?? ""
        var counts = ReceiptCounts()
        // A play lies at most thirty days before its receipt.
        let days = hours.map { PlayHour.day(ofHour: $0.lowerBound) - 31...PlayHour.day(ofHour: $0.upperBound) + 1 }
        try rows("SELECT sum(duplicates), sum(conflicts) FROM (\n\(layout.schema.repeats(in: days))\n)\(condition)") {
            (counts.duplicates, counts.conflicts) = ($0.integer(), $0.integer())
        }
        let rejections = "SELECT code, sum(events) FROM \(layout.relation(.rejections)) FINAL\(condition) "
        try rows(rejections + "GROUP BY code ORDER BY code") {
            counts.rejected.append(.init(code: $0.text().description, events: $0.integer()))
        }
        return counts
    }

    /// A chunk that is being posted is there in parts, by shards, days and copies: what comes last may have a lower number
    /// than what was seen, and with several servers that is so anyway.
    package func marks() throws -> StoreMarks {
        var marks = StoreMarks(grow: false)
        let reports = "FROM \(layout.relation(.accounts))"
        try rows("SELECT max(account), count(), min(received_at) \(reports) FINAL") { row in
            (marks.lastReport, marks.reports) = (row.integer(), row.integer())
            marks.firstReceipt = marks.reports > 0 ? row.integer() : nil
        }
        try rows(
            "SELECT count(), min(received_at), max(received_at) \(reports) WHERE received_at >= \(firstReceipt())"
        ) { row in
            let (count, first, last) = (row.integer(), row.integer(), row.integer())
            if count > 0 { marks.receipts = first...last }
        }
        return marks
    }

    package func play(arrival: Int64, hour: Int64) throws -> String? {
        var play: String?
        let day = PlayHour.day(ofHour: hour)
        try rows(
            "SELECT toString(play_id), ended_at FROM \(playTable) WHERE day = \(day) AND hour = \(hour) "
                + "AND arrival = \(arrival)"
        ) { play = "\($0.text()) \($0.integer())" }
        return play
    }

    package func report(number: Int64) throws -> String? {
        var report: String?
        try rows(
            "SELECT sender_id, sequence, received_at FROM \(layout.relation(.accounts)) FINAL WHERE account = \(number)"
        ) { report = "\($0.text()) \($0.integer()) \($0.integer())" }
        return report
    }

    package func firstReceipt(afterReport number: Int64) throws -> Int64? {
        var first: Int64?
        try rows("SELECT count(), min(received_at) FROM \(layout.relation(.accounts)) WHERE account > \(number)") {
            row in
            let (count, time) = (row.integer(), row.integer())
            first = count > 0 ? time : nil
        }
        return first
    }
}
