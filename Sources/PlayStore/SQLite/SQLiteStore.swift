package import Archive
internal import Glibc
internal import Platform
package import SQLite

/// The embedded store: one SQLite database in the data directory, written and checkpointed by this one connection.
package final class SQLiteStore: Store {
    let connection: SQLiteConnection
    let records: StoreRecords
    let rows: PlayRows
    let watch: DatabaseWatch
    let path: String
    let columns: ColumnKeeper
    private let hashes: RunHashes
    /// Days that are just being removed.
    var oldDays: OldDays?

    package private(set) var positions: LogPositions
    package internal(set) var totals: StoreTotals
    package private(set) var generation = 0
    private var clock: ReceiptClock

    /// A commit that runs at that time is given up.
    private let deadline = Deadline()
    private let secondsToEnd: Int
    /// So many plays are put in between two looks at the clock.
    private static let playsAtOnce = 256

    private let dictionaries: DictionaryTables
    private let dictionaryBytes: Int
    /// Made with the store, so that a database whose texts can't be read is not opened.
    private var first: PlayGatherer?

    /// Opens the database of a data directory. Where there are neither a database nor plays, makes an empty one; so it is to
    /// be opened before the committer.
    ///
    /// The caller holds the ``DataDirectory``.
    ///
    /// - Throws: ``SQLiteStoreError`` for a database that is missing, foreign, or of another version.
    package convenience init(data: DataPaths, configuration: StoreConfiguration = .init()) throws {
        do {
            try self.init(try Self.connection(data, configuration), path: data.database, configuration)
        } catch let error as SQLiteError {
            throw SQLiteStoreError.unreadable(path: data.database, error)
        }
    }

    /// - Parameter path: the file that the connection has open.
    init(_ connection: SQLiteConnection, path: String, _ configuration: StoreConfiguration) throws {
        self.connection = connection
        self.path = path
        watch = DatabaseWatch(path: path, applicationId: StoreSchema.applicationId)
        secondsToEnd = configuration.secondsToEnd
        dictionaries = try DictionaryTables(connection)
        dictionaryBytes = configuration.dictionaryBytes
        rows = try PlayRows(connection, dictionaries)
        columns = try ColumnKeeper(connection, path: path, isOn: configuration.makesColumns)
        hashes = try RunHashes(connection)
        records = try StoreRecords(connection)
        positions = try records.positions()
        totals = try records.totals()
        clock = try records.clock()
        try Self.check(totals, connection)
        first = try makeGatherer()
    }

    /// What is added to must be numbers that a store can have.
    private static func check(_ totals: StoreTotals, _ connection: SQLiteConnection) throws(SQLiteError) {
        let counts = [
            totals.arrivals, totals.accounts, totals.loaded, totals.duplicates, totals.conflicts, totals.unloadable,
            totals.pruned,
        ]
        let arePossible = counts.allSatisfy { 0...1 << 60 ~= $0 }
        guard arePossible, PlayHour.possible.contains(totals.prunedBefore ?? 0) else { throw .impossibleRow }
        for table in DictionaryTable.all {
            let last = try connection.integer("SELECT coalesce(max(id), 0) FROM \(table.name)")
            guard 0...Int64(Int32.max) ~= last else { throw .impossibleRow }
        }
    }

    package func gatherer() throws -> PlayGatherer {
        defer { first = nil }
        return try first ?? makeGatherer()
    }

    private func makeGatherer() throws(SQLiteError) -> PlayGatherer {
        let hash = SeededHash()
        return PlayGatherer(
            GatheredBatch(after: totals, clock, hash: hash),
            try StoreDictionaries(dictionaries, hash: hash, cacheBytes: dictionaryBytes))
    }

    package func commit(_ batch: GatheredBatch, upTo positions: LogPositions) throws {
        do {
            let (totals, hours) = try connection.transaction { try write(batch, upTo: positions) }
            rows.didCommit()
            self.totals = totals
            self.positions = positions
            clock = batch.clock
            columns.didCommit(hours)
        } catch {
            rows.didRollBack()
            records.forgetSenders()
            throw error
        }
    }

    private func write(
        _ batch: GatheredBatch, upTo positions: LogPositions
    ) throws -> (StoreTotals, [Int64: HourTally.Plays]) {
        try dictionaries.add(batch.additions)
        try hashes.add(batch.additions.runs)
        var count = 0
        var repeats: Set<Int64> = []
        let tally = try batch.forEachPlay(closed: columns.closed) { play, hoursBefore, tally throws(SQLiteError) in
            count += 1
            if count % Self.playsAtOnce == 0, isOver { throw SQLiteError.interrupted }
            switch try rows.put(play, hoursBefore, closed: columns.closed) {
            case .stored: tally.add(stored: play)
            case .repeat(let conflicts):
                repeats.insert(play.arrival)
                tally.add(repeat: play, conflicts: conflicts)
            }
        }
        for account in batch.accounts {
            try records.add(account, batch.arrived(with: account, repeats: repeats))
        }
        try records.add(tally)
        try records.add(batch.rejections)

        var totals = batch.end
        totals.loaded = self.totals.loaded + tally.loaded
        totals.duplicates = self.totals.duplicates + tally.duplicates
        totals.conflicts = self.totals.conflicts + tally.conflicts
        totals.pruned = self.totals.pruned
        totals.prunedBefore = self.totals.prunedBefore
        try records.set(totals)
        try records.set(positions)
        if batch.clock != clock { try records.set(batch.clock, after: clock) }
        try columns.write()
        return (totals, tally.hours)
    }

    /// Entries of the dictionaries were removed: what was gathered by them can't be committed.
    func forgetGatherers() {
        generation += 1
        first = nil
        records.forgetSenders()
    }

    /// Copies the whole write-ahead log into the database and cuts it to nothing, as far as readers allow.
    package func rest() throws {
        guard !isOver else { return }
        // Who makes columns is a reader.
        columns.cancel()
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    package func tidy() throws -> Bool {
        isOver ? false : try columns.tidy()
    }

    package func finish(_ isOver: () -> Bool) throws {
        try columns.finish { isOver() || self.isOver }
    }

    package func damage() -> String? {
        watch.fault { reader in
            for table in PlayTable.allCases.map(\.rawValue) + DictionaryTable.all.map(\.name) {
                _ = try reader.integer("SELECT EXISTS (SELECT * FROM \(table) ORDER BY 1 DESC LIMIT 1)")
            }
            let records = try StoreRecords(reader)
            return try records.positions() == positions && records.totals() == totals
        }
    }

    package func freeBytes() throws -> Int64? {
        let pages = try connection.integer("PRAGMA freelist_count")
        return try pages * connection.integer("PRAGMA page_size")
    }

    package var endSoon: @Sendable () -> Void {
        { [weak maker = columns.maker, interrupter = connection.interrupter, deadline, secondsToEnd] in
            maker?.endSoon()
            // Copying the write-ahead log asks no clock.
            if deadline.set(inSeconds: secondsToEnd) { interrupter.interrupt(afterSeconds: secondsToEnd) }
        }
    }

    private var isOver: Bool { deadline.hasPassed }
}

extension SQLiteStore {
    static let pageBytes = 16_384

    /// Opens the database of a data directory for writing, and makes it where there are neither database nor plays.
    static func connection(_ data: DataPaths, _ configuration: StoreConfiguration) throws -> SQLiteConnection {
        let path = data.database
        if let outcome = try NextDatabase.putInPlace(data) { configuration.onNext(outcome) }
        if isMissingOrEmpty(path) {
            guard try SegmentList(directory: data.archive, kind: .plays).segments.isEmpty else {
                throw SQLiteStoreError.missing(path: path)
            }
            let new = DatabaseFile(path + ".new")
            do {
                try create(at: new.path, of: data)
                try new.replace(DatabaseFile(path))
            } catch {
                new.remove()
                throw error
            }
        }
        let connection = try connection(to: path, configuration)
        try StoreOrigin.check(connection, data)
        try StoreOrigin.adopt(connection, data)
        return connection
    }

    /// Opens a database that is there, for writing.
    static func connection(to path: String, _ configuration: StoreConfiguration) throws -> SQLiteConnection {
        do {
            let connection = try SQLiteConnection(
                path: path, mode: .readWrite, busyTimeoutMs: configuration.busyTimeoutMs)
            if let raise = try raise(connection, path: path) { configuration.onRaise(raise) }
            try connection.execute(
                """
                PRAGMA journal_mode = WAL;
                PRAGMA synchronous = NORMAL;
                PRAGMA secure_delete = OFF;
                PRAGMA temp_store = MEMORY;
                PRAGMA cache_size = -\(configuration.cacheBytes / 1024);
                PRAGMA wal_autocheckpoint = \(max(1, configuration.checkpointBytes / pageBytes));
                PRAGMA journal_size_limit = \(configuration.checkpointBytes);
                """)
            return connection
        } catch let error as SQLiteError {
            throw SQLiteStoreError.unreadable(path: path, error)
        }
    }

    /// A file of no bytes is what is left of a database that somebody emptied.
    package static func isMissingOrEmpty(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 ? [ENOENT, ENOTDIR].contains(errno) : status.st_size == 0
    }

    /// Makes an empty database with all tables, for a data directory.
    static func create(at path: String, of data: DataPaths) throws {
        try DatabaseFile(path).make()
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        // Without a write-ahead log as yet: where there is no room to copy it back, the file that is renamed would lack all of it.
        try connection.execute("PRAGMA page_size = \(pageBytes)")
        try connection.transaction {
            try connection.execute(StoreSchema.creation)
            try StoreOrigin.begin(connection, data)
        }
    }

    /// Raises a database of ours to this layout, in one transaction; nil where it has it already.
    private static func raise(_ connection: SQLiteConnection, path: String) throws -> LayoutRaise? {
        do {
            try check(connection, path: path)
            return nil
        } catch SQLiteStoreError.olderLayout(_, let found) {
            try connection.transaction {
                try connection.execute(StoreSchema.raise(from: found))
                try RunHashes(connection).fill()
            }
            return LayoutRaise(from: found, to: StoreSchema.version)
        }
    }

    /// Says whether a database is one of ours, of this layout.
    package static func check(_ connection: SQLiteConnection, path: String) throws {
        do {
            let application = try connection.integer("PRAGMA application_id")
            let version = try connection.integer("PRAGMA user_version")
            guard application == StoreSchema.applicationId else {
                throw SQLiteStoreError.foreign(path: path, reason: "it belongs to another application")
            }
            if (StoreSchema.oldestRaised..<StoreSchema.version).contains(version) {
                throw SQLiteStoreError.olderLayout(path: path, found: version)
            }
            guard version == StoreSchema.version else { throw SQLiteStoreError.otherLayout(path: path, found: version) }
        } catch let error as SQLiteError where error.isNoDatabase {
            throw SQLiteStoreError.foreign(path: path, reason: error.message)
        }
    }
}
