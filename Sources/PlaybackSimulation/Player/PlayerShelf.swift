internal import PlaybackMetricsClient

/// The players of an app and the clips that they hold, the one used last at the end.
struct PlayerShelf: Sendable {
    /// A player that was taken for a clip.
    struct Taken: Sendable {
        let acquired: PlayerAcquisition
        /// What it holds of the clip.
        var load: SegmentLoad?
        /// Before it can ask for data or show what it has, in ms.
        let setup: Int64
        /// Whether the clip had been loaded, or begun to be, before the viewer came to it.
        let isPreloaded: Bool
    }

    private struct Held: Sendable {
        let load: SegmentLoad
        let isPreload: Bool
    }

    let keeping: PlayerKeeping
    private var held: [Held] = []
    private(set) var players = 0

    init(_ keeping: PlayerKeeping) {
        self.keeping = keeping
    }

    /// Takes a player for a clip.
    mutating func take(for clip: Clip, _ chance: inout Chance) -> Taken {
        if let index = held.lastIndex(where: { $0.load.clip.id == clip.id }) {
            let found = held.remove(at: index)
            let setup = chance.logNormal(median: PlayerKeeping.showing, sigma: 0.5)
            return Taken(
                acquired: keeping.lifecycle == .idScopedPool ? .hit : .reused, load: found.load, setup: Int64(setup),
                isPreloaded: found.isPreload)
        }
        let isNew = keeping.lifecycle == .default || players < keeping.players
        if isNew { players = min(players + 1, keeping.players) }
        // Room for the one in use: the least recently used goes.
        while held.count >= max(1, keeping.players) { held.removeFirst() }
        let setup = chance.logNormal(median: isNew ? keeping.making : keeping.changing, sigma: 0.35)
        return Taken(acquired: isNew ? .new : .reused, load: nil, setup: Int64(setup), isPreloaded: false)
    }

    /// The viewer has left a clip.
    mutating func putBack(_ load: SegmentLoad) {
        guard keeping.keepsClips, load.failure == nil else { return }
        hold(Held(load: load, isPreload: false))
    }

    /// The clip that comes next has been loaded, or has begun to be.
    mutating func hold(preloaded load: SegmentLoad) {
        guard load.failure == nil else { return }
        if !keeping.keepsClips { held.removeAll() }
        players = min(players + 1, keeping.players)
        hold(Held(load: load, isPreload: true))
    }

    private mutating func hold(_ clip: Held) {
        held.removeAll { $0.load.clip.id == clip.load.clip.id }
        while held.count >= keeping.players { held.removeFirst() }
        held.append(clip)
    }

    /// What the players hold, in bytes.
    var memory: Int64 {
        Int64(players) * PlayerKeeping.memory + held.reduce(0) { $0 + min($1.load.bytes, 6 << 20) }
    }

    /// The system takes everything back that is not in use.
    mutating func empty() {
        held = []
        players = min(players, 1)
    }
}

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
