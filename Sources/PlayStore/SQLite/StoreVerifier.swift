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
        // Where old files of the archive were pruned, it has less than was loaded from it.
        guard try isWhole(.plays) else { return }
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

    private mutating func checkRejections() throws {
        guard try result.totals.prunedBefore == nil && isWhole(.rejected) else { return }
        let reader = reader(of: .rejected)
        var place = LogPlace.beginning
        var tally = RejectionTally()
        while let chunk = try reader.next(after: place, upTo: result.places.rejected, maxBytes: chunkBytes) {
            place = chunk.end
            tally.add(quarantine: chunk)
        }
        result.compare(
            "rejected events", tally.events.values.reduce(0, +),
            try connection.integer("SELECT coalesce(sum(events), 0) FROM rejections"))
    }

    /// No file at the beginning of a log has gone.
    private func isWhole(_ log: LogKind) throws -> Bool {
        try SegmentList(directory: data.log(log), kind: log).segments.first?.sequence ?? 1 == 1
    }

    private func reader(of log: LogKind) -> LogReader {
        LogReader(directory: data.log(log), log: log)
    }
}
