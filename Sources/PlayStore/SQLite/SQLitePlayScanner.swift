internal import Reports
internal import SQLite

/// Reads the rows of plays as they are stored, and looks texts up by their entries in the dictionaries.
final class SQLitePlayScanner: PlayScanner {
    private let connection: SQLiteConnection
    private var lookups: [String: SQLiteStatement] = [:]
    /// By entry of `deliveries`: 0 is not looked up yet, 1 no source, then one more than the number of the source.
    private var regionSources: [UInt8] = []

    init(connection: SQLiteConnection) {
        self.connection = connection
    }

    private static let places: [PlayColumn] = [.hour, .endedMs, .lagMs, .arrival, .delivery, .run, .error]
    private static let figures: [PlayColumn] = [
        .flags, .startupMs, .stalls, .stalledMs, .watchedMs, .avgBitrate, .bytes, .waitedMs, .memoryBytes, .attempt,
        .accessLogStartupMs,
    ]

    func scan(
        _ hours: ClosedRange<Int64>?, _ parts: ScannedPlay.Parts, _ visit: (ScannedPlay) throws -> Void
    ) throws {
        var columns = Self.places + (parts.contains(.figures) ? Self.figures : [])
        let video = parts.contains(.video) ? columns.count : nil
        if video != nil { columns.append(.video) }
        let tags = parts.contains(.tags) ? columns.count : nil
        if tags != nil { columns.append(.tagSet) }
        let list = columns.map(\.name).joined(separator: ", ")
        for table in PlayTable.allCases {
            let condition = hours.map { " WHERE hour BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
            let rows = try connection.prepare(
                "SELECT \(list) FROM \(table.rawValue)\(condition) ORDER BY hour, play_id")
            while try rows.step() {
                var play = ScannedPlay()
                Self.readPlaces(rows, into: &play)
                if parts.contains(.figures) { Self.readFigures(rows, into: &play) }
                if let video { play.video = rows.int(video) }
                if let tags { play.tags = rows.int(tags) }
                try visit(play)
            }
        }
    }

    private static func readPlaces(_ row: SQLiteStatement, into play: inout ScannedPlay) {
        play.endedAt = row.int(0) * 3_600_000 + row.int(1)
        play.receivedAt = play.endedAt + row.int(2)
        play.arrival = row.int(3)
        // NULL comes as 0, which is no entry.
        play.delivery = row.int(4)
        play.run = row.int(5)
        play.error = row.int(6)
    }

    private static func readFigures(_ row: SQLiteStatement, into play: inout ScannedPlay) {
        // NULL comes as 0 too, so only a 0 needs a second look.
        func orAbsent(_ column: Int) -> Int64 {
            let value = row.int(column)
            return value == 0 && row.isNull(column) ? -1 : value
        }
        let flags = row.int(7)
        play.clockSkewed = flags & 1 != 0
        play.isPlayIdMade = flags & 2 != 0
        play.startupMs = orAbsent(8)
        play.stalls = row.int(9)
        play.stalledMs = row.int(10)
        play.watchedMs = row.int(11)
        play.avgBitrate = orAbsent(12)
        play.bytes = orAbsent(13)
        play.waitedMs = orAbsent(14)
        play.memoryBytes = orAbsent(15)
        play.attempt = orAbsent(16)
        play.accessLogStartupMs = orAbsent(17)
    }

    // MARK: Dictionaries

    func value(of dimension: PlayDimension, in entry: Int64) throws -> ByteText? {
        switch dimension {
        case .cdnRegion, .cdn, .network, .source:
            try text("SELECT \(dimension.column) FROM deliveries WHERE id = ?", entry)
        case .appVersion, .osVersion, .deviceModel, .player:
            try text(
                "SELECT \(dimension.column) FROM devices WHERE id = (SELECT device FROM runs WHERE id = ?)", entry)
        case .videoId: try text("SELECT video_id FROM videos WHERE id = ?", entry)
        case .errorCode: try text("SELECT error_code FROM errors WHERE id = ?", entry)
        case .tag(let name): try text("SELECT json_extract(tags, '$.\(name)') FROM tag_sets WHERE id = ?", entry)
        case .day, .hour: nil
        }
    }

    func session(in entry: Int64) throws -> ByteText? {
        try text("SELECT session_id FROM runs WHERE id = ?", entry)
    }

    func regionSource(in entry: Int64) throws -> ScannedPlay.RegionSource? {
        let index = Int(entry)
        while regionSources.count <= index { regionSources.append(0) }
        if regionSources[index] == 0 {
            let lookup = try lookup("SELECT region_from FROM deliveries WHERE id = ?", entry)
            defer { lookup.reset() }
            regionSources[index] = try lookup.step() ? UInt8(truncatingIfNeeded: lookup.int(0) + 1) : 1
        }
        return switch regionSources[index] {
        case 2: .event
        case 3: .context
        case 4: .header
        default: nil
        }
    }

    private func lookup(_ sql: String, _ entry: Int64) throws(SQLiteError) -> SQLiteStatement {
        let statement: SQLiteStatement
        if let known = lookups[sql] {
            statement = known
        } else {
            statement = try connection.prepare(sql)
            lookups[sql] = statement
        }
        try statement.bind(1, entry)
        return statement
    }

    private func text(_ sql: String, _ entry: Int64) throws -> ByteText? {
        let lookup = try lookup(sql, entry)
        defer { lookup.reset() }
        guard try lookup.step(), !lookup.isNull(0) else { return nil }
        return lookup.withBytes(0) { ByteText($0) }
    }
}
