package import Archive
package import ClickHouse
internal import Glibc
package import Reports

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

    /// How far the store has read the logs, asked beside whoever writes it.
    package func places(_ data: DataPaths) throws -> LogPlaces {
        switch self {
        case .embedded: try StorePlaces.read(data: data)
        case .clickHouse: try ClickHouseRecord.existing(data).places()
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
    /// - Returns: how many were removed, and up to where the store has read the logs.
    package func prune(
        _ data: DataPaths, before day: Int64, onNotice: @escaping @Sendable (FollowerNotice) -> Void = { _ in },
        progress: (Int64) -> Void = { _ in }
    ) throws -> (plays: Int64, places: LogPlaces) {
        switch self {
        case .embedded:
            let store = try SQLiteStore(data: data, configuration: Self.configuration(onNotice))
            let plays = try store.prune(before: day, progress: progress)
            try store.rest()
            return (plays, store.places)
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
}
