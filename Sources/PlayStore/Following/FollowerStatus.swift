/// How a ``Follower`` stands.
package struct FollowerStatus: Sendable, Equatable {
    /// Up to where the store has the logs.
    package var positions: LogPositions
    package var totals: StoreTotals
    /// There was nothing more to load when it last looked.
    package var isAtEnd = false
    /// How long there has been something that the store does not have, in seconds.
    package var lagSeconds: Double = 0
    /// Why the last load failed; nil when it did not.
    package var fault: String?
    /// What it failed with does not pass by itself: somebody has to do something.
    package var isFaultLasting = false
    /// What is wrong with the store's own files; nil when nothing is known to be.
    package var damage: String?
    /// What the store's file has of room that new plays will use, in bytes, as of a moment ago.
    package var freeBytes: Int64 = 0
    /// Failures since the last load that succeeded.
    package var failures = 0

    package init(positions: LogPositions, totals: StoreTotals) {
        self.positions = positions
        self.totals = totals
    }
}
