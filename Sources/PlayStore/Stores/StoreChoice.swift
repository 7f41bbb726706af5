package import Archive
package import PlaybackEvents
package import Reports

/// Which store follows the log of a data directory, and is asked for reports.
package protocol StoreChoice: Sendable {
    /// Opens the store for the follower. The caller holds the ``DataDirectory``.
    ///
    /// - Parameters:
    ///   - node: this server's name among several that feed one store.
    ///   - onNotice: told of an embedded database that was raised to this program's layout.
    /// - Throws: what the store can't be followed on with, such as a ``SQLiteStoreError``.
    func open(
        _ data: DataPaths, node: NodeName, onNotice: @escaping @Sendable (FollowerNotice) -> Void
    ) throws -> any Store

    /// The store as reports see it.
    ///
    /// - Parameter patience: how long the queries may take; nil: as long as the store lets them.
    func reports(_ data: DataPaths, patience: Duration?) throws -> any ReportStore

    /// Loads all of the logs anew. The caller holds the ``DataDirectory``.
    ///
    /// - Parameters:
    ///   - node: this server's name among several that feed one store; nil for the one that it has had.
    ///   - takesOver: a directory that has fed no store yet may take a name that is another's.
    ///   - progress: gets the follower's status after every commit.
    func rebuild(
        _ data: DataPaths, node: NodeName?, takesOver: Bool, follower following: FollowerConfiguration,
        progress: (FollowerStatus) -> Void
    ) throws -> StoreTotals

    /// What the store knows of a data directory that has no manifest; nothing, where it can't be understood.
    ///
    /// - Throws: a ``FileError`` while somebody else keeps everybody off its file: it may know more than nothing.
    func remembered(_ data: DataPaths) throws(FileError) -> RememberedDirectory

    /// How many plays the store has that are in no file of the archive; nil where it can't tell.
    func unarchivedPlays(_ data: DataPaths) throws -> Int64?

    /// How far the store has read the logs, asked beside whoever writes it.
    func positions(_ data: DataPaths) throws -> LogPositions

    /// The same where nobody writes, on a disk that may have no room. The caller holds the ``DataDirectory``.
    func placesAlone(_ data: DataPaths) throws -> LogPositions

    /// Holds the store against the logs, beside whoever writes.
    ///
    /// - Parameter progress: gets the number of the archive's plays that have been looked up.
    func verify(_ data: DataPaths, progress: (Int64) -> Void) throws -> StoreVerification

    /// Removes the plays of old days, from a shared store those of all servers. The caller holds the ``DataDirectory``.
    ///
    /// - Parameters:
    ///   - day: the first day to stay, UTC days since 1970.
    ///   - onNotice: told of an embedded database that was raised to this program's layout.
    ///   - progress: gets the number of plays removed so far.
    /// - Returns: how many were removed.
    func prune(
        _ data: DataPaths, before day: Int64, onNotice: @escaping @Sendable (FollowerNotice) -> Void,
        progress: (Int64) -> Void
    ) throws -> Int64

    /// How many rows an erasure would remove.
    func countErasable(_ data: DataPaths, _ target: ErasureTarget) throws -> Int64
    /// A follower's configuration with the batches that the store likes.
    func fitted(_ configuration: FollowerConfiguration) -> FollowerConfiguration

    /// The file in the data directory that a follower writes to.
    func database(_ data: DataPaths) -> String

    /// What tells the store's exports from those of another one: where it is. Nil for a directory that is not there.
    func name(_ data: DataPaths) -> String?

    /// Whether somebody else may change the store, too.
    var isShared: Bool { get }
}

extension StoreChoice {
    package func open(_ data: DataPaths, node: NodeName) throws -> any Store {
        try open(data, node: node) { _ in }
    }

    package func reports(_ data: DataPaths) throws -> any ReportStore { try reports(data, patience: nil) }

    package func placesAlone(_ data: DataPaths) throws -> LogPositions { try positions(data) }

    package func fitted(_ configuration: FollowerConfiguration) -> FollowerConfiguration { configuration }
}
