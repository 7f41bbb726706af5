import PlaybackMetricsClient

/// Finds the stall of a player that does not wait by itself (`automaticallyWaitsToMinimizeStalling` is `false`): it says that
/// it stalled and pauses, in either order, with an empty buffer.
struct EmptyBufferRule: Sendable {
    var isEmpty = false
    private var stalledAt: PlaybackInstant?
    private var pausedAt: PlaybackInstant?

    /// Whether the pause is a stall.
    var isStall: Bool {
        guard isEmpty, let stalledAt, let pausedAt else { return false }
        let apart = stalledAt.duration(to: pausedAt)
        return apart <= JumpRule.window && apart >= .zero - JumpRule.window
    }

    /// Whether the player paused with an empty buffer just now.
    func hasPaused(at now: PlaybackInstant) -> Bool {
        guard isEmpty, let pausedAt else { return false }
        return pausedAt.duration(to: now) <= JumpRule.window
    }

    mutating func stalled(at now: PlaybackInstant) { stalledAt = now }

    mutating func controlChanged(to control: PlayerControl, from before: PlayerControl?, at now: PlaybackInstant) {
        if control == .paused {
            pausedAt = before == .playing ? now : nil
        } else {
            pausedAt = nil
            if control == .playing { stalledAt = nil }
        }
    }

    mutating func reset() { self = EmptyBufferRule() }
}
