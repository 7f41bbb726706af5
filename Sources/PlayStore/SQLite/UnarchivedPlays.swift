internal import Archive
internal import PlaybackEvents
internal import SQLite

/// The plays of a database that no file of the archive has, because the file is missing.
enum UnarchivedPlays {
    /// Counts them, beside whoever writes.
    ///
    /// - Throws: ``StoreFault``, or what the system said of the logs' files.
    /// - Complexity: each play of the archive is looked up; a bit of memory for each play that was ever loaded.
    static func count(_ data: DataPaths) throws -> Int64 {
        do {
            let database = try ReadOnlyDatabase(data)
            let connection = database.connection
            // From its first read on, the transaction sees one moment.
            try connection.execute("BEGIN")
            let dictionaries = try StoreDictionaries(connection, hash: SeededHash(), cacheBytes: 0)
            let archived = try archived(
                in: LogReader(directory: data.archive), upTo: try StoreRecords(connection).places().plays,
                PlayRows(connection, dictionaries))
            let rows = try PlayTable.allCases.reduce(0) { sum, table in
                try sum + connection.integer("SELECT count(*) FROM \(table.rawValue)")
            }
            try database.checkUnchanged()
            return rows - archived
        } catch let error as SQLiteError {
            throw StoreFault.unreadable(path: data.database, error)
        }
    }

    /// How many rows have a line in the archive.
    private static func archived(in reader: LogReader, upTo end: LogPlace, _ rows: PlayRows) throws -> Int64 {
        var count: Int64 = 0
        var words: [Int64: UInt64] = [:]
        var place = LogPlace.beginning
        var lines = LoggedPlays()
        while let chunk = try reader.next(after: place, upTo: end, maxBytes: 1 << 20) {
            place = chunk.end
            lines.removeAll(keepingCapacity: true)
            chunk.forEachLine { _, line in _ = try? lines.append(line: line) }
            for entry in lines.entries {
                guard case .play(let play) = entry.kind else { continue }
                let id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
                guard let stored = StoredPlay(play, id: id, arrival: 0), let arrival = try rows.arrival(of: stored)
                else { continue }
                let bit = UInt64(1) << UInt64(arrival & 63)
                if words[arrival >> 6, default: 0] & bit == 0 { count += 1 }
                words[arrival >> 6, default: 0] |= bit
            }
        }
        return count
    }
}
