package import Archive
internal import PlaybackEvents
internal import SQLite

/// Holds the database against the logs, beside whoever writes: all of it sees one moment of the database.
///
/// Every value that a report may read is compared with the line of the archive that it came from.
package struct StoreVerifier {
    private let data: DataPaths
    private let database: ReadOnlyDatabase
    private var connection: SQLiteConnection { database.connection }
    private let dictionaries: DictionaryTables
    /// Whose plays were erased.
    private let tombstones: Tombstones
    private static let chunkBytes = 1 << 20
    private var result = StoreVerification()

    /// Checks the database of a data directory.
    ///
    /// - Parameter progress: gets the number of the archive's plays that have been compared.
    /// - Throws: ``SQLiteStoreError`` for a database that can't be read at all; what the system said of the logs' files.
    /// - Complexity: linear in the database and the archive. Memory: a bit for each play of the archive, some words for each
    ///   hour, and bounded caches.
    package static func run(data: DataPaths, progress: (Int64) -> Void = { _ in }) throws -> StoreVerification {
        var verifier = try StoreVerifier(data)
        return try verifier.verify(progress)
    }

    private init(_ data: DataPaths) throws {
        self.data = data
        tombstones = try EraseFolder(data).tombstones()
        do {
            let database = try ReadOnlyDatabase(data)
            let connection = database.connection
            self.database = database
            // From its first read on, the transaction sees one moment.
            try connection.execute("BEGIN")
            dictionaries = try DictionaryTables(connection)
            let records = try StoreRecords(connection)
            result.positions = try records.positions()
            result.totals = try records.totals()
        } catch let error as SQLiteError {
            throw SQLiteStoreError.unreadable(path: data.database, error)
        }
    }

    private mutating func verify(_ progress: (Int64) -> Void) throws -> StoreVerification {
        do {
            try checkDatabase()
            try checkSchema()
            try checkPlays(progress)
            try checkRejections()
            try ColumnVerifier(connection).check(&result)
        } catch let error as SQLiteError {
            // What a writer has half changed reads like damage.
            try database.checkUnchanged()
            result.add(.damaged(error.message))
        }
        try database.checkUnchanged()
        for log in LogKind.followed where try reader(of: log).next(after: result.positions[log], maxBytes: 1) != nil {
            result.isAtEnd = false
        }
        return result
    }

    private mutating func checkDatabase() throws {
        let check = try connection.prepare("PRAGMA integrity_check(20)")
        while try check.step() {
            let words = check.text(0)
            if words != "ok" { result.add(.damaged(words)) }
        }
        let totals = result.totals
        if let before = totals.prunedBefore, !PlayHour.possible.contains(before) || before % 24 != 0 {
            result.add(.stranger("the totals say that all before hour \(before) was pruned, where no day begins"))
        }
        if totals.erased < 0 {
            result.compare("plays loaded and repeats", totals.arrivals, totals.loaded &+ totals.duplicates)
        }
        let rows = try PlayTable.allCases.reduce(0) { sum, table in
            try sum + connection.integer("SELECT count(*) FROM \(table.rawValue)")
        }
        result.compare("rows of plays", totals.loaded &- totals.pruned, rows)
        if totals.prunedBefore == nil {
            result.compare(
                "senders' accounts", totals.accounts, try connection.integer("SELECT count(*) FROM sender_accounts"))
        }
    }

    /// The tables and views are those that this program makes, to the columns and the views' words.
    private mutating func checkSchema() throws {
        let own = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        try own.execute(StoreSchema.creation)
        let (expected, found) = (try Self.schema(of: own), try Self.schema(of: connection))
        for name in Set(expected.keys).union(found.keys).sorted() where expected[name] != found[name] {
            result.add(.stranger("\(name) is not defined as this program defines it"))
        }
    }

    private static func schema(of connection: SQLiteConnection) throws(SQLiteError) -> [String: String] {
        var schema: [String: String] = [:]
        // The words of a table differ where columns were added to it.
        let objects = try connection.prepare(
            "SELECT type || ' ' || name, CASE type WHEN 'table' THEN '' ELSE coalesce(sql, '') END FROM sqlite_schema")
        while try objects.step() { schema[objects.text(0)] = objects.text(1) }
        let columns = try connection.prepare(
            """
            SELECT 'table ' || s.name, c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk || ' '
                || coalesce(c.dflt_value, '') || ' ' || c.hidden
            FROM sqlite_schema AS s JOIN pragma_table_xinfo(s.name) AS c WHERE s.type = 'table' ORDER BY s.name, c.cid
            """)
        while try columns.step() { schema[columns.text(0), default: ""] += columns.text(1) + ", " }
        return schema
    }

    /// Holds every line of the archive against its row, and every row against the archive.
    private mutating func checkPlays(_ progress: (Int64) -> Void) throws {
        var plays = try PlaysVerifier(
            connection, dictionaries, prunedBefore: result.totals.prunedBefore, before: try readBefore())
        let gap = try SegmentList(directory: data.archive, kind: .plays).firstGap
        var found = result
        try forEachChunk(of: reader(of: .plays), upTo: result.positions.plays) { chunk, lines, unreadable in
            if !chunk.damage.isEmpty || chunk.end.segment > gap ?? .max { plays.loseCount() }
            try plays.check(lines, unreadable: unreadable, &found)
            progress(plays.found.arrivals)
        }
        result = found
        // Where files are missing, the archive has less than was loaded from it, nobody knows how much.
        let removed = try removedLines(.plays)
        if let removed, removed != 0 {
            let totals = result.totals
            result.compare(
                "lines of the archive, with those of its files that were pruned",
                totals.arrivals &+ totals.accounts &+ totals.unloadable,
                plays.found.arrivals &+ plays.found.accounts &+ plays.found.unloadable &+ removed)
        } else if removed == 0 {
            result.compare("plays in the archive", result.totals.arrivals, plays.found.arrivals)
            result.compare("plays that were erased", plays.erased, result.totals.erased)
            result.compare("accounts in the archive", result.totals.accounts, plays.found.accounts)
            result.compare(
                "lines of the archive that can't be loaded", result.totals.unloadable, plays.found.unloadable)
        }
        try plays.checkRows(&result)
        guard plays.isNumbered, removed == 0 else { return }
        let limit = result.totals.prunedBefore
        result.compare(
            "plays dated by their receipt alone", plays.receiptDated,
            try connection.integer("SELECT count(*) FROM receipt_dated_plays"))
        guard limit == nil else { return }
        result.compare("plays loaded", plays.found.loaded, result.totals.loaded)
        result.compare("repeats", plays.found.duplicates, result.totals.duplicates)
        result.compare("repeats with other content", plays.found.conflicts, result.totals.conflicts)
        var expected: [String: Int64] = [:]
        for (hour, repeats) in plays.repeats {
            expected["\(hour): duplicates"] = repeats.duplicates
            expected["\(hour): conflicts"] = repeats.conflicts
        }
        try compare(
            "repeats received in hour", expected,
            "SELECT hour || ': duplicates', duplicates FROM repeats UNION ALL SELECT hour || ': conflicts', conflicts"
                + " FROM repeats")
    }

    /// How many plays and accounts the database has read from files at the beginning of the archive that are gone; nil where
    /// that can't be said.
    private func readBefore() throws -> (arrivals: Int64, accounts: Int64)? {
        let hasDamage = try !data.damagedFiles().isEmpty
        if try isWhole(.plays), !hasDamage { return (0, 0) }
        guard try SegmentList(directory: data.archive, kind: .plays).firstGap == nil else { return nil }
        var count = StoreTotals()
        var isSound = true
        try forEachChunk(of: reader(of: .plays), upTo: result.positions.plays) { chunk, lines, _ in
            if !chunk.damage.isEmpty { isSound = false }
            for entry in lines.entries {
                switch entry.kind {
                case .account: count.accounts += 1
                case .erased(let plays, _): count.arrivals += plays
                case .play(let play):
                    if StoredPlay(play, id: Identifier128(high: 0, low: 0), arrival: 0) != nil { count.arrivals += 1 }
                }
            }
        }
        let before = (result.totals.arrivals &- count.arrivals, result.totals.accounts &- count.accounts)
        // Of files that were set aside nobody knows what the database had read.
        guard isSound, before.0 >= 0, before.1 >= 0, !hasDamage || before == (0, 0) else { return nil }
        return before
    }

    private func forEachChunk(
        of reader: LogReader, upTo end: LogPosition, _ body: (LogChunk, LoggedPlays, _ unreadable: Int64) throws -> Void
    ) throws {
        var position = LogPosition.beginning
        var lines = LoggedPlays()
        while let chunk = try reader.next(after: position, upTo: end, maxBytes: Self.chunkBytes) {
            position = chunk.end
            lines.removeAll(keepingCapacity: true)
            var unreadable: Int64 = 0
            chunk.forEachLine { _, line in
                do throws(LineError) { try lines.append(line: line) } catch { unreadable += 1 }
            }
            lines.erase(tombstones)
            try body(chunk, lines, unreadable)
        }
    }

    private mutating func checkRejections() throws {
        guard try removedLines(.rejected) != nil else { return }
        let reader = reader(of: .rejected)
        var position = LogPosition.beginning
        var tally = RejectionTally()
        while let chunk = try reader.next(after: position, upTo: result.positions.rejected, maxBytes: Self.chunkBytes) {
            position = chunk.end
            tally.add(quarantine: chunk)
        }
        var expected: [String: Int64] = [:]
        let limit = result.totals.prunedBefore ?? .min
        for (key, events) in tally.events where key.hour >= limit {
            expected["\(key.hour): \(key.code)"] = events
        }
        try compare(
            "rejected events received in hour", expected,
            "SELECT hour || ': ' || code, events FROM rejections WHERE hour >= \(limit)")
    }

    /// Compares counts by a name, both ways.
    ///
    /// - Parameter sql: yields names and counts.
    private mutating func compare(_ what: String, _ expected: [String: Int64], _ sql: String) throws(SQLiteError) {
        var expected = expected
        let select = try connection.prepare(sql)
        while try select.step() {
            let name = select.text(0)
            let value = expected.removeValue(forKey: name) ?? 0
            if !select.holds(1, value) {
                result.add("\(what) \(name)", .init("count", value, select.words(1)))
            }
        }
        for (name, value) in expected.sorted(by: { $0.key < $1.key }) where value != 0 {
            result.add("\(what) \(name)", .init("count", value, "not there"))
        }
    }

    /// No file at the beginning of a log has gone.
    private func isWhole(_ log: LogKind) throws -> Bool {
        try SegmentList(directory: data.log(log), kind: log).segments.first?.sequence ?? 1 == 1
    }

    /// How many lines of a log the database has that were pruned with their files; nil where files are missing.
    private func removedLines(_ log: LogKind) throws -> Int64? {
        let inventory = try Inventory(data)
        guard inventory.log(log)?.missing.isEmpty == true else { return nil }
        // Without a manifest, or in a database that doesn't know when it was begun, old files may have been pruned.
        guard let removed = try StoreOrigin(connection).linesRemovedSince(inventory, log) else {
            return inventory.isWhole(log) ? 0 : nil
        }
        return removed
    }

    private func reader(of log: LogKind) -> LogReader {
        LogReader(directory: data.log(log), log: log)
    }
}

extension SegmentList {
    /// The sequence before the first that is missing between others; nil when none is.
    fileprivate var firstGap: Int64? {
        zip(segments, segments.dropFirst()).first { $1.sequence != $0.sequence + 1 }?.0.sequence
    }
}
