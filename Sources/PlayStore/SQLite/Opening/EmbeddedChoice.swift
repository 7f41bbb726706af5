package import Archive
internal import Glibc
package import PlaybackEvents
package import Reports
internal import SQLite

/// The SQLite database in the data directory.
package struct EmbeddedChoice: StoreChoice {
    package init() {}

    package func open(
        _ data: DataPaths, node: NodeName, onNotice: @escaping @Sendable (FollowerNotice) -> Void
    ) throws -> any Store {
        try SQLiteStore(data: data, configuration: configuration(onNotice))
    }

    private func configuration(_ onNotice: @escaping @Sendable (FollowerNotice) -> Void) -> StoreConfiguration {
        var configuration = StoreConfiguration()
        configuration.onRaise = { onNotice(.raised($0)) }
        configuration.onNext = { onNotice(.next($0)) }
        return configuration
    }

    package func reports(_ data: DataPaths, patience: Duration?) throws -> any ReportStore {
        try SQLiteReportStore(data: data, patience: patience)
    }

    package func rebuild(
        _ data: DataPaths, node: NodeName?, takesOver: Bool, follower following: FollowerConfiguration,
        progress: (FollowerStatus) -> Void
    ) throws -> StoreTotals {
        try StoreRebuild.run(data: data, follower: following, progress: progress)
    }

    package func remembered(_ data: DataPaths) throws(FileError) -> RememberedDirectory {
        try StorePositions.remembered(data)
    }

    package func unarchivedPlays(_ data: DataPaths) throws -> Int64? {
        SQLiteStore.isMissingOrEmpty(data.database) ? 0 : try UnarchivedPlays.count(data)
    }

    package func positions(_ data: DataPaths) throws -> LogPositions { try StorePositions.read(data: data) }

    package func placesAlone(_ data: DataPaths) throws -> LogPositions {
        do {
            return try positions(data)
        } catch let fault as SQLiteStoreError where !fault.isBusy {
            switch fault {
            case .unreadable, .denied, .olderLayout: return try StorePositions.readAlone(data: data)
            default: throw fault
            }
        }
    }

    package func verify(_ data: DataPaths, progress: (Int64) -> Void) throws -> StoreVerification {
        try StoreVerifier.run(data: data, progress: progress)
    }

    package func prune(
        _ data: DataPaths, before day: Int64, onNotice: @escaping @Sendable (FollowerNotice) -> Void,
        progress: (Int64) -> Void
    ) throws -> Int64 {
        var configuration = configuration(onNotice)
        // The write-ahead log never gets longer than one transaction, for which the disk may have just enough room.
        configuration.checkpointBytes = SQLiteStore.pageBytes
        let store = try SQLiteStore(data: data, configuration: configuration)
        // Also when it has failed, and has taken the last room for that.
        defer { try? store.rest() }
        try store.rest()
        return try store.prune(before: day, progress: progress)
    }

    package func countErasable(_ data: DataPaths, _ target: ErasureTarget) throws -> Int64 {
        if SQLiteStore.isMissingOrEmpty(data.database) { return 0 }
        let database = try ReadOnlyDatabase(data)
        let count = try SQLiteStore.countErasable(database.connection, target)
        try database.checkUnchanged()
        return count
    }

    package func database(_ data: DataPaths) -> String { data.database }

    package func name(_ data: DataPaths) -> String? {
        guard let path = realpath(data.root, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    package var isShared: Bool { false }

    /// What an error of a store says of the disk; nil for one that is about something else.
    package static func wordsOfDisk(_ error: any Error) -> String? {
        switch error {
        case SQLiteStoreError.unreadable(_, let fault) where fault.isOfDisk: fault.message
        case let fault as SQLiteError where fault.isOfDisk: fault.message
        default: nil
        }
    }
}

/// The plays of a database that no file of the archive has, because the file is missing.
private enum UnarchivedPlays {
    /// Counts them, beside whoever writes.
    ///
    /// - Throws: ``SQLiteStoreError``, or what the system said of the logs' files.
    /// - Complexity: each play of the archive is looked up; a bit of memory for each play that was ever loaded.
    static func count(_ data: DataPaths) throws -> Int64 {
        do {
            let database = try ReadOnlyDatabase(data)
            let connection = database.connection
            // From its first read on, the transaction sees one moment.
            try connection.execute("BEGIN")
            let dictionaries = try DictionaryTables(connection)
            let archived = try archived(
                in: LogReader(directory: data.archive), upTo: try StoreRecords(connection).positions().plays,
                PlayRows(connection, dictionaries))
            let rows = try PlayTable.allCases.reduce(0) { sum, table in
                try sum + connection.integer("SELECT count(*) FROM \(table.rawValue)")
            }
            try database.checkUnchanged()
            return rows - archived
        } catch let error as SQLiteError {
            throw SQLiteStoreError.unreadable(path: data.database, error)
        }
    }

    /// How many rows have a line in the archive.
    private static func archived(in reader: LogReader, upTo end: LogPosition, _ rows: PlayRows) throws -> Int64 {
        var count: Int64 = 0
        var words: [Int64: UInt64] = [:]
        var position = LogPosition.beginning
        var lines = LoggedPlays()
        while let chunk = try reader.next(after: position, upTo: end, maxBytes: 1 << 20) {
            position = chunk.end
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
