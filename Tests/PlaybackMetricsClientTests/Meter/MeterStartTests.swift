import PlaybackMetricsClient
import Testing

@Suite("The meter, at the start of a play")
struct MeterStartTests {
    @Test("measures the startup from play to the first frame")
    func startup() throws {
        var run = MeterRun()
        run.at(1000, .play, .loading)
        run.at(1412, .playing)
        let play = try run.close(11_412, .stop)
        #expect(play.startupMs == 412)
        #expect(play.watchedMs == 10_000)
        #expect(play.stalls == 0)
        #expect(play.waitedMs == nil)
    }

    @Test("measures the startup once: later waits are stalls")
    func startupOnce() throws {
        var run = MeterRun()
        run.at(0, .play)
        run.at(100, .playing)
        run.at(1000, .loading)
        run.at(1500, .playing)
        let play = try run.close(2000, .ended)
        #expect(play.startupMs == 100)
        #expect(play.stalls == 1)
        #expect(play.stalledMs == 500)
    }

    @Test("takes preloading before play for free, so a preloaded clip may start at once")
    func preload() throws {
        var run = MeterRun()
        run.at(0, .loading, .bytes(5000), .logStartup(90), .seekBegan)
        run.at(5000, .seekEnded)
        run.at(9000, .play, .playing)
        let play = try run.close(10_000, .stop)
        #expect(play.startupMs == 0)
        #expect(play.watchedMs == 1000)
        #expect(play.bytes == nil)
        #expect(play.accessLogStartupMs == nil)
    }

    @Test("sees no play in a clip that is let go before play")
    func letGo() {
        var run = MeterRun()
        run.at(0, .loading, .paused, .stalled, .seekBegan, .seekEnded, .bitrate(1), .bytes(1), .memory(1))
        for input in [PlaybackInput.stop, .ended, .failed, .suspended, .pause] {
            #expect(run.at(10, input) == nil)
        }
        #expect(!run.meter.isPlayOpen)
    }

    @Test("attached late, has a play whose startup nobody measured")
    func attachLate() throws {
        var run = MeterRun()
        run.at(700, .playing)
        let play = try run.close(2700, .stop)
        #expect(play.startupMs == nil)
        #expect(play.waitedMs == nil)
        #expect(play.watchedMs == 2000)
    }

    @Test("halts the startup while paused")
    func pauseInStartup() throws {
        var run = MeterRun()
        run.at(0, .play)
        run.at(300, .pause)
        run.at(9000, .play)
        run.at(9200, .playing)
        #expect(try run.close(9300, .stop).startupMs == 500)
    }

    @Test("counts a seek before the start as startup")
    func seekInStartup() throws {
        var run = MeterRun()
        run.at(0, .play)
        run.at(100, .seekBegan, .loading)
        run.at(400, .seekEnded)
        run.at(1000, .playing)
        let play = try run.close(3000, .stop)
        #expect(play.startupMs == 1000)
        #expect(play.watchedMs == 2000)
    }

    @Test("says how long the viewer waited for a play that never started")
    func neverStarted() throws {
        var run = MeterRun()
        run.at(0, .play, .loading)
        run.at(2000, .pause)
        run.at(3000, .play)
        let play = try run.close(3500, .stop)
        #expect(play.startupMs == nil)
        #expect(play.watchedMs == 0)
        #expect(play.waitedMs == 2500)
        #expect(play.error == nil)
    }

    @Test("tells a failure before the start by its error")
    func failsAtStart() throws {
        var run = MeterRun()
        run.at(0, .play)
        let play = try run.close(800, .failed)
        #expect(play.startupMs == nil)
        #expect(play.waitedMs == 800)
        #expect(play.error == .decoding)
    }
}
