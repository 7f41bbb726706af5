package import SQLite

/// Reads plays in columns, hour by hour: from the columns of closed hours and the rows that came after them, else from
/// rows. What is stored how is no part of what it gives: the same plays have the same values.
package final class PlayColumnReader {
    package enum Order: Sendable {
        case forward, backward
    }

    private struct Hour {
        var number: Int64
        var plays: Int64
        /// How many of the plays are in columns, and up to which arrival; nil without columns.
        var columns: (plays: Int64, arrival: Int64)?

        var stretches: Int {
            (Int(columns?.plays ?? 0) + PlayColumns.mostPlays - 1) / PlayColumns.mostPlays
        }
    }

    /// More than any hour has.
    static let mostPlays: Int64 = 1 << 40

    private let connection: SQLiteConnection
    private let loop: SQLiteRowLoop
    private let rows: HourRows
    private let hashes: RunHashes
    private let blob: SQLiteStatement
    /// Hours of which a part alone is wanted, and which have no columns.
    private var held: [Int64: HourRows.Held] = [:]
    // Reused.
    private var coder = ColumnBlobs()
    private var plays = PlayColumns()

    /// - Parameters:
    ///   - connection: its transaction says which plays there are.
    ///   - loop: the connection's only one.
    package init(_ connection: SQLiteConnection, loop: SQLiteRowLoop) throws(SQLiteError) {
        self.connection = connection
        self.loop = loop
        rows = try HourRows(connection, loop: loop)
        hashes = try RunHashes(connection)
        blob = try connection.prepare("SELECT data FROM play_columns WHERE id = ?")
    }

    /// So many rows of one hour are held at the most, a hundred bytes each.
    private static let mostHeld: Int64 = 1 << 18

    /// Says that plays outside of some times are not wanted: of the young hours at the ends, whose rows would be read
    /// three times, what lies inside is read once and kept until the next call.
    ///
    /// - Parameters:
    ///   - times: ms since 1970; nil: all.
    ///   - selection: every column that will be wanted.
    package func narrow(to times: Range<Int64>?, columns selection: PlayColumns.Selection) throws {
        held = [:]
        guard let times, !times.isEmpty else { return }
        let ends = [times.lowerBound, times.upperBound - 1].map { PlayHour(of: $0).number }
        for hour in try hours(in: ends[0]...ends[0]) + (ends[0] == ends[1] ? [] : hours(in: ends[1]...ends[1])) {
            let start = hour.number * 3_600_000
            let part = (start..<start + 3_600_000).clamped(to: times)
            let length = part.upperBound - part.lowerBound
            guard hour.columns == nil, length < 3_600_000, hour.plays * length / 3_600_000 <= Self.mostHeld else {
                continue
            }
            held[hour.number] = try rows.hold(
                hour.number, part.lowerBound - start..<part.upperBound - start, selection)
        }
    }

    /// Visits the plays of some hours.
    ///
    /// The stretches of an hour come in the order of its sessions, at last the delayed rows as stretches of their own; so a
    /// session may go on in the next stretch, and come again among the delayed rows, which arrived later than all others.
    ///
    /// - Parameters:
    ///   - hours: UTC hours since 1970; nil for all.
    ///   - order: backward is the exact reverse by stretches; inside of them the order is always the same.
    ///   - selection: the columns that are wanted.
    ///   - aliases: those of the same hours.
    ///   - visit: gets plays that are gone when it returns.
    /// - Throws: ``ColumnError``, ``SQLiteError``, or what `visit` throws.
    package func forEachStretch(
        hours: ClosedRange<Int64>?, order: Order, columns selection: PlayColumns.Selection, aliases: SessionAliases,
        _ visit: (inout PlayColumns) throws -> Void
    ) throws {
        let isBackward = order == .backward
        let list = try self.hours(in: hours)
        for hour in isBackward ? list.reversed() : list {
            if let held = held[hour.number] {
                try rows.forEachStretch(of: held, aliases, backward: isBackward, visit)
                continue
            }
            guard let columns = hour.columns, selection.isSubset(of: ColumnBlobs.selection) else {
                try visitRows(of: hour, isBackward, selection, aliases, visit)
                continue
            }
            let delayed = hour.plays - columns.plays
            func visitDelayed() throws {
                guard delayed > 0 else { return }
                try rows.forEachStretch(
                    of: hour.number, .delayed(after: columns.arrival), expected: delayed, selection, .given(aliases),
                    backward: isBackward
                ) { plays, _ in try visit(&plays) }
            }
            if isBackward { try visitDelayed() }
            let stretches = Array(0..<hour.stretches)
            for stretch in isBackward ? stretches.reversed() : stretches {
                plays.hour = hour.number
                plays.count = min(PlayColumns.mostPlays, Int(columns.plays) - stretch * PlayColumns.mostPlays)
                try coder.decode(
                    selection, of: stretch, into: &plays, number: { aliases.canonical($0) }, words: { try words($0) })
                try visit(&plays)
            }
            if !isBackward { try visitDelayed() }
        }
    }

    /// Columns that only rows have: then all of the hour is read from them, those of the columns first as ever.
    private func visitRows(
        of hour: Hour, _ isBackward: Bool, _ selection: PlayColumns.Selection, _ aliases: SessionAliases,
        _ visit: (inout PlayColumns) throws -> Void
    ) throws {
        var parts: [(part: HourRows.Part, expected: Int64)] = [(.whole, hour.plays)]
        if let columns = hour.columns {
            parts = [(.before(arrival: columns.arrival), columns.plays)]
            let delayed = hour.plays - columns.plays
            if delayed > 0 { parts.append((.delayed(after: columns.arrival), delayed)) }
        }
        for (part, expected) in isBackward ? parts.reversed() : parts {
            try rows.forEachStretch(
                of: hour.number, part, expected: expected, selection, .given(aliases), backward: isBackward
            ) { plays, _ in try visit(&plays) }
        }
    }

    /// The numbers of sessions that the plays of some hours share though their runs differ.
    ///
    /// - Parameter hours: UTC hours since 1970; nil for all.
    /// - Complexity: 30–50 ns and half a byte a run of those hours, and reading the runs of rows that are in no columns.
    package func aliases(hours: ClosedRange<Int64>?) throws -> SessionAliases {
        let last = try connection.integer("SELECT coalesce(max(id), 0) FROM runs")
        try hashes.check(highest: last)
        var runs = RunSet(in: 1...max(1, Int32(clamping: last)))
        var highest: Int32 = 0
        func note(_ run: Int32) {
            runs.insert(run)
            highest = max(highest, run)
        }
        for hour in try self.hours(in: hours) {
            if let held = held[hour.number] {
                held.forEachRun { runs.insert($0) }
                continue
            }
            for stretch in 0..<hour.stretches {
                try coder.forEachSession(of: stretch, hour: hour.number, words: { try words($0) }) { session, _ in
                    note(session)
                    return true
                }
            }
            if let columns = hour.columns {
                guard hour.plays > columns.plays else { continue }
                try rows.forEachRun(of: hour.number, .delayed(after: columns.arrival)) { note($0) }
            } else {
                try rows.forEachRun(of: hour.number, .whole) { note($0) }
            }
        }
        // Whoever counts has room for as many sessions as the highest number says.
        guard Int64(highest) <= max(0, last) else { throw SQLiteError.impossibleRow }
        return try SessionAliases(among: runs, hashes, on: connection)
    }

    // MARK: One session

    /// The runs of a session, found by its hash and compared by its text.
    func runs(ofSession id: String) throws -> [Int32] {
        let text = Array(id.utf8)
        let hash = RunHashes.hash(of: text.span.bytes)
        guard hash != RunHashes.noSession else { return [] }
        let compare = try connection.prepare("SELECT 1 FROM runs WHERE id = ? AND session_id = ?")
        return try hashes.runs(with: hash).compactMap { run in
            compare.reset()
            try compare.bind(1, run)
            try compare.bind(2, id)
            return try compare.step() ? Int32(exactly: run) : nil
        }
    }

    /// The hours and tables in which plays of some runs of one session may lie: those whose columns have it, and those
    /// that are in no columns.
    func positions(of runs: Set<Int32>) throws -> [(hour: Int64, table: PlayTable)] {
        var positions: [(hour: Int64, table: PlayTable)] = []
        for hour in try hours(in: nil) {
            guard let columns = hour.columns else {
                positions += PlayTable.allCases.map { (hour.number, $0) }
                continue
            }
            var isThere = false
            for stretch in 0..<hour.stretches where !isThere {
                try coder.forEachSession(of: stretch, hour: hour.number, words: { try words($0) }) { session, _ in
                    if runs.contains(session) { isThere = true }
                    return true
                }
            }
            if isThere { positions.append((hour.number, .prompt)) }
            if isThere || hour.plays > columns.plays { positions.append((hour.number, .delayed)) }
        }
        return positions
    }

    private func hours(in range: ClosedRange<Int64>?) throws(SQLiteError) -> [Hour] {
        let select = try connection.prepare(
            "SELECT hour, plays, column_plays, column_arrival FROM hours WHERE hour BETWEEN ? AND ? ORDER BY hour")
        try select.bind(1, range?.lowerBound ?? .min)
        try select.bind(2, range?.upperBound ?? .max)
        var hours: [Hour] = []
        while try select.step() {
            let columns = select.intOrNil(2).map { (plays: $0, arrival: select.int(3)) }
            let hour = Hour(number: select.int(0), plays: select.int(1), columns: columns)
            guard PlayHour.possible.contains(hour.number), 0...Self.mostPlays ~= hour.plays,
                0...hour.plays ~= hour.columns?.plays ?? 0
            else { throw .impossibleRow }
            hours.append(hour)
        }
        return hours
    }

    private func words(_ key: ColumnBlobs.Key) throws -> [UInt32] {
        blob.reset()
        try blob.bind(1, key.id)
        guard try blob.step() else { throw ColumnError(key, "it is not there") }
        return blob.words(0)
    }
}
