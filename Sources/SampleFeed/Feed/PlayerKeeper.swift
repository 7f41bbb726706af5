import AVFoundation
import PlaybackMetricsAVFoundation
import PlaybackMetricsClient

/// A player, what measures it, and the clip that is in it.
final class KeptPlayer {
    let player: AVPlayer
    let metrics: AVPlayerMetrics
    /// Begins the clip anew at its end.
    var loop: NotificationObservation?
    fileprivate(set) var clip: Clip?
    fileprivate var lastUse = 0

    init(_ player: AVPlayer, _ metrics: AVPlayerMetrics) {
        self.player = player
        self.metrics = metrics
    }
}

/// Observes a notification as long as it lives.
nonisolated final class NotificationObservation {
    private let token: any NSObjectProtocol

    /// - Parameter heard: called on the main thread.
    init(_ name: Notification.Name, of object: AnyObject, heard: @escaping @MainActor @Sendable () -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: object, queue: .main) { _ in
            MainActor.assumeIsolated(heard)
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(token)
    }
}

/// The four ways to keep players: a new one for every clip, a few that take any clip in turn, a few that stay with their clips,
/// one for everything. What each costs and saves, the plays say: `qoe report --by tag:lifecycle`.
final class PlayerKeeper {
    /// How many players the pools keep.
    static let poolSize = 3

    let lifecycle: PlayerLifecycle
    private let make: () -> KeptPlayer
    private let fill: (KeptPlayer, Clip) -> Void
    private(set) var players: [KeptPlayer] = []
    private var uses = 0

    /// - Parameters:
    ///   - make: makes a player with its metrics.
    ///   - fill: puts a clip's item into a player.
    init(
        _ lifecycle: PlayerLifecycle, make: @escaping () -> KeptPlayer, fill: @escaping (KeptPlayer, Clip) -> Void
    ) {
        self.lifecycle = lifecycle
        self.make = make
        self.fill = fill
    }

    /// The player that has the clip, if one has.
    func player(of clip: Clip) -> KeptPlayer? { players.first { $0.clip == clip } }

    /// A player with the clip in it, and how it was obtained; `current`: the player that must not be taken from the viewer.
    func acquire(_ clip: Clip, keeping current: KeptPlayer? = nil) async -> (KeptPlayer, PlayerAcquisition) {
        uses += 1
        if let kept = player(of: clip) {
            kept.lastUse = uses
            return (kept, .hit)
        }
        let (kept, acquisition) = await free(keeping: current)
        kept.lastUse = uses
        kept.clip = clip
        fill(kept, clip)
        return (kept, acquisition)
    }

    private func free(keeping current: KeptPlayer?) async -> (KeptPlayer, PlayerAcquisition) {
        switch lifecycle {
        case .singleton:
            if let only = players.first { return (only, .reused) }
        case .reusePool, .idScopedPool:
            if players.count >= Self.poolSize {
                let oldest = players.filter { $0 !== current }.min { $0.lastUse < $1.lastUse }
                if let oldest, lifecycle == .reusePool { return (oldest, .reused) }
                // A player that stays with its clip goes with it.
                if let oldest { await release(oldest) }
            }
        case .default:
            for kept in players where kept !== current { await release(kept) }
        }
        let kept = make()
        players.append(kept)
        return (kept, .new)
    }

    private func release(_ kept: KeptPlayer) async {
        players.removeAll { $0 === kept }
        kept.loop = nil
        await kept.metrics.stop()
        kept.player.pause()
        kept.player.replaceCurrentItem(with: nil)
    }

    /// Lets every player go; every play is recorded when this returns.
    func releaseAll() async {
        for kept in players { await release(kept) }
    }

    /// Whether a clip that comes next can be loaded before the viewer comes to it.
    var preloads: Bool { lifecycle == .reusePool || lifecycle == .idScopedPool }
}
