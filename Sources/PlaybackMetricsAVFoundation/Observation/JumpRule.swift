import PlaybackMetricsClient

/// Gives a jump the wait that it caused.
///
/// The system's controls announce no seek: the player only says that its time jumped, just before or after it begins to
/// wait. A wait that begins within 300 ms of a jump is the seek's. So a wait is held back, with what comes after it, until a
/// jump has come or 300 ms have passed; the instants stay what they were, so no figure depends on the holding.
struct JumpRule: Sendable {
    /// An input and its time.
    struct Timed: Sendable, Hashable {
        var input: PlaybackInput
        var instant: PlaybackInstant
    }

    static let window = Duration.milliseconds(300)

    /// A wait, and what came after it.
    private var held: [Timed] = []

    /// Takes an input.
    ///
    /// - Parameter hasStarted: the play has. A wait before that is the startup's, whatever jumps.
    /// - Returns: what the meter is told now, in order.
    mutating func take(_ input: PlaybackInput, at instant: PlaybackInstant, hasStarted: Bool = true) -> [Timed] {
        var passed = expire(at: instant)
        let timed = Timed(input: input, instant: instant)
        if input.closesPlay {
            passed += release() + [timed]
        } else if !held.isEmpty || hasStarted && input.beginsWait {
            held.append(timed)
        } else {
            passed.append(timed)
        }
        return passed
    }

    /// The player's time jumped.
    ///
    /// - Returns: what the meter is told now, in order.
    mutating func jump(at instant: PlaybackInstant) -> [Timed] {
        let passed = expire(at: instant)
        let began = held.first?.instant ?? instant
        return passed + [Timed(input: .seekBegan, instant: began)] + release()
            + [Timed(input: .seekEnded, instant: instant)]
    }

    /// What has been held for long enough.
    mutating func expire(at instant: PlaybackInstant) -> [Timed] {
        guard let wait = held.first, wait.instant.duration(to: instant) > Self.window else { return [] }
        return release()
    }

    private mutating func release() -> [Timed] {
        defer { held.removeAll(keepingCapacity: true) }
        return held
    }
}

extension PlaybackInput {
    fileprivate var beginsWait: Bool { self == .status(.stalled) || self == .status(.loading) }

    fileprivate var closesPlay: Bool {
        switch self {
        case .status(.ended), .status(.failed), .suspended, .stop: true
        default: false
        }
    }
}

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
