import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("A player's tracker")
struct PlayerTrackerTests {
    /// A player that is given an item while it is paused, and then told to play.
    private func started() -> TrackerRun {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(1000, .control(.waitingForData))
        run.at(1300, .itemReady)
        run.at(1500, .control(.playing))
        return run
    }

    @Test("measures a play from the player's wish to play to the first frame")
    func play() {
        var run = started()
        run.at(6000, .control(.waitingForData))
        run.at(6900, .control(.playing))
        run.at(11_500, .ended(.pause, next: nil), .control(.paused))
        #expect(run.plays.map(\.startupMs) == [500])
        #expect(run.plays.map(\.watchedMs) == [10_000])
        #expect(run.plays.map(\.stalls) == [1])
        #expect(run.plays.map(\.stalledMs) == [900])
    }

    @Test("takes a player that says it plays before its item is ready for loading")
    func readiness() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(100, .control(.playing))
        run.at(400, .itemReady)
        run.at(1000, .letGo)
        #expect(run.plays.map(\.startupMs) == [300])
        #expect(run.plays.map(\.watchedMs) == [600])
    }

    @Test(
        "knows no startup of what played already when observing began",
        arguments: [PlayerControl.playing, .waitingForData])
    func attachLate(_ control: PlayerControl) {
        var run = TrackerRun()
        run.at(0, item: 0)
        run.at(0, .itemReady)
        run.at(0, .control(control))
        run.at(500, .control(.playing))
        run.at(1500, .letGo)
        #expect(run.plays.map(\.startupMs) == [nil])
        #expect(run.plays.map(\.watchedMs) == [control == .playing ? 1500 : 1000])
    }

    @Test("begins a play with every other clip that a player is given while it plays")
    func pool() {
        var run = started()
        run.at(5000, item: 1, "v2")
        run.at(5200, .itemReady)
        run.at(9000, item: nil)
        #expect(run.plays.map(\.videoId) == ["v1", "v2"])
        #expect(run.plays.map(\.watchedMs) == [3500, 3800])
        #expect(run.plays.map(\.startupMs) == [500, 200])
    }

    @Test("counts the startup from the viewer's request, whose item comes later")
    func requested() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(1000, .playRequested("v1"))
        run.at(1250, item: 0)
        run.at(1300, .control(.waitingForData))
        run.at(1400, .itemReady, .control(.playing))
        run.at(2000, .letGo)
        #expect(run.plays.map(\.startupMs) == [400])
    }

    @Test("ends a request with another clip's item: a play that never started")
    func requestedOther() {
        var run = started()
        run.at(3000, .playRequested("v2"))
        run.at(3100, item: 1, "v3")
        run.at(3200, .itemReady)
        run.at(4000, item: 2, "v2")
        run.at(4100, .itemReady)
        run.at(5000, .letGo)
        #expect(run.plays.map(\.videoId) == ["v1", "v2", "v3", "v2"])
        #expect(run.plays.map(\.startupMs) == [500, nil, 100, 100])
        #expect(run.plays.map(\.waitedMs) == [nil, 100, nil, nil])
    }

    @Test("ends a request without a play when something comes that is not measured")
    func requestedAdvertisement() {
        var run = TrackerRun()
        run.at(0, .control(.paused), .playRequested("v1"), .item(run.id(0), nil, isQueued: false))
        run.at(9000, item: 1, "v1")
        run.at(9100, .control(.waitingForData))
        run.at(9200, .itemReady, .control(.playing))
        run.at(9900, .letGo)
        #expect(run.plays.map(\.startupMs) == [100])
    }

    @Test("closes a play that was only asked for when the viewer gives it up")
    func requestCancelled() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(1000, .playRequested("v1"))
        run.at(1500, .requestCancelled)
        #expect(run.plays.map(\.waitedMs) == [500])
        run.at(2000, .requestCancelled)
        run.at(3000, .letGo)
        #expect(run.plays.count == 1)
    }

    @Test("sees no play in a clip that was only loaded")
    func preloaded() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(100, .itemReady)
        run.at(200, item: 1, "v2")
        run.at(300, .letGo)
        #expect(run.plays.isEmpty)
    }

    @Test("starts a clip that was loaded before at once")
    func preloadedPlay() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(100, .itemReady)
        run.at(5000, .control(.playing))
        run.at(6000, .letGo)
        #expect(run.plays.map(\.startupMs) == [0])
    }

    @Test("does not measure what has no clip")
    func noClip() {
        var run = TrackerRun()
        run.at(0, .control(.paused), .item(run.id(0), nil, isQueued: false), .itemReady, .control(.playing))
        run.at(1000, .jumped, .seekBegan, .seekEnded, .presentation(.pip), .failed(PlaybackError("x")))
        run.at(2000, .ended(.pause, next: nil), .background, .letGo)
        #expect(run.plays.isEmpty)
    }

    @Test("counts a player that is held by something else than data as neither watching nor stalling")
    func held() {
        var run = started()
        run.at(2500, .control(.held))
        run.at(9000, .control(.playing))
        run.at(10_000, .letGo)
        #expect(run.plays.map(\.watchedMs) == [2000])
        #expect(run.plays.map(\.stalls) == [0])
    }

    @Test("keeps a looper's items one play")
    func looper() {
        var run = started()
        run.at(11_500, .ended(.advance, next: "v1"))
        run.at(11_500, item: 1, isQueued: true)
        run.at(11_510, .itemReady)
        run.at(21_510, item: 0, isQueued: true)
        run.at(21_520, .itemReady)
        run.at(31_520, .letGo)
        #expect(run.plays.count == 1)
        #expect(run.plays.map(\.watchedMs) == [30_020])
    }

    @Test("takes a loop that the app makes for replays")
    func ownLoop() {
        var run = started()
        run.at(11_500, .ended(.none, next: nil), .jumped)
        run.at(21_500, .letGo)
        #expect(run.plays.map(\.watchedMs) == [10_000, 10_000])
        #expect(run.plays.map(\.startupMs) == [500, nil])
    }

    @Test("takes a replay after the end, and the same clip in a new item, for new plays")
    func replays() {
        var run = started()
        run.at(2500, .ended(.pause, next: nil), .control(.paused))
        run.at(4000, .jumped, .control(.playing))
        run.at(5000, item: 1)
        run.at(5300, .itemReady)
        run.at(6300, .letGo)
        #expect(run.plays.map(\.watchedMs) == [1000, 1000, 1000])
        #expect(run.plays.map(\.startupMs) == [500, nil, 300])
        #expect(run.plays.map(\.attempt) == [1, 1, 1])
    }

    @Test("counts attempts over the items of a clip that failed")
    func retries() {
        var run = started()
        run.at(2000, .failed(PlaybackError("x")), .control(.paused))
        run.at(2100, item: 1)
        run.at(2200, .control(.waitingForData), .failed(PlaybackError("y")))
        run.at(2300, item: 2)
        run.at(2500, .itemReady, .control(.playing))
        run.at(3500, .ended(.pause, next: nil))
        #expect(run.plays.map(\.attempt) == [1, 2, 3])
        #expect(run.plays.map(\.error) == [PlaybackError("x"), PlaybackError("y"), nil])
        #expect(run.plays.last?.watchedMs == 1000)
    }

    @Test("tells a failure that came before anybody wanted to play when somebody does")
    func failedEarly() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(100, .failed(PlaybackError("x")))
        #expect(run.plays.isEmpty)
        run.at(5000, .control(.waitingForData))
        #expect(run.plays.map(\.error) == [PlaybackError("x")])
        #expect(run.plays.map(\.startupMs) == [nil])
    }

    @Test("takes the wait at a jump for the seek's, whichever comes first")
    func jumps() {
        var run = started()
        run.at(3000, .control(.waitingForData))
        run.at(3200, .jumped)
        run.at(4000, .control(.playing))
        run.at(6000, .jumped)
        run.at(6100, .control(.waitingForData))
        run.at(6500, .control(.playing))
        run.at(8000, .control(.waitingForData))
        run.at(8500, .control(.playing))
        run.at(9500, .letGo)
        #expect(run.plays.map(\.stalls) == [1])
        #expect(run.plays.map(\.stalledMs) == [500])
        #expect(run.plays.map(\.watchedMs) == [1500 + 2100 + 3000])
    }

    @Test("takes the app's word for a seek")
    func announced() {
        var run = started()
        run.at(2500, .seekBegan)
        run.at(2700, .control(.waitingForData))
        run.at(3000, .seekEnded)
        run.at(3500, .control(.playing))
        run.at(4500, .letGo)
        #expect(run.plays.map(\.watchedMs) == [2000])
        #expect(run.plays.map(\.stalls) == [0])
    }

    @Test("keeps where the video is shown over the clips")
    func presentation() {
        var run = TrackerRun()
        run.at(0, .presentation(.fullscreen), .control(.paused))
        run.at(0, item: 0)
        run.at(0, .itemReady, .control(.playing))
        run.at(1000, item: 1, "v2")
        run.at(1000, .itemReady)
        run.at(2000, .presentation(.pip))
        run.at(5000, .letGo)
        #expect(run.plays.map(\.context.tags.presentation) == [.fullscreen, .pip])
    }
}

/// A tracker, and the milliseconds at which it is told things.
struct TrackerRun {
    private var tracker = PlayerTracker { clip in
        PlaybackMeter(videoId: clip.videoId, memory: { nil }, context: clip.context)
    }
    private(set) var closed: [ClosedPlay] = []

    var plays: [PlaybackSummary] { closed.map(\.summary) }

    func id(_ item: Int) -> PlayerEvent.ItemID { PlayerEvent.ItemID(number: item) }

    mutating func at(_ milliseconds: Int, _ events: PlayerEvent...) {
        let instant = PlaybackInstant(sinceOrigin: .milliseconds(milliseconds))
        for event in events { closed += tracker.handle(event, at: instant) }
    }

    /// Gives the player another item.
    mutating func at(_ milliseconds: Int, item: Int?, _ videoId: VideoID = "v1", isQueued: Bool = false) {
        at(milliseconds, .item(item.map(id), item == nil ? nil : .named(videoId), isQueued: isQueued))
    }

    mutating func at(_ milliseconds: Int, log item: Int, bytes: Int64, bitrate: Double = -1, startup: Double = -1) {
        let entry = ItemLog.Entry(bytes: bytes, indicatedBitrate: bitrate, startupTime: startup)
        at(milliseconds, .accessLog([entry], of: id(item)))
    }
}

extension TrackedClip {
    static func named(_ videoId: VideoID) -> TrackedClip {
        TrackedClip(videoId: videoId) { PlaybackContext() }
    }
}

extension PlayerEvent {
    static func failed(_ error: PlaybackError) -> PlayerEvent { .failed(error, isVague: false) }
    static func playRequested(_ videoId: VideoID) -> PlayerEvent { .playRequested(.named(videoId)) }
}
