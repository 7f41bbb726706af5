internal import Archive
internal import ClickHouse
internal import PlayStore
internal import SQLite

/// Loads all of a data directory's logs into a ClickHouse store anew.
enum ClickHouseRebuild {
    /// Removes what this server has in the store, and follows the logs from their beginning. What other servers have there
    /// stays.
    ///
    /// Until it is done, reports lack this server's plays. When it is broken off while it loads, any follower goes on; before
    /// that it has to be run again.
    ///
    /// - Parameters:
    ///   - node: the server's name; nil for the one that it has had, if any.
    ///   - takesOver: a directory that has fed no store yet may take a name that is another's.
    /// - Throws: ``ClickHouseFault/nodeTaken(_:)`` when the name is another data directory's.
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
            throw ClickHouseFault.nodeTaken(name.description)
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
        } catch ClickHouseFault.absentRecord, ClickHouseFault.foreignRecord {
            return nil
        } catch let error as SQLiteError where error.isDamage {
            return nil
        }
    }
}
