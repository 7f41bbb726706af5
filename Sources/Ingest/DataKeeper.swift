package import Archive
package import PlayStore
internal import PlaybackEvents

/// The one owner of a data directory: its lock, the committer that writes the log, and the follower that loads it.
package final class DataKeeper: Sendable {
    package let paths: DataPaths
    package let committer: Committer
    package let follower: Follower
    private let directory: DataDirectory

    /// Takes the directory, opens its database, recovers its logs and starts the committer; the follower waits for
    /// ``Follower/start()`` or ``Follower/followToEnd(progress:)``.
    ///
    /// - Parameters:
    ///   - choice: what follows the log.
    ///   - now: ms since 1970.
    /// - Throws: ``DataDirectoryFault``, ``StoreFault``, ``ClickHouseFault``, or what the system said.
    package init(
        _ root: String, store choice: any StoreChoice = EmbeddedChoice(), committing: CommitterConfiguration = .init(),
        following: FollowerConfiguration = .init(),
        now: @escaping @Sendable () -> Int64
    ) throws {
        directory = try DataDirectory(root, remembered: choice.remembered)
        paths = directory.paths
        let store = try choice.open(paths, node: committing.node, onNotice: following.onNotice)
        var committing = committing
        committing.followedTo = store.places.plays
        committing.quarantineFollowedTo = store.places.rejected
        let bell = Bell()
        let given = committing.onCommit
        committing.onCommit = { place in
            given(place)
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
        bell.wakes(follower)
    }

    /// Says whether the directory is still the one that was opened.
    package func check() throws(FileFault) {
        try directory.check()
    }

    /// Bytes of the archive that the store lacks.
    package var lagBytes: Int64 {
        committer.bytes(after: follower.status.places.plays)
    }

    /// Commits what waits, loads what is under way, lets go of the directory with the object.
    package func stop() {
        committer.stop()
        follower.stop()
    }
}
