package import Archive
internal import PlaybackEvents
internal import SQLite

/// Holds the database against the logs, beside whoever writes: all of it sees one moment of the database.
package struct StoreVerifier {
    private let data: DataPaths
    private let database: ReadOnlyDatabase
    private var connection: SQLiteConnection { database.connection }
    private let rows: PlayRows
    private let chunkBytes = 1 << 20
    private var result = StoreVerification()

    /// Checks the database of a data directory.
    ///
    /// - Parameter progress: gets the number of the archive's plays that have been looked up.
    /// - Throws: ``StoreFault`` for a database that can't be read at all; what the system said of the logs' files.
    /// - Complexity: linear in the database and the archive.
    package static func run(data: DataPaths, progress: (Int64) -> Void = { _ in }) throws -> StoreVerification {
        var verifier = try StoreVerifier(data)
        return try verifier.verify(progress)
    }

    private init(_ data: DataPaths) throws {
        self.data = data
        do {
            let database = try ReadOnlyDatabase(data)
            let connection = database.connection
            self.database = database
            // From its first read on, the transaction sees one moment.
            try connection.execute("BEGIN")
            let dictionaries = try StoreDictionaries(connection, hash: SeededHash(), cacheBytes: 0)
            rows = try PlayRows(connection, dictionaries)
            let records = try StoreRecords(connection)
            result.places = try records.places()
            result.totals = try records.totals()
        } catch let error as SQLiteError {
            throw StoreFault.unreadable(path: data.database, error)
        }
    }

    private mutating func verify(_ progress: (Int64) -> Void) throws -> StoreVerification {
        do {
            try checkDatabase()
            try checkPlays(progress)
            try checkRejections()
            try ColumnVerifier(connection).check(&result)
        } catch let error as SQLiteError {
            // What a writer has half changed reads like damage.
            try database.checkUnchanged()
            result.add(.damaged(error.message))
        }
        try database.checkUnchanged()
        for log in LogKind.allCases where try reader(of: log).next(after: result.places[log], maxBytes: 1) != nil {
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
        result.compare("plays loaded and repeats", totals.arrivals, totals.loaded + totals.duplicates)
        let rows = try PlayTable.allCases.reduce(0) { sum, table in
            try sum + connection.integer("SELECT count(*) FROM \(table.rawValue)")
        }
        result.compare("rows of plays", totals.loaded - totals.pruned, rows)
        result.compare("plays by hour", rows, try connection.integer("SELECT coalesce(sum(plays), 0) FROM hours"))
        if totals.prunedBefore == nil {
            result.compare(
                "senders' accounts", totals.accounts, try connection.integer("SELECT count(*) FROM sender_accounts"))
            result.compare(
                "repeats by hour", totals.duplicates,
                try connection.integer("SELECT coalesce(sum(duplicates), 0) FROM repeats"))
        }
    }

    /// Looks every play of the archive up.
    private mutating func checkPlays(_ progress: (Int64) -> Void) throws {
        var found = StoreTotals()
        let reader = reader(of: .plays)
        var place = LogPlace.beginning
        var lines = LoggedPlays()
        while let chunk = try reader.next(after: place, upTo: result.places.plays, maxBytes: chunkBytes) {
            place = chunk.end
            lines.removeAll(keepingCapacity: true)
            chunk.forEachLine { _, line in
                if (try? lines.append(line: line)) == nil { found.unloadable += 1 }
            }
            for entry in lines.entries { try check(entry, &found) }
            progress(found.arrivals)
        }
        // Where files are missing, the archive has less than was loaded from it, nobody knows how much.
        guard let removed = try removedLines(.plays) else { return }
        if removed != 0 {
            let totals = result.totals
            return result.compare(
                "lines of the archive, with those of its files that were pruned",
                totals.arrivals + totals.accounts + totals.unloadable,
                found.arrivals + found.accounts + found.unloadable + removed)
        }
        result.compare("plays in the archive", result.totals.arrivals, found.arrivals)
        result.compare("accounts in the archive", result.totals.accounts, found.accounts)
        result.compare("lines of the archive that can't be loaded", result.totals.unloadable, found.unloadable)
    }

    private mutating func check(_ entry: LoggedPlays.Entry, _ found: inout StoreTotals) throws(SQLiteError) {
        guard case .play(let play) = entry.kind else {
            found.accounts += 1
            return
        }
        let id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
        guard let stored = StoredPlay(play, id: id, arrival: 0) else {
            found.unloadable += 1
            return
        }
        found.arrivals += 1
        let hour = PlayHour(of: stored.endedAt).number
        if hour >= result.totals.prunedBefore ?? .min, try !rows.contains(stored) {
            result.add(.missing(playId: id.uuidText, hour: hour))
        }
    }

    /// Rejected events of days that were pruned are gone, whole days of them.
    private mutating func checkRejections() throws {
        guard try removedLines(.rejected) != nil else { return }
        let first = result.totals.prunedBefore ?? .min
        let reader = reader(of: .rejected)
        var place = LogPlace.beginning
        var tally = RejectionTally()
        while let chunk = try reader.next(after: place, upTo: result.places.rejected, maxBytes: chunkBytes) {
            place = chunk.end
            tally.add(quarantine: chunk)
        }
        result.compare(
            "rejected events", tally.events.reduce(0) { $0 + ($1.key.hour >= first ? $1.value : 0) },
            try connection.integer("SELECT coalesce(sum(events), 0) FROM rejections WHERE hour >= \(first)"))
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
