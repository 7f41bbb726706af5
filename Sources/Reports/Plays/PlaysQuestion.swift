/// Which plays are looked at one by one.
package enum PlayChoice: Sendable, Hashable {
    /// Those in which it went worst, the worst first.
    case worst(PlayTrouble)
    /// Some at random, the same ones for the same seed, in order of time.
    case sample(seed: UInt64)
    /// All of a session, in order of time, whatever the scope says.
    case session(String)
    /// The one with an identifier, whatever the scope says.
    case play(String)

    /// Only for ``session(_:)`` and ``play(_:)``.
    package var id: String? {
        switch self {
        case .session(let id), .play(let id): id
        case .worst, .sample: nil
        }
    }
}

/// What can be worst about a play.
package enum PlayTrouble: String, Sendable, CaseIterable {
    /// The longest measured startup.
    case startup
    /// The longest time stalled, of started plays with a stall.
    case stalls
    /// Plays with an error, the newest first.
    case failed
}

package struct PlaysQuestion: Sendable {
    /// Its groups don't matter.
    package var scope: PlayScope
    /// Times of plays, ms since 1970; nil for all.
    package var times: Range<Int64>?
    package var choice: PlayChoice
    /// So many plays at the most.
    package var limit: Int

    package init(_ scope: PlayScope, in times: Range<Int64>?, _ choice: PlayChoice, limit: Int) {
        self.scope = scope
        self.times = times
        self.choice = choice
        self.limit = limit
    }
}

/// Some plays, and how many there are that might have been chosen.
package struct ChosenPlays: Sendable {
    package var plays: [PlayRecord]
    package var total: Int64

    package init(plays: [PlayRecord] = [], total: Int64 = 0) {
        self.plays = plays
        self.total = total
    }
}

/// How plays are ordered to choose some: by what they say alone, so that every store chooses the same ones.
package struct PlayRank: Sendable, Hashable, Comparable {
    /// The least comes first.
    package let order: UInt64
    package let endedAt: Int64

    /// Nil for a play that is not in question.
    ///
    /// - Parameters:
    ///   - startupMs: -1 for a play without.
    ///   - times: ms since 1970.
    @inline(__always)
    package init?(
        _ choice: PlayChoice, startupMs: Int64, stalls: Int64, stalledMs: Int64, watchedMs: Int64, isFailed: Bool,
        endedAt: Int64, receivedAt: Int64
    ) {
        switch choice {
        case .worst(.startup):
            guard startupMs >= 0 else { return nil }
            order = UInt64.max - UInt64(startupMs)
        case .worst(.stalls):
            guard stalls > 0, startupMs >= 0 || watchedMs > 0 else { return nil }
            order = UInt64.max - UInt64(max(0, stalledMs))
        case .worst(.failed):
            guard isFailed else { return nil }
            order = UInt64.max - UInt64(bitPattern: endedAt &- .min)
        case .sample(let seed):
            order = Self.hash(
                seed, UInt64(bitPattern: endedAt), UInt64(bitPattern: receivedAt), UInt64(bitPattern: startupMs),
                UInt64(bitPattern: watchedMs))
        case .session, .play: order = 0
        }
        self.endedAt = endedAt
    }

    package static func < (one: PlayRank, other: PlayRank) -> Bool {
        one.order != other.order ? one.order < other.order : one.endedAt < other.endedAt
    }

    /// What the seed, the times, the startup and the watched ms are multiplied with: odd numbers without a pattern.
    package static let factors: [UInt64] = [
        0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5,
        0x8546_61EB_CA77_B5D3,
    ]
    /// The shifts and factors that then mix the bits (Sebastiano Vigna's SplitMix64).
    package static let mixing: [(shift: UInt64, factor: UInt64)] = [
        (30, 0xBF58_476D_1CE4_E5B9), (27, 0x94D0_49BB_1331_11EB), (31, 1),
    ]

    @inline(__always)
    private static func hash(
        _ seed: UInt64, _ endedAt: UInt64, _ receivedAt: UInt64, _ startupMs: UInt64, _ watchedMs: UInt64
    ) -> UInt64 {
        var hash = seed &* 0x9E37_79B9_7F4A_7C15 ^ endedAt &* 0xC2B2_AE3D_27D4_EB4F
        hash ^= receivedAt &* 0x1656_67B1_9E37_79F9 ^ startupMs &* 0x27D4_EB2F_1656_67C5
        hash ^= watchedMs &* 0x8546_61EB_CA77_B5D3
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }
}
