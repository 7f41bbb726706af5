internal import PlaybackEvents
package import Reports
internal import SQLite

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
        for (hour, table) in try reader.places(of: Set(runs)) {
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
