internal import ClickHouse
internal import PlaybackEvents
package import Reports

extension ClickHouseReportStore {
    package func plays(_ question: PlaysQuestion) throws -> ChosenPlays {
        var scope = question.scope
        scope.dimensions = []
        let condition: String
        let order: String
        switch question.choice {
        case .session(let id): return try plays(where: "session_id = \(SQLText.literal(id))", limit: question.limit)
        case .play(let id):
            guard let id = Identifier128(uuidText: id) else { return ChosenPlays() }
            return try plays(where: "play_id = toUUID('\(id.uuidText)')", limit: question.limit)
        case .worst(.startup): (condition, order) = ("startup_ms IS NOT NULL", "startup_ms DESC")
        case .worst(.stalls): (condition, order) = ("stalls > 0 AND \(ScopedPlays.started)", "stalled_ms DESC")
        case .worst(.failed): (condition, order) = (ScopedPlays.failed, "ended_at DESC")
        case .sample(let seed): (condition, order) = ("1 = 1", Self.hash(seed))
        }
        let conditions = try plays(scope, question.times).conditions(leavingOutDownloads: true) + [condition]
        let source = "FROM \(playTable) WHERE \(conditions.joined(separator: " AND "))"
        var chosen = ChosenPlays()
        try rows("SELECT count() \(source)") { chosen.total = $0.integer() }
        try rows("SELECT \(Self.fields) \(source) ORDER BY \(order), ended_at, arrival LIMIT \(question.limit)") {
            chosen.plays.append($0.play())
        }
        if case .sample = question.choice { chosen.plays.sort(by: PlayRecord.precedes) }
        return chosen
    }

    /// - Complexity: one column of the whole store, then the days on which something was found.
    private func plays(where condition: String, limit: Int) throws -> ChosenPlays {
        var days: ClosedRange<Int64>?
        try rows("SELECT count(), min(day), max(day) FROM \(layout.relation(.plays)) WHERE \(condition)") { row in
            let (count, first, last) = (row.integer(), row.integer(), row.integer())
            days = count > 0 ? first...last : nil
        }
        guard let days else { return ChosenPlays() }
        let source =
            "FROM \(playTable) WHERE day >= \(days.lowerBound) AND day <= \(days.upperBound) AND \(condition)"
        var chosen = ChosenPlays()
        try rows("SELECT count() \(source)") { chosen.total = $0.integer() }
        try rows("SELECT \(Self.fields) \(source) ORDER BY ended_at, arrival LIMIT \(limit)") {
            chosen.plays.append($0.play())
        }
        return chosen
    }

    private static let fields = PlayField.allCases.map { field in
        field == .playId ? "toString(play_id)" : field.rawValue
    }.joined(separator: ", ")

    /// ``PlayRank/order`` of a sample.
    private static func hash(_ seed: UInt64) -> String {
        let values = ["ended_at", "received_at", "coalesce(startup_ms, -1)", "watched_ms"]
        var hash = "toUInt64(\(seed &* PlayRank.factors[0]))"
        for (value, factor) in zip(values, PlayRank.factors.dropFirst()) {
            hash = "bitXor(\(hash), toUInt64(toInt64(\(value))) * toUInt64(\(factor)))"
        }
        for (index, step) in PlayRank.mixing.enumerated() {
            hash = "bitXor((\(hash) AS h\(index)), bitShiftRight(h\(index), \(step.shift))) * toUInt64(\(step.factor))"
        }
        return hash
    }

    package func counts(_ scope: PlayScope, in times: Range<Int64>?) throws -> [GroupKey: Int64] {
        let plays = try plays(scope, times)
        let names = plays.groupNames
        let by = names.isEmpty ? "" : " GROUP BY \(names.joined(separator: ", "))"
        var counts: [GroupKey: Int64] = [:]
        try rows("SELECT \((names + ["count()"]).joined(separator: ", ")) FROM (\n\(plays.query([]))\n)\(by)") { row in
            let key = row.key(names.count)
            counts[key] = row.integer()
        }
        return counts.filter { $0.value > 0 }
    }

    package func values(of dimension: PlayDimension, among wanted: [ByteText]?, most: Int) throws -> [ByteText] {
        guard dimension != .day, dimension != .hour, most > 0 else { return [] }
        var plays = try plays(PlayScope(ReportRequest(by: [])), 0..<1)
        plays.range = nil
        let value = plays.expression(dimension)
        var condition = "\(value) <> '\(dimension.absent)'"
        if let wanted {
            condition += " AND \(value) IN (\(wanted.map { SQLText.literal($0.description) }.joined(separator: ", ")))"
        }
        var values: [ByteText] = []
        // The first of several rows of a play stands, and the others are soon gone.
        let table = layout.relation(.plays)
        try rows("SELECT DISTINCT \(value) AS v FROM \(table) WHERE \(condition) LIMIT \(most)") {
            values.append($0.text())
        }
        return values
    }
}
