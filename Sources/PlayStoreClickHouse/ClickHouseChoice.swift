package import Archive
package import ClickHouse
internal import Glibc
package import PlayStore
package import PlaybackEvents
package import Reports
internal import SQLite

/// A ClickHouse server or cluster.
package struct ClickHouseChoice: StoreChoice {
    private let client: ClickHouseClient

    package init(_ client: ClickHouseClient) {
        self.client = client
    }

    /// - Throws: ``ClickHouseFault`` for what can't be followed on with.
    package func open(
        _ data: DataPaths, node: NodeName, onNotice: @escaping @Sendable (FollowerNotice) -> Void
    ) throws -> any Store {
        try ClickHouseStore(data: data, client: client, node: node)
    }

    package func reports(_ data: DataPaths, patience: Duration?) throws -> any ReportStore {
        ClickHouseReportStore(client, patience: patience)
    }

    package func rebuild(
        _ data: DataPaths, node: NodeName?, takesOver: Bool, follower following: FollowerConfiguration,
        progress: (FollowerStatus) -> Void
    ) throws -> StoreTotals {
        try ClickHouseRebuild.run(
            data: data, client: client, node: node, takesOver: takesOver, follower: fitted(following),
            progress: progress)
    }

    package func remembered(_ data: DataPaths) throws(FileFault) -> RememberedDirectory {
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

    package func unarchivedPlays(_ data: DataPaths) throws -> Int64? { nil }

    package func places(_ data: DataPaths) throws -> LogPlaces { try ClickHouseRecord.existing(data).places() }

    package func verify(_ data: DataPaths, progress: (Int64) -> Void) throws -> StoreVerification {
        var verifier = try ClickHouseVerifier(data: data, client: client)
        return try verifier.verify(progress)
    }

    package func prune(
        _ data: DataPaths, before day: Int64, onNotice: @escaping @Sendable (FollowerNotice) -> Void,
        progress: (Int64) -> Void
    ) throws -> Int64 {
        try ClickHousePruner.run(data, client, before: day)
    }

    package func countErasable(_ data: DataPaths, _ target: ErasureTarget) throws -> Int64 {
        let layout = ClickHouseLayout(client)
        try layout.check()
        return try client.integer(
            "SELECT count() FROM \(layout.relation(.plays)) FINAL WHERE \(ClickHouseStore.condition(of: target))")
    }

    package func fitted(_ configuration: FollowerConfiguration) -> FollowerConfiguration {
        var configuration = configuration
        // Each chunk makes a part of every day that it touches, which ClickHouse merges later: few and large ones are best.
        configuration.batchRows = 50_000
        configuration.pauseMs = 2_000
        return configuration
    }

    package func database(_ data: DataPaths) -> String { data.clickHouseRecord }

    package func name(_ data: DataPaths) -> String? {
        "\(client.url.database) on \(client.url.hosts.map { "\($0)" }.sorted().joined(separator: ","))"
    }

    package var isShared: Bool { true }
}
