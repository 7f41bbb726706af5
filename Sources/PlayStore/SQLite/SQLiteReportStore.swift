package import Archive
internal import PlaybackEvents
package import Reports
internal import SQLite

/// The embedded database as reports see it: read only, beside a server that writes to it.
package final class SQLiteReportStore: ReportStore {
    let connection: SQLiteConnection
    private let database: ReadOnlyDatabase
    private let loop: SQLiteRowLoop
    let reader: PlayColumnReader
    let dictionaries: PlayDictionaries

    /// Opens the database of a data directory.
    ///
    /// - Parameter patience: how long all questions may take together; nil: as long as they take.
    /// - Throws: ``SQLiteStoreError`` when there is none, or it is not ours.
    package convenience init(data: DataPaths, patience: Duration? = nil) throws {
        do {
            try self.init(ReadOnlyDatabase(data))
            if let patience { connection.limit(to: patience) }
        } catch let error as SQLiteError {
            throw SQLiteStoreError.unreadable(path: data.database, error)
        }
    }

    /// Opens a database that is there.
    ///
    /// - Throws: ``SQLiteStoreError`` when it is another application's or of another version, ``SQLiteError`` when there is none
    ///   or it can't be read.
    package convenience init(path: String) throws {
        try self.init(ReadOnlyDatabase(path: path))
    }

    private init(_ database: ReadOnlyDatabase) throws {
        self.database = database
        connection = database.connection
        loop = try SQLiteRowLoop(connection)
        reader = try PlayColumnReader(connection, loop: loop)
        dictionaries = PlayDictionaries(connection)
    }

    /// Lets several questions of one report see the same plays, while a server goes on writing.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try connection.execute("BEGIN")
        defer { connection.rollBack() }
        do {
            let result = try body()
            try database.checkUnchanged()
            return result
        } catch let error as SQLiteError {
            if error.isInterrupted { throw SQLiteStoreError.outOfPatience }
            // What a writer has half changed reads like damage.
            try database.checkUnchanged()
            throw error
        }
    }

    package func hours(in hours: ClosedRange<Int64>?) throws -> [StoredHour] {
        let rows = try connection.prepare(
            "SELECT hour, plays, last_arrival FROM hours WHERE hour BETWEEN ? AND ? AND plays > 0 ORDER BY hour")
        try rows.bind(1, hours?.lowerBound ?? .min)
        try rows.bind(2, hours?.upperBound ?? .max)
        var found: [StoredHour] = []
        while try rows.step() {
            let hour = StoredHour(number: rows.int(0), plays: rows.int(1), lastArrival: rows.int(2))
            guard PlayHour.possible.contains(hour.number), hour.plays <= PlayColumnReader.mostPlays else {
                throw SQLiteError.impossibleRow
            }
            found.append(hour)
        }
        return found
    }

    package func sums(_ question: SumsQuestion) throws -> [PeriodSums] {
        let slices = PeriodSlices(question.periods)
        let walk = try walk(question, slices, question.scope, views: SumsTally.views(slices))
        var tally = SumsTally(question, walk)
        return try tally.sums()
    }

    package func strata(_ question: SumsQuestion, by strata: [PlayDimension]) throws -> [[GroupKey: [StratumSums]]] {
        var tally = try StrataTally(question, walk(question, by: strata))
        return try tally.strata()
    }

    package func adjusted(
        _ question: SumsQuestion, by strata: [PlayDimension],
        weights: [[GroupKey: [GroupKey: ByMeasure<StratumWeights?>]]]
    ) throws -> [[GroupKey: ByMeasure<AdjustedSums>]] {
        var tally = try StrataTally(question, walk(question, by: strata))
        return try tally.adjusted(weights)
    }

    package func plays(byTag name: String, _ scope: PlayScope, in range: Range<Int64>?) throws -> [String: Int64] {
        // Where no play ever had the tag, nothing is read for it.
        let known = try connection.prepare(
            "SELECT EXISTS (SELECT 1 FROM tag_sets WHERE json_extract(tags, '$.\(name)') IS NOT NULL)")
        guard try known.step(), known.int(0) != 0 else { return [:] }
        var scope = scope
        scope.dimensions = [.tag(name)]
        let groups = try sums(SumsQuestion(scope, periods: [range])).first?.groups ?? []
        return groups.reduce(into: [:]) { plays, group in
            guard let value = group.key?.values.first?.description, value != scope.dimensions[0].absent else { return }
            plays[value] = group.totals[.plays]
        }
    }

    private func walk(_ question: SumsQuestion, by strata: [PlayDimension]) throws -> SessionWalk {
        var scope = question.scope
        scope.dimensions += strata
        return try walk(question, PeriodSlices(question.periods), scope, views: 0)
    }

    private func walk(_ question: SumsQuestion, _ slices: PeriodSlices, _ scope: PlayScope, views: Int) throws
        -> SessionWalk
    {
        var times: Range<Int64>?
        if !question.periods.contains(nil) {
            let ranges = question.periods.compactMap { $0 }
            let first = ranges.map(\.lowerBound).min() ?? 0
            times = first..<max(first, ranges.map(\.upperBound).max() ?? first)
        }
        let range = times.map { Reports.hours(of: $0) }
        return try SessionWalk(
            reader, dictionaries, scope, slices, hours: range, times: times, span: try span(of: range), views: views,
            needsSessions: !question.wantsTotalsAlone)
    }

    /// From the first hour that has plays to the last, ms since 1970.
    func span(of range: ClosedRange<Int64>?) throws -> Range<Int64> {
        let hours = try hours(in: range)
        return (hours.first?.number ?? 0) * 3_600_000..<((hours.last?.number ?? 0) + 1) * 3_600_000
    }

    package func deliveries(_ question: DeliveryQuestion) throws -> [[SenderSums]] {
        let span = try span(of: nil)
        return try DeliveryTally(question, connection, loop: loop, dictionaries, span: span).deliveries()
    }

    package func receipts(in hours: ClosedRange<Int64>?) throws -> ReceiptCounts {
        var counts = ReceiptCounts()
        let repeats = try connection.prepare(
            "SELECT coalesce(sum(duplicates), 0), coalesce(sum(conflicts), 0) FROM repeats WHERE hour BETWEEN ? AND ?")
        let rejections = try connection.prepare(
            "SELECT code, sum(events) FROM rejections WHERE hour BETWEEN ? AND ? GROUP BY code ORDER BY code")
        for rows in [repeats, rejections] {
            try rows.bind(1, hours?.lowerBound ?? .min)
            try rows.bind(2, hours?.upperBound ?? .max)
        }
        if try repeats.step() { (counts.duplicates, counts.conflicts) = (repeats.int(0), repeats.int(1)) }
        while try rejections.step() {
            counts.rejected.append(.init(code: rejections.text(0), events: rejections.int(1)))
        }
        return counts
    }

    package func marks() throws -> StoreMarks {
        var marks = StoreMarks(grow: true)
        let all = try connection.prepare("SELECT max(account), count(*), min(received_at) FROM sender_accounts")
        if try all.step() {
            (marks.lastReport, marks.reports, marks.firstReceipt) = (all.int(0), all.int(1), all.intOrNil(2))
        }
        let times = try connection.prepare(
            "SELECT min(received_at), max(received_at) FROM sender_accounts WHERE received_at >= 0")
        if try times.step(), let first = times.intOrNil(0), let last = times.intOrNil(1) {
            guard PlayHour.possible.contains(PlayHour(of: last).number) else { throw SQLiteError.impossibleRow }
            marks.receipts = first...last
        }
        return marks
    }

    package func play(arrival: Int64, hour: Int64) throws -> String? {
        let rows = try connection.prepare(
            "SELECT hex(play_id), ended_ms FROM play_rows WHERE hour = ? AND arrival = ?")
        try rows.bind(1, hour)
        try rows.bind(2, arrival)
        return try rows.step() ? "\(rows.text(0)) \(rows.int(1))" : nil
    }

    package func report(number: Int64) throws -> String? {
        let rows = try connection.prepare("SELECT sender_id, sequence, received_at FROM accounts WHERE account = ?")
        try rows.bind(1, number)
        return try rows.step() ? "\(rows.text(0)) \(rows.int(1)) \(rows.int(2))" : nil
    }

    package func firstReceipt(afterReport number: Int64) throws -> Int64? {
        let rows = try connection.prepare("SELECT min(received_at) FROM sender_accounts WHERE account > ?")
        try rows.bind(1, number)
        guard try rows.step(), let first = rows.intOrNil(0) else { return nil }
        guard PlayHour.possible.contains(PlayHour(of: first).number) else { throw SQLiteError.impossibleRow }
        return first
    }
}

extension SQLiteReportStore {
    /// - Complexity: some plays of a scope: a look at a few columns of each play in it, and reading the rows of the hours in
    ///   which chosen ones lie. A session: eight bytes a run of the store, a number for each session and hour, and the
    ///   rows of the hours in which it has plays or which have no columns yet.
    package func plays(_ question: PlaysQuestion) throws -> ChosenPlays {
        switch question.choice {
        case .worst, .sample: try PlayPicker(question).picked(reader, dictionaries, self)
        case .session(let id): try plays(ofSession: id, limit: question.limit)
        case .play(let id): try play(id)
        }
    }

    private func plays(ofSession id: String, limit: Int) throws -> ChosenPlays {
        let runs = try reader.runs(ofSession: id)
        guard !runs.isEmpty else { return ChosenPlays() }
        let list = runs.map { "\($0)" }.joined(separator: ", ")
        var records: [PlayRecord] = []
        for (hour, table) in try reader.positions(of: Set(runs)) {
            records += try self.records(of: table, "p.hour = \(hour) AND p.run IN (\(list))")
        }
        records.sort(by: PlayRecord.precedes)
        return ChosenPlays(plays: Array(records.prefix(limit)), total: Int64(records.count))
    }

    private func play(_ text: String) throws -> ChosenPlays {
        guard let id = Identifier128(uuidText: text) else { return ChosenPlays() }
        let literal = "x'\(id.hexadecimalText)'"
        for table in PlayTable.allCases {
            let find = try connection.prepare("SELECT 1 FROM \(table.rawValue) WHERE hour = ? AND play_id = \(literal)")
            for hour in try hours(in: nil) {
                find.reset()
                try find.bind(1, hour.number)
                guard try find.step() else { continue }
                let records = try records(of: table, "p.hour = \(hour.number) AND p.play_id = \(literal)")
                return ChosenPlays(plays: records, total: Int64(records.count))
            }
        }
        return ChosenPlays()
    }

    /// - Parameter condition: on the columns of the table, as `p`.
    func records(of table: PlayTable, _ condition: String) throws -> [PlayRecord] {
        let names = PlayField.allCases.map(\.rawValue).joined(separator: ", ")
        let rows = try connection.prepare("SELECT \(names) FROM (\(StoreSchema.plays(of: table)) WHERE \(condition))")
        var records: [PlayRecord] = []
        while try rows.step() {
            var record = PlayRecord()
            for (index, field) in PlayField.allCases.enumerated() {
                if field.isText {
                    record.set(field, rows.textOrNil(index))
                } else {
                    record.set(field, rows.intOrNil(index))
                }
            }
            records.append(record)
        }
        return records
    }
}
