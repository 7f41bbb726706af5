package import Archive
package import PlaybackEvents
internal import SQLite

/// The embedded store: one SQLite database in the data directory, written and checkpointed by this one connection.
///
/// Used by one thread at a time.
package final class SQLiteStore: Store {
    let connection: SQLiteConnection
    let dictionaries: StoreDictionaries
    let rows: PlayRows
    let records: StoreRecords
    private let hash = SeededHash()

    package private(set) var places: LogPlaces
    package private(set) var totals: StoreTotals
    private var batch: GatheredBatch

    /// Opens the database of a data directory. Where there are neither a database nor plays, makes an empty one.
    ///
    /// The caller holds the ``DataDirectory``.
    ///
    /// - Throws: ``StoreFault`` for a database that is missing, foreign, or of another version.
    package convenience init(data: DataPaths, configuration: StoreConfiguration = .init()) throws {
        try self.init(try Self.connection(data, configuration), configuration)
    }

    init(_ connection: SQLiteConnection, _ configuration: StoreConfiguration) throws {
        self.connection = connection
        dictionaries = try StoreDictionaries(connection, hash: hash, cacheBytes: configuration.dictionaryBytes)
        rows = try PlayRows(connection, dictionaries)
        records = try StoreRecords(connection)
        places = try records.places()
        totals = try records.totals()
        batch = GatheredBatch(after: totals, hash: hash)
    }

    package var gathered: Int { batch.count }

    package func gather(_ lines: borrowing LoggedPlays, unloadable: Int) -> [Int] {
        batch.totals.unloadable += Int64(unloadable)
        return batch.add(lines, dictionaries)
    }

    package func gather(_ rejections: RejectionTally) {
        batch.add(rejections)
    }

    package func commit(upTo places: LogPlaces) throws {
        let order = batch.order()
        do {
            let totals = try connection.transaction { try write(order, upTo: places) }
            rows.didCommit()
            dictionaries.committed()
            self.totals = totals
            self.places = places
            batch.empty(after: totals)
        } catch {
            rows.didRollBack()
            throw error
        }
    }

    private func write(_ order: GatheredBatch.Order, upTo places: LogPlaces) throws -> StoreTotals {
        defer { rows.endSearches() }
        var tally = HourTally()
        try dictionaries.flush()
        for index in order.firsts { try put(batch.plays[index], &tally) }
        for index in order.repeats { try put(batch.plays[index], &tally) }
        var totals = batch.totals
        totals.loaded += tally.loaded
        totals.duplicates += tally.duplicates
        totals.conflicts += tally.conflicts
        try records.add(tally)
        for account in batch.accounts { try records.add(account) }
        try records.add(batch.rejections)
        try records.set(totals)
        try records.set(places)
        return totals
    }

    private func put(_ play: StoredPlay, _ tally: inout HourTally) throws(SQLiteError) {
        switch try rows.put(play) {
        case .stored: tally.add(stored: play)
        case .repeat(let conflicts): tally.add(repeat: play, conflicts: conflicts)
        }
    }

    package func discard() throws {
        batch.empty(after: totals)
        try dictionaries.reload()
    }

    /// Copies the whole write-ahead log into the database and cuts it to nothing, as far as readers allow.
    package func rest() throws {
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
