internal import Synchronization

/// A wish that one thread raises and others look at between two pieces of work.
package final class Flag: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isRaised: Bool { flag.load(ordering: .relaxed) }

    package func raise() { flag.store(true, ordering: .relaxed) }

    package func lower() { flag.store(false, ordering: .relaxed) }
}
