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

    /// - Throws: ``ClickHouseStoreError`` for what can't be followed on with.
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

    package func remembered(_ data: DataPaths) throws(FileError) -> RememberedDirectory {
        do {
            let record = try ClickHouseRecord.existing(data)
            return RememberedDirectory(
                identity: record.identity.directory, isPruned: try record.totals().prunedBefore != nil)
        } catch {
            if (error as? SQLiteError)?.isBusy ?? (error as? SQLiteStoreError)?.isBusy ?? false {
                throw FileError("read", data.clickHouseRecord, code: EBUSY)
            }
            return RememberedDirectory()
        }
    }

    package func unarchivedPlays(_ data: DataPaths) throws -> Int64? { nil }

    package func positions(_ data: DataPaths) throws -> LogPositions { try ClickHouseRecord.existing(data).positions() }

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

/// Removes old days from a ClickHouse store: whole partitions, whoever put them in.
enum ClickHousePruner {
    static func run(
        _ data: DataPaths, _ client: ClickHouseClient, before day: Int64
    ) throws -> Int64 {
        let store = try ClickHouseLayout(client).check()
        // The record is this data directory's alone, and says what it need not find in the store any more.
        guard try ClickHouseRecord.existing(data).identity.store == store else { throw ClickHouseStoreError.notFed }
        let record = try ClickHouseRecord(path: data.clickHouseRecord, mode: .readWrite)
        var totals = try record.totals()
        totals.prunedBefore = max(totals.prunedBefore ?? .min, day * 24)
        try record.set(totals)
        let removed = try ClickHouseRows(client).removePlays(before: day, for: record)
        try record.forget(before: day * 24)
        return removed
    }
}

/// Loads all of a data directory's logs into a ClickHouse store anew.
private enum ClickHouseRebuild {
    /// Removes what this server has in the store, and follows the logs from their beginning. What other servers have there
    /// stays.
    ///
    /// Until it is done, reports lack this server's plays. When it is broken off while it loads, any follower goes on; before
    /// that it has to be run again.
    ///
    /// - Parameters:
    ///   - node: the server's name; nil for the one that it has had, if any.
    ///   - takesOver: a directory that has fed no store yet may take a name that is another's.
    /// - Throws: ``ClickHouseStoreError/nodeTaken(_:)`` when the name is another data directory's.
    static func run(
        data: DataPaths, client: ClickHouseClient, node: NodeName?, takesOver: Bool,
        follower following: FollowerConfiguration,
        progress: (FollowerStatus) -> Void
    ) throws -> StoreTotals {
        let layout = ClickHouseLayout(client)
        let store = try layout.check()
        let known = try record(of: data)
        let name = node ?? known.flatMap { NodeName($0.identity.node) } ?? .standard
        let nodes = try layout.nodes()
        let isTaken = nodes.contains { $0.node.name == name.description && $0.directory != known?.identity.directory }
        // A rebuild that was broken off while it removed rows had looked already.
        let hasBegun = try known.map { try $0.isRebuilding && $0.identity.node == name.description } ?? false
        guard !isTaken || hasBegun || takesOver && known?.identity.store == nil else {
            throw ClickHouseStoreError.nodeTaken(name.description)
        }
        // First the places go back to the beginning: a crash must not leave places that rows are missing before.
        try ClickHouseRecord.create(
            at: data.clickHouseRecord, node: name,
            directory: try known?.identity.directory ?? Manifest.identity(of: data), rebuilding: store)
        // Under an earlier name, too.
        let own = nodes.filter { $0.directory == known?.identity.directory }.map(\.node.name)
        for name in Set(own + [name.description]).sorted() { try ClickHouseRows(client).removeAll(of: name) }
        try ClickHouseRecord(path: data.clickHouseRecord, mode: .readWrite).didEmpty()
        let follows = try ClickHouseStore(data: data, client: client, node: name)
        let follower = Follower(store: follows, data: data, configuration: following)
        try follower.followToEnd(progress: progress)
        return follower.status.totals
    }

    /// The record that the directory has; nil without one, and for one that can't be read as ours, which is made anew.
    private static func record(of data: DataPaths) throws -> ClickHouseRecord? {
        do {
            return try ClickHouseRecord.existing(data)
        } catch ClickHouseStoreError.absentRecord, ClickHouseStoreError.foreignRecord {
            return nil
        } catch let error as SQLiteError where error.isDamage {
            return nil
        }
    }
}
