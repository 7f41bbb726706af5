internal import Archive
internal import ClickHouse
internal import SQLite

/// Loads all of a data directory's logs into a ClickHouse store anew.
enum ClickHouseRebuild {
    /// Removes what this server has in the store, and follows the logs from their beginning. What other servers have there
    /// stays.
    ///
    /// Until it is done, reports lack this server's plays. When it is broken off while it loads, any follower goes on; before
    /// that it has to be run again.
    ///
    /// - Parameter node: the server's name; ``NodeName/standard`` stands for the one that it has had, if any.
    static func run(
        data: DataPaths, client: ClickHouseClient, node: NodeName, follower following: FollowerConfiguration,
        progress: (FollowerStatus) -> Void
    ) throws -> StoreTotals {
        let known = try? ClickHouseRecord(path: data.clickHouseRecord, mode: .readOnly).identity.node
        let name = node == .standard ? known.flatMap { NodeName($0) } ?? node : node
        try ClickHouseLayout(client).check()
        // First the places go back to the beginning: a crash must not leave places that rows are missing before.
        try ClickHouseRecord.create(at: data.clickHouseRecord, node: name, isRebuilding: true)
        try ClickHouseRows(client).removeAll(of: name.description)
        try ClickHouseRecord(path: data.clickHouseRecord, mode: .readWrite).didEmpty()
        let store = try ClickHouseStore(data: data, client: client, node: name)
        let follower = Follower(store: store, data: data, configuration: following)
        try follower.followToEnd(progress: progress)
        return follower.status.totals
    }
}
