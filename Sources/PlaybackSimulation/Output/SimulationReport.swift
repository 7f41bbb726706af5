/// What became of the plays, in the senders' own words.
package struct SimulationReport: Sendable, Hashable {
    package var devices = 0
    package var sessions = 0
    /// Plays that the meters closed.
    package var plays = 0
    /// Plays that an endpoint accepted, as far as their senders know.
    package var delivered = 0
    /// Plays that senders gave up.
    package var dropped = 0
    /// Plays that waited in a sender when its process ended, or the simulation.
    package var left = 0
    /// Requests made.
    package var attempts = 0

    static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.devices += other.devices
        sum.sessions += other.sessions
        sum.plays += other.plays
        sum.delivered += other.delivered
        sum.dropped += other.dropped
        sum.left += other.left
        sum.attempts += other.attempts
        return sum
    }
}
