internal import PlayStore
internal import Synchronization

/// Lets the committer, which is made first, wake the follower, which is made of what the committer knows.
final class Bell: Sendable {
    private let follower = Mutex<Follower?>(nil)

    func wakes(_ follower: Follower) {
        self.follower.withLock { $0 = follower }
    }

    func ring() {
        follower.withLock { $0 }?.wake()
    }
}
