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
