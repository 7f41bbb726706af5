package import Foundation

extension Thread {
    /// Runs the work on a thread of its own that the group waits for; what it throws only ends it.
    package static func inGroup(_ group: DispatchGroup, _ work: @escaping @Sendable () throws -> Void) {
        group.enter()
        Thread.detachNewThread {
            defer { group.leave() }
            try? work()
        }
    }
}
