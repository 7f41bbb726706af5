package import Archive
package import ClickHouse
package import Reports

/// Which store follows the log of a data directory, and is asked for reports.
package enum StoreChoice: Sendable {
    /// The SQLite database in the data directory.
    case embedded
    /// A ClickHouse server or cluster.
    case clickHouse(ClickHouseClient)

    /// Opens the store for the follower. The caller holds the ``DataDirectory``.
    ///
    /// - Parameter node: this server's name among several that feed one store.
    /// - Throws: ``StoreFault`` or ``ClickHouseFault`` for what can't be followed on with.
    package func open(_ data: DataPaths, node: NodeName) throws -> any Store {
        switch self {
        case .embedded: try SQLiteStore(data: data)
        case .clickHouse(let client): try ClickHouseStore(data: data, client: client, node: node)
        }
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

    /// A follower's configuration with the batches that the store likes.
    package func fitted(_ configuration: FollowerConfiguration) -> FollowerConfiguration {
        guard case .clickHouse = self else { return configuration }
        var configuration = configuration
        // Each chunk makes a part of every day that it touches, which ClickHouse merges later: few and large ones are best.
        configuration.batchRows = 200_000
        configuration.pauseMs = 2_000
        return configuration
    }

    /// Whether somebody else may change the store, too.
    package var isShared: Bool {
        if case .clickHouse = self { return true }
        return false
    }
}
