internal import PlaybackMetricsClient

/// How an app keeps its players, and what that costs and saves.
///
/// These figures are assumptions of the simulation, chosen so that the strategies can be told apart in a report; they are
/// measurements of no device. What holds for an app is what its own plays say.
struct PlayerKeeping: Sendable {
    let lifecycle: PlayerLifecycle
    /// Players that exist at most.
    let players: Int
    /// Whether the next clip is loaded while this one plays.
    let preloads: Bool
    /// Whether a player keeps its clip until it is taken for another one, so that a viewer who comes back finds it.
    let keepsClips: Bool
    /// Making a player, until it asks for data, in ms, in the median.
    let making: Double
    /// Giving a used player another clip, in ms, in the median.
    let changing: Double

    init(_ lifecycle: PlayerLifecycle) {
        self.lifecycle = lifecycle
        switch lifecycle {
        case .default: (players, preloads, keepsClips, making, changing) = (1, false, false, 85, 85)
        case .reusePool: (players, preloads, keepsClips, making, changing) = (3, true, false, 85, 22)
        case .idScopedPool: (players, preloads, keepsClips, making, changing) = (5, true, true, 85, 26)
        case .singleton: (players, preloads, keepsClips, making, changing) = (1, false, false, 85, 38)
        }
    }

    /// Of a clip that a player already has: only showing it takes time, in ms.
    static let showing = 4.0
    /// Segments that are loaded ahead of a play.
    static let preloadedSegments = 2
    /// What a player holds, without its buffer, in bytes.
    static let memory: Int64 = 12 << 20
}
