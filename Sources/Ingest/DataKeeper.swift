package import Archive
package import Platform
package import PlayStore
internal import PlaybackEvents
internal import Synchronization

/// The one owner of a data directory: its lock, the committer that writes the logs, the folder that makes plays of reports,
/// and the follower that loads plays.
package final class DataKeeper: Sendable {
    package let paths: DataPaths
    package let committer: Committer
    package let follower: Follower
    /// Makes plays of what players report.
    package let folder: ReportFolder
    /// Removes what is too old, and compacts closed files.
    package let housekeeper: Housekeeper
    /// Whose plays were erased.
    package let erased: ErasedPlays
    package let directory: DataDirectory
    let isStoreShared: Bool
    let now: @Sendable () -> Int64

    /// Takes the directory, opens its database, recovers its logs and starts the committer; follower and folder
    /// wait for ``start()``, or to be called.
    ///
    /// - Parameters:
    ///   - choice: what follows the log.
    ///   - erasesLater: leaves erasures that were begun to whoever goes on with them, but for those of which the store may have lost
    ///     the rows.
    ///   - now: ms since 1970.
    /// - Throws: ``DataDirectoryError``, ``SQLiteStoreError``, ``ClickHouseStoreError``, or what the system said.
    package init(
        _ root: String, store choice: any StoreChoice = EmbeddedChoice(), committing: CommitterConfiguration = .init(),
        following: FollowerConfiguration = .init(), folding: FoldConfiguration = .init(),
        housekeeping: HousekeepingConfiguration = .init(), erasesLater: Bool = false,
        now: @escaping @Sendable () -> Int64
    ) throws {
        directory = try DataDirectory(root, remembered: choice.remembered)
        paths = directory.paths
        erased = ErasedPlays(try EraseFolder(paths).tombstones())
        isStoreShared = choice.isShared
        self.now = now
        let store = try choice.open(paths, node: committing.node, onNotice: following.onNotice)
        var committing = committing
        committing.followedTo = store.positions.plays
        committing.quarantineFollowedTo = store.positions.rejected
        committing.reportsFollowedTo = try FoldPositions.read(paths)?.written ?? .beginning
        // Files that an erasure is about to give back must not grow meanwhile.
        committing.resumesFiles = try EraseFolder(paths).ids(.plan).isEmpty
        let bell = Bell()
        let given = committing.onCommit
        committing.onCommit = { position in
            given(position)
            bell.ring()
        }
        let committer = try Committer(directory: directory, configuration: committing)
        var following = choice.fitted(following)
        following.durableEnd = { committer.end(of: $0) }
        following.quarantine = { line in
            var rejected: [UInt8] = []
            line.quarantined(now: now()).append(to: &rejected)
            try committer.commit(LogLines(rejected: rejected, receivedAt: now()))
        }
        self.committer = committer
        follower = Follower(store: store, data: paths, configuration: following)
        folder = ReportFolder(paths, committer: committer, erased: erased, configuration: folding, now: now)
        housekeeper = Housekeeper(
            directory, committer: committer, follower: follower, configuration: housekeeping, now: now)
        bell.wakes(follower, folder)
        try DataEraser(self).finish(leavesBegun: erasesLater)
    }

    /// Says whether the directory is still the one that was opened.
    package func check() throws(FileError) {
        try directory.check()
    }

    /// Starts the threads of folder, follower and housekeeper.
    package func start() throws(ThreadError) {
        try folder.start()
        try follower.start()
        try housekeeper.start()
    }

    /// Bytes of the logs that the store lacks: of plays, and of reports of which none have been made yet.
    package var lagBytes: Int64 {
        committer.bytes(after: follower.status.positions.plays) + folder.lagBytes
    }

    /// Returns when the store holds every play that was acknowledged before, and those that have closed.
    package func waitForStore() throws {
        try folder.foldToEnd()
        try follower.followToEnd()
    }

    /// Commits what waits, loads what is under way, lets go of the directory with the object.
    package func stop() {
        folder.requestStop()
        housekeeper.stop()
        committer.stop()
        folder.stop()
        follower.stop()
    }
}

/// Lets the committer, which is made first, wake the follower and the folder, which are made of what the committer knows.
private final class Bell: Sendable {
    private let sleepers = Mutex<(follower: Follower, folder: ReportFolder)?>(nil)

    func wakes(_ follower: Follower, _ folder: ReportFolder) {
        sleepers.withLock { $0 = (follower, folder) }
    }

    func ring() {
        guard let sleepers = sleepers.withLock({ $0 }) else { return }
        sleepers.follower.wake()
        sleepers.folder.wake()
    }
}
