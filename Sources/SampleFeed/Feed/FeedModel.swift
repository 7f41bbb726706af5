import AVFoundation
import Observation
import PlaybackMetricsAVFoundation
import PlaybackMetricsClient

/// A vertical feed: which clip is on the screen, in which player, and what its plays are tagged with.
@Observable
public final class FeedModel {
    /// The videos, from the top.
    public let clips: [Clip]
    /// The clip on the screen.
    public private(set) var current: Clip?
    /// Its player.
    private(set) var kept: KeptPlayer?
    /// When a clip begins by itself.
    public var policy = AutoplayPolicy.always

    private let metrics: any PlaybackMetrics
    private let session: PlaybackSession
    private let network: () -> PlaybackNetwork?
    private let follow: (AVPlayerMetrics) -> Void
    @ObservationIgnored private var keeper: PlayerKeeper?
    @ObservationIgnored private var circumstances: [String: Circumstances] = [:]

    private struct Circumstances {
        var acquired: PlayerAcquisition?
        var isPreloaded = false
        var isAutoplay = false
    }

    /// A feed.
    ///
    /// - Parameters:
    ///   - clips: the videos, from the top.
    ///   - lifecycle: how players are kept.
    ///   - metrics: takes the plays.
    ///   - session: the run of the app in the foreground.
    ///   - network: the kind of network now.
    ///   - follow: tells the metrics of a player when the app leaves and comes back.
    public init(
        clips: [Clip], lifecycle: PlayerLifecycle = .reusePool, metrics: any PlaybackMetrics, session: PlaybackSession,
        network: @escaping () -> PlaybackNetwork?, follow: @escaping (AVPlayerMetrics) -> Void = { _ in }
    ) {
        self.clips = clips
        self.metrics = metrics
        self.session = session
        self.network = network
        self.follow = follow
        keeper = makeKeeper(lifecycle)
    }

    /// How players are kept.
    public var lifecycle: PlayerLifecycle { keeper?.lifecycle ?? .default }

    /// Keeps players in another way from now on.
    public func keep(_ lifecycle: PlayerLifecycle) async {
        await keeper?.releaseAll()
        kept = nil
        keeper = makeKeeper(lifecycle)
        if let current { await show(current) }
    }

    /// The viewer comes to a clip.
    public func show(_ clip: Clip) async {
        guard let keeper else { return }
        let isAutoplay = plays(on: network())
        let wasKept = keeper.player(of: clip) != nil
        circumstances[clip.id, default: Circumstances()].isAutoplay = isAutoplay
        if kept?.clip != clip { kept?.player.pause() }
        current = clip
        let (next, acquisition) = await keeper.acquire(clip)
        // The viewer may have come to another clip meanwhile.
        guard current == clip else { return }
        circumstances[clip.id]?.acquired = acquisition
        circumstances[clip.id]?.isPreloaded = wasKept
        kept = next
        if isAutoplay { next.player.play() }
        await preload(after: clip)
    }

    /// The viewer taps the clip.
    public func tap() {
        guard let player = kept?.player else { return }
        if player.timeControlStatus == .paused { player.play() } else { player.pause() }
    }

    /// Where the clip is shown from now on.
    public func present(_ presentation: PlaybackPresentation) {
        kept?.metrics.show(presentation)
    }

    /// Lets every player go; every play is recorded when this returns.
    public func close() async {
        await keeper?.releaseAll()
        kept = nil
        current = nil
    }

    private func plays(on network: PlaybackNetwork?) -> Bool {
        switch policy {
        case .always: true
        case .unmetered: network == .wifi || network == .ethernet
        case .never: false
        }
    }

    private func preload(after clip: Clip) async {
        guard let keeper, keeper.preloads, let index = clips.firstIndex(of: clip), index + 1 < clips.count else {
            return
        }
        _ = await keeper.acquire(clips[index + 1], keeping: kept)
    }

    // MARK: Players

    private func makeKeeper(_ lifecycle: PlayerLifecycle) -> PlayerKeeper {
        PlayerKeeper(
            lifecycle, make: { [unowned self] in makePlayer() },
            fill: { [unowned self] kept, clip in
                let item = AVPlayerItem(url: clip.url)
                // In Low Data Mode the viewer asked the app to spare.
                if network() == .constrained { item.preferredPeakBitRate = 800_000 }
                kept.player.replaceCurrentItem(with: item)
                loop(item, in: kept)
            })
    }

    private func makePlayer() -> KeptPlayer {
        let player = AVPlayer()
        let measured = AVPlayerMetrics(player: player, metrics: metrics, edge: { CDNEdge.known($0) }) {
            [weak self] item in
            guard let self, let clip = clips.first(where: { $0.url == (item.asset as? AVURLAsset)?.url }) else {
                return nil
            }
            return PlaybackClip(videoId: VideoID(clip.id)) { self.context(of: clip) }
        }
        follow(measured)
        return KeptPlayer(player, measured)
    }

    /// A feed's clip begins anew at its end, as long as it is on the screen: each round is a replay.
    private func loop(_ item: AVPlayerItem, in kept: KeptPlayer) {
        kept.loop = NotificationObservation(AVPlayerItem.didPlayToEndTimeNotification, of: item) {
            [weak self, weak kept] in
            guard let self, let kept, kept === self.kept else { return }
            kept.player.seek(to: .zero)
            kept.player.play()
        }
    }

    /// What the plays of a clip are told with.
    func context(of clip: Clip) -> PlaybackContext {
        var context = PlaybackContext(session: session)
        context.network = network()
        context.tags.lifecycle = lifecycle
        context.tags.acquired = circumstances[clip.id]?.acquired
        context.tags.preloaded = circumstances[clip.id]?.isPreloaded
        context.tags.autoplay = circumstances[clip.id]?.isAutoplay
        context.tags["autoplay_policy"] = PlaybackLabel(policy.rawValue)
        context.tags["low_data"] = network() == .constrained ? "yes" : "no"
        return context
    }
}
