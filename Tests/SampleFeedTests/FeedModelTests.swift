import AVFoundation
import PlaybackMetricsAVFoundation
import PlaybackMetricsClient
import Testing

@testable import SampleFeed

@MainActor
@Suite("The sample's feed")
struct FeedModelTests {
    private let recorded = InMemoryPlaybackMetrics()
    private let clips = (0..<6).map { Clip(id: "clip-\($0)", url: URL(string: "https://a.example.com/\($0).m3u8")!) }

    private func feed(_ lifecycle: PlayerLifecycle, _ network: PlaybackNetwork? = .wifi) -> FeedModel {
        FeedModel(
            clips: clips, lifecycle: lifecycle, metrics: recorded, session: PlaybackSession(), network: { network })
    }

    /// Scrolls through some clips, each of which is ready and watched.
    private func scroll(_ feed: FeedModel, _ numbers: [Int]) async {
        for number in numbers {
            await feed.show(clips[number])
            feed.kept?.player.currentItem?.become(.readyToPlay)
            if feed.kept?.player.timeControlStatus != .paused { feed.kept?.player.play() }
        }
    }

    @Test("tags each play with how its player is kept and was obtained", arguments: PlayerLifecycle.allCases)
    func lifecycles(_ lifecycle: PlayerLifecycle) async {
        let feed = feed(lifecycle)
        #expect(feed.lifecycle == lifecycle)
        await scroll(feed, [0, 1, 2, 3])
        await feed.close()
        // A pool lets an older clip go after a newer one.
        let plays = recorded.summaries.sorted { $0.videoId.text < $1.videoId.text }
        #expect(plays.map(\.videoId) == clips.prefix(4).map { VideoID($0.id) })
        #expect(plays.allSatisfy { $0.context.tags.lifecycle == lifecycle && $0.startupMs != nil })
        #expect(plays.allSatisfy { $0.context.tags.count <= PlaybackTags.limit - 1 })
        let expected: [PlayerAcquisition] =
            switch lifecycle {
            case .default: [.new, .new, .new, .new]
            case .singleton: [.new, .reused, .reused, .reused]
            // The next clip is loaded before the viewer comes to it.
            case .reusePool, .idScopedPool: [.new, .hit, .hit, .hit]
            }
        #expect(plays.map { $0.context.tags.acquired } == expected)
        #expect(plays.map { $0.context.tags.preloaded } == expected.map { $0 == .hit })
        #expect(feed.current == nil && feed.kept == nil)
    }

    @Test(
        "keeps no more players than its pool has, and takes none from the viewer", arguments: PlayerLifecycle.allCases)
    func poolSize(_ lifecycle: PlayerLifecycle) async {
        var made: Set<ObjectIdentifier> = []
        let keeper = PlayerKeeper(
            lifecycle,
            make: {
                let player = AVPlayer()
                made.insert(ObjectIdentifier(player))
                return KeptPlayer(player, .init(player: player, metrics: NoOpPlaybackMetrics()) { _ in nil })
            }, fill: { kept, clip in kept.player.replaceCurrentItem(with: AVPlayerItem(url: clip.url)) })
        var current: KeptPlayer?
        for clip in clips + clips.reversed() {
            let (next, _) = await keeper.acquire(clip, keeping: current)
            #expect(next.clip == clip && (next !== current || lifecycle == .singleton || current?.clip == clip))
            current = next
            #expect(keeper.players.count <= (lifecycle == .singleton ? 1 : PlayerKeeper.poolSize))
        }
        await keeper.releaseAll()
        #expect(keeper.players.isEmpty)
    }

    @Test(
        "begins by itself as its policy says, and tags that",
        arguments: [
            (.always, .cellular, true), (.unmetered, .wifi, true), (.unmetered, .cellular, false),
            (.unmetered, .constrained, false), (.unmetered, nil, false), (.never, .wifi, false),
        ] as [(AutoplayPolicy, PlaybackNetwork?, Bool)])
    func autoplay(_ policy: AutoplayPolicy, _ network: PlaybackNetwork?, _ plays: Bool) async {
        let feed = feed(.reusePool, network)
        feed.policy = policy
        await feed.show(clips[0])
        #expect((feed.kept?.player.timeControlStatus != .paused) == plays)
        if !plays { feed.tap() }
        await feed.close()
        let tags = recorded.summaries.first?.context.tags
        #expect(tags?.autoplay == plays && tags?["autoplay_policy"]?.text == policy.rawValue)
        #expect(tags?["low_data"] == (network == .constrained ? "yes" : "no"))
    }

    @Test("spares in Low Data Mode")
    func lowData() async {
        for (network, rate) in [(PlaybackNetwork.constrained, 800_000.0), (.wifi, 0)] {
            let feed = feed(.singleton, network)
            await feed.show(clips[0])
            #expect(feed.kept?.player.currentItem?.preferredPeakBitRate == rate)
            await feed.close()
        }
    }

    @Test("says where a clip is shown")
    func presentation() async {
        let feed = feed(.singleton)
        feed.present(.fullscreen)
        await feed.show(clips[0])
        feed.present(.pip)
        await feed.close()
        #expect(recorded.summaries.map { $0.context.tags.presentation } == [.pip])
    }

    @Test("pauses and goes on with a tap, and with the clip before it when another is shown")
    func taps() async {
        let feed = feed(.reusePool)
        feed.tap()
        await scroll(feed, [0])
        feed.tap()
        #expect(feed.kept?.player.timeControlStatus == .paused)
        feed.tap()
        let first = feed.kept?.player
        await scroll(feed, [1])
        #expect(first?.timeControlStatus == .paused && feed.kept?.player.timeControlStatus == .playing)
        await feed.close()
    }

    @Test("loops a clip on the screen, and each round is a replay")
    func loops() async {
        let feed = feed(.singleton)
        await scroll(feed, [0])
        feed.kept?.player.currentItem?.post(AVPlayerItem.didPlayToEndTimeNotification)
        // The observer hears it on the main queue, and the jump comes after that.
        await withCheckedContinuation { continuation in
            OperationQueue.main.addOperation { Task { @MainActor in continuation.resume() } }
        }
        await feed.close()
        #expect(recorded.summaries.map { $0.context.tags["start"] } == [nil, "replay"])
    }

    @Test("observes the end of a clip no longer than its player has it", arguments: PlayerLifecycle.allCases)
    func observations(_ lifecycle: PlayerLifecycle) async {
        let feed = feed(lifecycle)
        await scroll(feed, [0])
        weak let first = feed.kept?.loop
        #expect(first != nil)
        await scroll(feed, [1, 2, 3, 4])
        #expect(first == nil)
        weak let last = feed.kept?.loop
        #expect(last != nil)
        await feed.close()
        #expect(last == nil)
    }

    @Test("keeps players in another way when it is told to, and goes on with the clip")
    func keepOtherwise() async {
        let feed = feed(.singleton)
        await scroll(feed, [2])
        await feed.keep(.default)
        #expect(feed.lifecycle == .default && feed.current == clips[2] && feed.kept != nil)
        #expect(recorded.summaries.map { $0.context.tags.lifecycle } == [.singleton])
        await feed.close()
    }
}
