import PlaybackMetricsClient
import Testing

@Suite("The meter, while a play goes on")
struct MeterWatchingTests {
    /// A play that started at once, at 0 ms.
    private func started() -> MeterRun {
        var run = MeterRun()
        run.at(0, .play, .playing)
        return run
    }

    @Test("leaves paused time out", arguments: [PlaybackInput.pause, .paused])
    func pause(_ input: PlaybackInput) throws {
        var run = started()
        run.at(1000, input)
        run.at(5000, .play)
        let play = try run.close(6000, .stop)
        #expect(play.watchedMs == 2000)
        #expect(play.stalls == 0)
    }

    @Test("goes on when the system's controls resume without a word from the app")
    func systemControls() throws {
        var run = started()
        run.at(1000, .paused)
        run.at(4000, .playing)
        #expect(try run.close(5000, .stop).watchedMs == 2000)
    }

    @Test("takes a stall after a pause for the wish to play")
    func stalledResumes() throws {
        var run = started()
        run.at(1000, .paused)
        run.at(4000, .stalled)
        run.at(4600, .playing)
        let play = try run.close(5000, .stop)
        #expect(play.watchedMs == 2000)
        #expect(play.stalledMs == 600)
        #expect(play.stalls == 1)
    }

    @Test(
        "counts a wait for data once, however often the player says it", arguments: [PlaybackInput.stalled, .loading])
    func stall(_ input: PlaybackInput) throws {
        var run = started()
        run.at(1000, input)
        run.at(1200, .loading)
        run.at(1400, .stalled)
        run.at(2000, .playing)
        let play = try run.close(3000, .stop)
        #expect(play.stalls == 1)
        #expect(play.stalledMs == 1000)
        #expect(play.watchedMs == 3000)
    }

    @Test("ends a stall with a pause, and begins another only when the player says so", arguments: [true, false])
    func pausedStall(waitsAgain: Bool) throws {
        var run = started()
        run.at(1000, .stalled)
        run.at(1300, .pause)
        run.at(8000, .play)
        if waitsAgain { run.at(8000, .loading) }
        run.at(8500, .playing)
        let play = try run.close(9000, .stop)
        #expect(play.stalls == (waitsAgain ? 2 : 1))
        #expect(play.stalledMs == (waitsAgain ? 800 : 300))
        #expect(play.watchedMs == 2300)
    }

    @Test("closes a stall that is still open with the play")
    func openStall() throws {
        var run = started()
        run.at(1000, .stalled)
        let play = try run.close(4000, .stop)
        #expect(play.stalls == 1)
        #expect(play.stalledMs == 3000)
        #expect(play.watchedMs == 4000)
    }

    @Test("goes by the clock on the wall, whatever the rate")
    func rate() throws {
        // At double speed 20 seconds of a clip pass in 10: the meter is told nothing of it, and counts 10.
        var run = started()
        #expect(try run.close(10_000, .ended).watchedMs == 10_000)
    }

    @Test("counts lock-screen sound as watched: the app is away, the player plays on")
    func lockScreen() throws {
        var run = started()
        run.at(60_000, .paused)
        run.at(61_000, .playing)
        #expect(try run.close(91_000, .stop).watchedMs == 90_000)
    }

    @Test("counts Picture in Picture as watched, and says where the play was watched longest")
    func pictureInPicture() throws {
        var run = MeterRun()
        run.at(0, .presentation(.inline), .play, .playing)
        run.at(1000, .presentation(.pip))
        run.at(1500, .stalled)
        run.at(1800, .playing)
        run.at(4000, .presentation(.inline))
        let play = try run.close(5000, .stop)
        #expect(play.watchedMs == 5000)
        #expect(play.context.tags.presentation == .pip)
        run.at(6000, .play, .playing)
        #expect(try run.close(7000, .stop).context.tags.presentation == .inline)
    }

    @Test("tags nothing about the presentation when nobody says anything of it")
    func noPresentation() throws {
        var run = started()
        #expect(try run.close(1000, .stop).context.tags.names.isEmpty)
    }

    @Test("says where the video was shown when nothing was watched")
    func presentationUnwatched() throws {
        var run = MeterRun()
        run.at(0, .presentation(.fullscreen), .play)
        #expect(try run.close(1000, .stop).context.tags.presentation == .fullscreen)
    }

    @Test("adds up whole milliseconds without losing any between inputs")
    func wholeMilliseconds() throws {
        var meter = PlaybackMeter(videoId: "v1") { PlaybackContext() }
        func instant(_ microseconds: Int) -> PlaybackInstant { .init(sinceOrigin: .microseconds(microseconds)) }
        meter.handle(.play, at: instant(0))
        meter.handle(.status(.playing), at: instant(0))
        for tick in 1...10_000 { meter.handle(.bitrate(1_000_000), at: instant(tick * 999)) }
        let play = try meter.close(with: .stop, at: instant(9_990_999))
        #expect(play.watchedMs == 9990)
    }

    @Test("takes an instant earlier than the last for the last")
    func backwards() throws {
        var run = started()
        run.at(5000, .stalled)
        run.at(2000, .playing)
        let play = try run.close(1000, .stop)
        #expect(play.watchedMs == 5000)
        #expect(play.stalledMs == 0)
    }
}
