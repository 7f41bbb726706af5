internal import Reports
internal import SQLite

/// Reads the rows of plays as they are stored, and looks texts up by their entries in the dictionaries.
final class SQLitePlayScanner: PlayScanner {
    private let connection: SQLiteConnection
    private let loop: SQLiteRowLoop
    private var lookups: [String: SQLiteStatement] = [:]
    /// Another one that sees the same plays, for as long as they stay the same.
    var companion: SQLitePlayScanner?

    /// Fewer plays are not worth a second thread, which takes as long to begin as some thousand to be counted.
    private let fewestForTwo: Int64

    init(connection: SQLiteConnection, fewestForTwo: Int64) throws(SQLiteError) {
        self.connection = connection
        self.fewestForTwo = fewestForTwo
        loop = try SQLiteRowLoop(connection)
    }

    private static let places: [PlayColumn] = [.hour, .endedMs, .lagMs, .arrival, .delivery, .run, .error]
    private static let figures: [PlayColumn] = [
        .flags, .startupMs, .stalls, .stalledMs, .watchedMs, .avgBitrate, .bytes, .waitedMs, .memoryBytes, .attempt,
        .accessLogStartupMs, .playerStalls, .playerStalledMs,
    ]

    func scan(
        _ stretch: PlayStretch, _ parts: ScannedPlay.Parts, _ visit: (ScannedPlay) throws -> Void
    ) throws {
        do {
            for table in PlayTable.allCases {
                for rows in stretch.rows(of: table) {
                    let parts = rows.areWhole ? parts : parts.subtracting(.figures)
                    try scan("\(table.rawValue)\(rows.condition)", parts, visit)
                }
            }
        } catch let error as SQLiteError where error.isInterrupted {
            throw StoreFault.outOfPatience
        }
    }

    private func scan(
        _ source: String, _ parts: ScannedPlay.Parts, _ visit: (ScannedPlay) throws -> Void
    ) throws {
        let hasFigures = parts.contains(.figures)
        var columns = Self.places + (hasFigures ? Self.figures : [])
        let video = parts.contains(.video) ? columns.count : nil
        if video != nil { columns.append(.video) }
        let tags = parts.contains(.tags) ? columns.count : nil
        if tags != nil { columns.append(.tagSet) }
        // Without another index than the key, SQLite reads the rows in its order.
        try loop.rows(columns.map(\.name), from: source) { row in
            guard Self.isPossible(row, hasFigures: hasFigures) else { throw SQLiteError.impossibleRow }
            var play = ScannedPlay()
            Self.readPlaces(row, into: &play)
            if hasFigures { Self.readFigures(row, into: &play) }
            if let video { play.video = max(0, row[video]) }
            if let tags { play.tags = max(0, row[tags]) }
            try visit(play)
        }
    }

    /// Whether the numbers of a row are such as a play can have: damage has to end a report, not the process.
    private static func isPossible(_ row: UnsafePointer<Int64>, hasFigures: Bool) -> Bool {
        // NULL comes as -1, and is 0 here.
        func bits(_ column: Int) -> UInt64 { UInt64(bitPattern: row[column] &+ 1) }
        guard (-1 << 25)..<(1 << 27) ~= row[0], 0..<3_600_000 ~= row[1], (-1 << 50)..<(1 << 50) ~= row[2],
            bits(3) <= 1 << 53, bits(4) | bits(5) | bits(6) <= 1 << 33
        else { return false }
        guard hasFigures else { return true }
        let narrow =
            bits(8) | bits(9) | bits(10) | bits(11) | bits(12) | bits(14) | bits(16) | bits(17) | bits(18) | bits(19)
        return narrow <= 1 << 31 && bits(13) | bits(15) <= 1 << 54
    }

    private static func readPlaces(_ row: UnsafePointer<Int64>, into play: inout ScannedPlay) {
        play.endedAt = row[0] * 3_600_000 + row[1]
        play.receivedAt = play.endedAt + row[2]
        play.arrival = row[3]
        // NULL comes as -1: no entry.
        play.delivery = max(0, row[4])
        play.run = max(0, row[5])
        play.error = max(0, row[6])
    }

    private static func readFigures(_ row: UnsafePointer<Int64>, into play: inout ScannedPlay) {
        let flags = row[7]
        play.clockSkewed = flags & 1 != 0
        play.isPlayIdMade = flags & 2 != 0
        play.startupMs = row[8]
        play.stalls = row[9]
        play.stalledMs = row[10]
        play.watchedMs = row[11]
        play.avgBitrate = row[12]
        play.bytes = row[13]
        play.waitedMs = row[14]
        play.memoryBytes = row[15]
        play.attempt = row[16]
        play.accessLogStartupMs = row[17]
        play.playerStalls = row[18]
        play.playerStalledMs = row[19]
    }

    func halves(of stretch: PlayStretch) throws -> PlayHalves? {
        guard let companion, let middle = try middle(of: stretch) else { return nil }
        var (first, second) = (stretch, stretch)
        first.half = .before(middle)
        second.half = .after(middle)
        return PlayHalves(first: first, second: second, companion: companion)
    }

    /// The hour before which half of the work lies; nil where there are too few plays for two threads.
    private func middle(of stretch: PlayStretch) throws -> Int64? {
        let whole = stretch.rows(of: .prompt).first(where: \.areWhole)?.condition ?? ""
        let rows = try connection.prepare("SELECT hour, plays FROM hours\(whole) ORDER BY hour")
        var plays: [(hour: Int64, before: Int64)] = []
        var sum: Int64 = 0
        while try rows.step() {
            plays.append((rows.int(0), sum))
            sum += rows.int(1)
        }
        guard sum >= fewestForTwo else { return nil }
        // The second half has what is wanted of the other table for its receipt alone, of which a row takes half as long.
        for rows in stretch.rows(of: .delayed) where !rows.areWhole {
            let sample = stride(from: rows.first, through: rows.last, by: 24).map(String.init).joined(separator: ", ")
            sum += 12 * (try connection.integer("SELECT count(*) FROM delayed_plays WHERE hour IN (\(sample))"))
        }
        return plays.min { abs(2 * $0.before - sum) < abs(2 * $1.before - sum) }?.hour
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

    func regionSource(in entry: Int64) throws -> ScannedPlay.RegionSource? {
        let lookup = try lookup("SELECT region_from FROM deliveries WHERE id = ?", entry)
        defer { lookup.reset() }
        guard try lookup.step() else { return nil }
        return switch lookup.int(0) {
        case 1: .event
        case 2: .context
        case 3: .header
        default: nil
        }
    }

    func sessionlessRuns() throws -> [UInt32] {
        var runs: [UInt32] = []
        try loop.rows(["id"], from: "runs WHERE session_id IS NULL") { row in
            runs.append(UInt32(truncatingIfNeeded: row[0]))
        }
        return runs
    }

    func session(in run: UInt32) throws -> ByteText? {
        try text("SELECT session_id FROM runs WHERE id = ?", Int64(run))
    }

    func sessions(of runs: [UInt32], _ visit: (UInt32, UnsafeRawBufferPointer) throws -> Void) throws {
        let rows = try connection.prepare(
            "SELECT id, session_id FROM runs WHERE id BETWEEN ? AND ? AND session_id IS NOT NULL ORDER BY id")
        var next = 0
        while next < runs.count {
            // Neighbours come in one go, and what lies between them is passed over.
            var last = next
            while last + 1 < runs.count, runs[last + 1] - runs[last] <= Self.nearRuns { last += 1 }
            rows.reset()
            try rows.bind(1, Int64(runs[next]))
            try rows.bind(2, Int64(runs[last]))
            while try rows.step() {
                let run = UInt32(truncatingIfNeeded: rows.int(0))
                while next <= last, runs[next] < run { next += 1 }
                if next <= last, runs[next] == run { try rows.withBytes(1) { try visit(run, $0) } }
            }
            next = last + 1
        }
    }

    /// Looking a run up takes as long as passing over so many.
    private static let nearRuns: UInt32 = 12

    // MARK: Senders

    func accounts(receivedBefore end: Int64, _ visit: (Account) throws -> Void) throws {
        let columns = [
            "account", "sender", "sequence", "made", "dropped", "rejected", "received_at", "first_arrival", "arrivals",
        ]
        try loop.rows(columns, from: "sender_accounts WHERE received_at < \(end)") { row in
            try visit(
                Account(
                    number: row[0], sender: Int(row[1]), sequence: row[2], made: row[3], dropped: row[4],
                    rejected: row[5], receivedAt: row[6], arrivals: row[8] > 0 ? row[7]...row[7] + row[8] - 1 : nil))
        }
    }

    func senders(_ visit: (Int, UnsafeRawBufferPointer) throws -> Void) throws {
        let rows = try connection.prepare("SELECT id, sender_id FROM senders")
        while try rows.step() { try rows.withBytes(1) { try visit(Int(rows.int(0)), $0) } }
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
