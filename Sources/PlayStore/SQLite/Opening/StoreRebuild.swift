package import Archive
internal import SQLite

/// Makes the database anew from the logs.
package enum StoreRebuild {
    /// Loads the logs into a new database under another name, and puts it in the place of the old one when it is whole.
    ///
    /// The old database, whatever is wrong with it, stays as it is until then. The caller holds the ``DataDirectory``.
    ///
    /// - Parameter progress: gets the follower's status after every commit.
    /// - Returns: what has been loaded.
    /// - Throws: what the logs' files, the new database or the disk said; then the old database is untouched.
    @discardableResult
    package static func run(
        data: DataPaths, store configuration: StoreConfiguration = .init(),
        follower following: FollowerConfiguration = .init(), progress: (FollowerStatus) -> Void = { _ in }
    ) throws -> StoreTotals {
        let new = DatabaseFile(data.database + ".rebuilt")
        new.remove()
        do {
            let totals = try load(into: new, data, configuration, following, progress)
            try new.replace(DatabaseFile(data.database))
            // What was built beside the old one is older than this.
            DatabaseFile(data.nextDatabase).remove()
            return totals
        } catch {
            new.remove()
            throw error
        }
    }

    private static func load(
        into file: DatabaseFile, _ data: DataPaths, _ configuration: StoreConfiguration,
        _ following: FollowerConfiguration, _ progress: (FollowerStatus) -> Void
    ) throws -> StoreTotals {
        let store = try begin(file, data, configuration)
        let follower = Follower(store: store, data: data, configuration: following)
        try follower.followToEnd(progress: progress)
        // All of it has to be in the one file that gets the new name.
        try follower.putInOrder()
        return follower.status.totals
    }

    /// An empty store in a new file.
    static func begin(
        _ file: DatabaseFile, _ data: DataPaths, _ configuration: StoreConfiguration
    ) throws -> sending SQLiteStore {
        try SQLiteStore.create(at: file.path, of: data)
        return try SQLiteStore(
            SQLiteStore.connection(to: file.path, configuration), path: file.path, configuration)
    }
}
