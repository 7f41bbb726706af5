package import Archive
package import ClickHouse
internal import Glibc
package import Reports
internal import SQLite

/// Which store follows the log of a data directory, and is asked for reports.
package enum StoreChoice: Sendable {
    /// The SQLite database in the data directory.
    case embedded
    /// A ClickHouse server or cluster.
    case clickHouse(ClickHouseClient)

    /// Opens the store for the follower. The caller holds the ``DataDirectory``.
    ///
    /// - Parameters:
    ///   - node: this server's name among several that feed one store.
    ///   - onNotice: told of an embedded database that was raised to this program's layout.
    /// - Throws: ``StoreFault`` or ``ClickHouseFault`` for what can't be followed on with.
    package func open(
        _ data: DataPaths, node: NodeName, onNotice: @escaping @Sendable (FollowerNotice) -> Void = { _ in }
    ) throws -> any Store {
        switch self {
        case .embedded: try SQLiteStore(data: data, configuration: Self.configuration(onNotice))
        case .clickHouse(let client): try ClickHouseStore(data: data, client: client, node: node)
        }
    }

    private static func configuration(_ onNotice: @escaping @Sendable (FollowerNotice) -> Void) -> StoreConfiguration {
        var configuration = StoreConfiguration()
        configuration.onRaise = { onNotice(.raised($0)) }
        return configuration
    }

    /// The store as reports see it.
    ///
    /// - Parameter patience: how long the queries may take; nil: as long as the store lets them.
    package func reports(_ data: DataPaths, patience: Duration? = nil) throws -> any ReportStore {
        switch self {
        case .embedded: try SQLiteReportStore(data: data, patience: patience)
        case .clickHouse(let client): ClickHouseReportStore(client, patience: patience)
        }
    }

    /// Loads all of the logs anew. The caller holds the ``DataDirectory``.
    ///
    /// - Parameters:
    ///   - node: this server's name among several that feed one store; nil for the one that it has had.
    ///   - takesOver: a directory that has fed no store yet may take a name that is another's.
    ///   - progress: gets the follower's status after every commit.
    package func rebuild(
        _ data: DataPaths, node: NodeName?, takesOver: Bool = false, follower following: FollowerConfiguration,
        progress: (FollowerStatus) -> Void = { _ in }
    ) throws -> StoreTotals {
        switch self {
        case .embedded: try StoreRebuild.run(data: data, follower: following, progress: progress)
        case .clickHouse(let client):
            try ClickHouseRebuild.run(
                data: data, client: client, node: node, takesOver: takesOver, follower: fitted(following),
                progress: progress)
        }
    }

    /// What the store knows of a data directory that has no manifest; nothing, where it can't be understood.
    ///
    /// - Throws: a ``FileFault`` while somebody else keeps everybody off its file: it may know more than nothing.
    package func remembered(_ data: DataPaths) throws(FileFault) -> RememberedDirectory {
        switch self {
        case .embedded: return try StorePlaces.remembered(data)
        case .clickHouse:
            do {
                let record = try ClickHouseRecord.existing(data)
                return RememberedDirectory(
                    identity: record.identity.directory, isPruned: try record.totals().prunedBefore != nil)
            } catch {
                if (error as? SQLiteError)?.isBusy ?? (error as? StoreFault)?.isBusy ?? false {
                    throw FileFault("read", data.clickHouseRecord, code: EBUSY)
                }
                return RememberedDirectory()
            }
        }
    }

    /// How many plays the store has that are in no file of the archive; nil where it can't tell.
    package func unarchivedPlays(_ data: DataPaths) throws -> Int64? {
        switch self {
        case .embedded: SQLiteStore.isMissingOrEmpty(data.database) ? 0 : try UnarchivedPlays.count(data)
        case .clickHouse: nil
        }
    }

    /// How far the store has read the logs, asked beside whoever writes it.
    package func places(_ data: DataPaths) throws -> LogPlaces {
        switch self {
        case .embedded: try StorePlaces.read(data: data)
        case .clickHouse: try ClickHouseRecord.existing(data).places()
        }
    }

    /// The same where nobody writes, on a disk that may have no room. The caller holds the ``DataDirectory``.
    package func placesAlone(_ data: DataPaths) throws -> LogPlaces {
        do {
            return try places(data)
        } catch let fault as StoreFault where !fault.isBusy {
            switch (self, fault) {
            case (.embedded, .unreadable), (.embedded, .denied), (.embedded, .olderLayout):
                return try StorePlaces.readAlone(data: data)
            default: throw fault
            }
        }
    }

    /// Holds the store against the logs, beside whoever writes.
    ///
    /// - Parameter progress: gets the number of the archive's plays that have been looked up.
    package func verify(_ data: DataPaths, progress: (Int64) -> Void = { _ in }) throws -> StoreVerification {
        switch self {
        case .embedded: return try StoreVerifier.run(data: data, progress: progress)
        case .clickHouse(let client):
            var verifier = try ClickHouseVerifier(data: data, client: client)
            return try verifier.verify(progress)
        }
    }

    /// Removes the plays of old days, from a shared store those of all servers. The caller holds the ``DataDirectory``.
    ///
    /// - Parameters:
    ///   - day: the first day to stay, UTC days since 1970.
    ///   - onNotice: told of an embedded database that was raised to this program's layout.
    ///   - progress: gets the number of plays removed so far.
    /// - Returns: how many were removed.
    package func prune(
        _ data: DataPaths, before day: Int64, onNotice: @escaping @Sendable (FollowerNotice) -> Void = { _ in },
        progress: (Int64) -> Void = { _ in }
    ) throws -> Int64 {
        switch self {
        case .embedded:
            var configuration = Self.configuration(onNotice)
            // The write-ahead log never gets longer than one transaction, for which the disk may have just enough room.
            configuration.checkpointBytes = SQLiteStore.pageBytes
            let store = try SQLiteStore(data: data, configuration: configuration)
            // Also when it has failed, and has taken the last room for that.
            defer { try? store.rest() }
            try store.rest()
            return try store.prune(before: day, progress: progress)
        case .clickHouse(let client):
            return try ClickHousePruner.run(data, client, before: day)
        }
    }

    /// A follower's configuration with the batches that the store likes.
    package func fitted(_ configuration: FollowerConfiguration) -> FollowerConfiguration {
        guard case .clickHouse = self else { return configuration }
        var configuration = configuration
        // Each chunk makes a part of every day that it touches, which ClickHouse merges later: few and large ones are best.
        configuration.batchRows = 50_000
        configuration.pauseMs = 2_000
        return configuration
    }

    /// The file in the data directory that a follower writes to.
    package func database(_ data: DataPaths) -> String {
        switch self {
        case .embedded: data.database
        case .clickHouse: data.clickHouseRecord
        }
    }

    /// What tells the store's exports from those of another one: where it is. Nil for a directory that is not there.
    package func name(_ data: DataPaths) -> String? {
        switch self {
        case .embedded:
            guard let path = realpath(data.root, nil) else { return nil }
            defer { free(path) }
            return String(cString: path)
        case .clickHouse(let client):
            return "\(client.url.database) on \(client.url.hosts.map { "\($0)" }.sorted().joined(separator: ","))"
        }
    }

    /// Whether somebody else may change the store, too.
    package var isShared: Bool {
        if case .clickHouse = self { return true }
        return false
    }

    /// What an error of a store says of the disk; nil for one that is about something else.
    package static func wordsOfDisk(_ error: any Error) -> String? {
        switch error {
        case StoreFault.unreadable(_, let fault) where fault.isOfDisk: fault.message
        case let fault as SQLiteError where fault.isOfDisk: fault.message
        default: nil
        }
    }
}
