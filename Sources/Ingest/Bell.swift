internal import PlayStore
internal import Synchronization

/// Lets the committer, which is made first, wake the follower and the folder, which are made of what the committer knows.
final class Bell: Sendable {
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
