internal import PlaybackEvents
package import Reports
internal import SQLite

extension SQLiteReportStore {
    /// - Complexity: a look at each entry of the dimension's dictionary.
    package func values(of dimension: PlayDimension, among wanted: [ByteText]?, most: Int) throws -> [ByteText] {
        if dimension == .endedBy {
            let names = Play.Ending.allCases.map { ByteText($0.name) }
            return names.filter { wanted?.contains($0) ?? true }
        }
        guard let (table, value) = dimension.source, most > 0 else { return [] }
        var condition = "\(value) IS NOT NULL"
        if let wanted { condition += " AND \(value) IN (\(wanted.map { _ in "?" }.joined(separator: ", ")))" }
        let rows = try connection.prepare(
            "SELECT DISTINCT \(value) FROM \(table) WHERE \(condition) LIMIT \(most)")
        for (index, text) in (wanted ?? []).enumerated() { try rows.bind(index + 1, text.description) }
        var values: [ByteText] = []
        while try rows.step() { values.append(ByteText(rows.bytes(0))) }
        return values
    }
}

extension SQLiteReportStore {
    /// - Complexity: reads the columns of the scope's dimensions and filters, and the times of plays.
    package func counts(_ scope: PlayScope, in times: Range<Int64>?) throws -> [GroupKey: Int64] {
        let hours = times.map { Reports.hours(of: $0) }
        var placer = PlayPlacer(scope, span: try span(of: hours), dictionaries)
        var counts: [Int64] = []
        let columns = placer.columns.union(.endedMs)
        try reader.narrow(to: times, columns: columns)
        try reader.forEachStretch(hours: hours, order: .forward, columns: columns, aliases: SessionAliases()) { plays in
            for index in 0..<plays.count {
                if let times, !times.contains(PlayPlacer.endedAt(index, plays)) { continue }
                let group = Int(try placer.group(of: index, in: plays))
                guard group >= 0 else { continue }
                while counts.count <= group { counts.append(0) }
                counts[group] += 1
            }
        }
        return Dictionary(uniqueKeysWithValues: counts.indices.map { (placer.key(of: $0), counts[$0]) })
    }
}

extension PlayDimension {
    /// The dictionary that has its values, and the expression for them; nil where there is none.
    fileprivate var source: (table: String, value: String)? {
        switch self {
        case .cdnRegion, .cdn, .network, .source: ("deliveries", column)
        case .appVersion, .osVersion, .deviceModel, .player: ("devices", column)
        case .videoId: ("videos", column)
        case .errorCode: ("errors", column)
        case .tag(let name): ("tag_sets", "json_extract(tags, '$.\(name)')")
        case .endedBy, .day, .hour: nil
        }
    }
}
