internal import Archive
internal import PlayStore
internal import SQLite

extension ClickHouseRecord {
    /// Up to where the store has the logs.
    func positions() throws -> LogPositions { try read("segment", "offset") ?? LogPositions() }

    /// Up to where the chunk goes that is being posted; nil without one.
    func pending() throws -> LogPositions? { try read("pending_segment", "pending_offset") }

    /// Whether nothing has been loaded since, and nothing is being loaded.
    func isUnchanged(since positions: LogPositions) throws -> Bool {
        try pending() == nil && self.positions() == positions
    }

    private func read(_ segment: String, _ offset: String) throws -> LogPositions? {
        var positions = LogPositions()
        let select = try connection.prepare("SELECT log, \(segment), \(offset) FROM log_places")
        while try select.step() {
            guard let log = LogKind(rawValue: select.text(0)) else { continue }
            if select.isNull(1) { return nil }
            positions[log] = LogPosition(segment: select.int(1), offset: select.int(2))
        }
        return positions
    }

    func totals() throws -> StoreTotals {
        var totals = StoreTotals()
        let select = try connection.prepare(
            "SELECT arrivals, accounts, duplicates, conflicts, unloadable, pruned_before FROM totals")
        guard try select.step() else { return totals }
        totals.arrivals = select.int(0)
        totals.accounts = select.int(1)
        totals.duplicates = select.int(2)
        totals.loaded = totals.arrivals - totals.duplicates
        totals.conflicts = select.int(3)
        totals.unloadable = select.int(4)
        totals.prunedBefore = select.intOrNil(5)
        return totals
    }

    /// Where the versions of plays go on.
    func versions() throws -> PlayVersions {
        PlayVersions(last: UInt64(bitPattern: try connection.integer("SELECT last_version FROM totals")))
    }

    /// Runs `body`, whose looks at the record all see one moment.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try connection.execute("BEGIN")
        defer { connection.rollBack() }
        return try body()
    }

    /// Before anything of a chunk is posted: notes where it ends, and what `body` writes. After a crash the same stretch of
    /// the log makes the same bytes.
    func begin(upTo positions: LogPositions, _ body: () throws -> Void) throws {
        try connection.transaction {
            try body()
            let update = try connection.prepare(
                "UPDATE log_places SET pending_segment = ?, pending_offset = ? WHERE log = ?")
            for log in LogKind.followed {
                try update.bind(3, log.rawValue)
                try update.run(positions[log].segment, positions[log].offset)
            }
        }
    }

    /// After all of a chunk is in the store: moves the places.
    func finish(upTo positions: LogPositions, _ totals: StoreTotals, _ versions: PlayVersions) throws {
        try connection.transaction {
            let update = try connection.prepare(
                """
                UPDATE log_places SET segment = ?, offset = ?, pending_segment = NULL, pending_offset = NULL
                WHERE log = ?
                """)
            for log in LogKind.followed {
                try update.bind(3, log.rawValue)
                try update.run(positions[log].segment, positions[log].offset)
            }
            try set(totals)
            let moved = try connection.prepare("UPDATE totals SET last_version = ?")
            try moved.run(Int64(bitPattern: versions.last))
        }
    }

    /// Forgets the hours of plays that were pruned.
    func forget(before hour: Int64) throws {
        for table in ["edge_plays", "receipt_dated_plays"] {
            let delete = try connection.prepare("DELETE FROM \(table) WHERE hour < ?")
            try delete.bind(1, hour)
            try delete.run()
        }
    }

    func set(_ totals: StoreTotals) throws {
        let update = try connection.prepare(
            """
            UPDATE totals SET arrivals = ?, accounts = ?, duplicates = ?, conflicts = ?, unloadable = ?,
                pruned_before = ?
            """)
        try update.run(
            totals.arrivals, totals.accounts, totals.duplicates, totals.conflicts, totals.unloadable,
            totals.prunedBefore)
    }
}

/// Gives each play of a log its version: an earlier one of the log always has the higher, so that it stands, and between
/// the logs of several servers the play with the earlier receipt has.
///
/// It is a clock of times of receipt that never goes back, in units of 2⁻¹⁶ ms: a play that was received no later than the one
/// before gets the next unit. What a log's plays get follows from the log alone.
struct PlayVersions: Equatable {
    /// The last play's place on the clock.
    private(set) var last: UInt64

    private static let units: UInt64 = 16
    private static let mostMs: UInt64 = 1 << 48 - 1

    init(last: UInt64 = 0) {
        self.last = last
    }

    /// - Parameter receivedAt: ms since 1970.
    mutating func next(receivedAt: Int64) -> UInt64 {
        last = max(last &+ 1, min(UInt64(clamping: receivedAt), Self.mostMs) << Self.units)
        return ~last
    }
}
