internal import Synchronization

/// A limit that everything shares which holds bytes for a while: taken before memory is, given back after.
package final class ByteBudget: Sendable {
    /// Bytes that may be taken together.
    package let limit: Int
    private let taken = Atomic(0)

    package init(limit: Int) {
        self.limit = limit
    }

    /// Bytes taken now.
    package var used: Int { taken.load(ordering: .relaxed) }

    /// Takes that many bytes, or none and says false when there is no room for all of them.
    package func take(_ count: Int) -> Bool {
        guard count >= 0 else { return false }
        var current = taken.load(ordering: .relaxed)
        while true {
            guard count <= limit - current else { return false }
            let (exchanged, original) = taken.weakCompareExchange(
                expected: current, desired: current + count, ordering: .relaxed)
            if exchanged { return true }
            current = original
        }
    }

    /// Gives back what was taken.
    package func give(_ count: Int) {
        taken.wrappingSubtract(count, ordering: .relaxed)
    }
}
