import Foundation
import PlaybackMetricsClient
import Testing

@Suite("The meter, at the end of a play")
struct MeterClosingTests {
    private static let closing: [PlaybackInput] = [.ended, .failed, .suspended, .stop]

    @Test("gives one summary, for the first closing input", arguments: closing)
    func once(_ input: PlaybackInput) throws {
        var run = MeterRun()
        run.at(0, .play, .playing)
        #expect(try run.close(1000, input).watchedMs == 1000)
        for later in Self.closing + [.loading, .stalled, .paused, .pause, .seekBegan, .seekEnded, .bytes(1)] {
            #expect(run.at(2000, later) == nil)
        }
        #expect(run.summaries.count == 1)
    }

    @Test("gives every play an id of its own, made when it is asked for")
    func ids() {
        var run = MeterRun()
        for time in 0..<3 { run.at(time * 10, .play, .playing, .stop) }
        #expect(run.summaries.map(\.playId) == [1, 2, 3].map(NumberedIDs.id))
    }

    @Test("keeps an error only for the play that failed")
    func error() {
        var run = MeterRun()
        run.at(0, .play, .playing, .failed)
        run.at(10, .play, .playing, .ended)
        #expect(run.summaries.map(\.error) == [.decoding, nil])
    }

    @Test("keeps an automatic loop one play until the clip is let go")
    func loop() throws {
        var run = MeterRun()
        run.at(0, .play, .playing)
        // A looper swaps items at the end: the player waits for a moment, and nothing ends.
        run.at(10_000, .loading)
        run.at(10_040, .playing)
        run.at(20_000, .playing)
        let play = try run.close(25_000, .stop)
        #expect(play.watchedMs == 25_000)
        #expect(run.summaries.count == 1)
    }

    @Test("takes a replay that the viewer asks for as a new play that asked no CDN for a first frame")
    func replay() throws {
        var run = MeterRun()
        run.at(0, .play, .playing)
        run.at(10_000, .ended)
        run.at(12_000, .play)
        run.at(12_050, .playing)
        let replay = try run.close(13_000, .stop)
        #expect(replay.startupMs == nil)
        #expect(replay.context.tags["start"] == "replay")
        #expect(replay.attempt == 1)
        #expect(replay.watchedMs == 950)
    }

    @Test("counts attempts after failures, and begins anew after a play that did not fail")
    func retry() {
        var run = MeterRun()
        for time in 0..<3 { run.at(time * 100, .play, .failed) }
        run.at(400, .play, .playing, .ended)
        run.at(500, .play, .playing, .stop)
        #expect(run.summaries.map(\.attempt) == [1, 2, 3, 4, 1])
    }

    @Test("stops counting attempts at a hundred")
    func manyRetries() {
        var run = MeterRun()
        for time in 0..<120 { run.at(time, .play, .failed) }
        #expect(run.summaries.last?.attempt == 100)
    }

    @Test(
        "closes the play when the app is suspended; the play after it has no measured startup",
        arguments: [true, false])
    func suspended(asks: Bool) throws {
        var run = MeterRun()
        run.at(0, .play)
        run.at(100, .playing)
        #expect(try run.close(5000, .suspended).watchedMs == 4900)
        if asks { run.at(9000, .play) }
        run.at(9500, .playing)
        let next = try run.close(10_500, .stop)
        #expect(next.startupMs == nil)
        #expect(next.watchedMs == 1000)
        #expect(next.attempt == 1)
        // The one after that is measured again.
        run.at(11_000, .play)
        run.at(11_200, .playing)
        #expect(try run.close(12_000, .stop).startupMs == 200)
    }

    @Test("says how long the viewer waited when a play after a suspension never started")
    func suspendedThenNever() throws {
        var run = MeterRun()
        run.at(0, .play, .playing, .suspended)
        run.at(1000, .play)
        let play = try run.close(1600, .stop)
        #expect(play.startupMs == nil)
        #expect(play.waitedMs == 600)
    }

    @Test("leaves nothing of one play in the next")
    func nothingLeft() throws {
        var run = MeterRun()
        run.at(0, .play, .playing, .seekBegan, .stalled, .bitrate(5), .bytes(5), .memory(5), .logStartup(5))
        run.at(100, .stop)
        run.at(100, .play)
        run.at(150, .playing)
        run.at(200, .stalled)
        let play = try run.close(250, .stop)
        #expect(play.stalls == 1)
        #expect(play.stalledMs == 50)
        #expect(play.watchedMs == 100)
        #expect(play.avgBitrate == nil)
        #expect(play.bytes == nil)
        #expect(play.memoryBytes == nil)
        #expect(play.accessLogStartupMs == nil)
    }
}
