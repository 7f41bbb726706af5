import PlaybackMetricsClient
import Testing

@Suite("The meter, when a play lasts longer than a day")
struct MeterDayTests {
    private let day = 86_400_000

    private func instant(_ milliseconds: Int) -> PlaybackInstant { .init(sinceOrigin: .milliseconds(milliseconds)) }

    @Test("closes it there and opens it anew, with no figure cut apart from another")
    func split() throws {
        var run = MeterRun()
        run.at(0, .play)
        run.at(400, .playing, .bitrate(1_000_000), .bytes(1000), .playerStalls(1, milliseconds: 50), .logStartup(9))
        run.at(day - 1000, .stalled)
        let first = try run.close(day + 500, .bytes(1500))
        #expect(first.startupMs == 400 && first.watchedMs == day - 400 && first.stalledMs == 1000)
        #expect(first.stalls == 1 && first.bytes == 1000 && first.playerStalls == 1)
        run.at(day + 2000, .playing, .playerStalls(3, milliseconds: 250))
        let second = try run.close(day + 3000, .stop)
        #expect(second.startupMs == nil && second.waitedMs == nil && second.accessLogStartupMs == nil)
        #expect(second.watchedMs == 3000 && second.stalledMs == 2000 && second.stalls == 1)
        #expect(second.bytes == 500 && second.playerStalls == 2 && second.playerStalledMs == 200)
        #expect(second.avgBitrate == 1_000_000 && second.attempt == 1)
        #expect(second.playId != first.playId)
    }

    @Test("lets a play of just a day be one")
    func justADay() throws {
        var run = MeterRun()
        run.at(0, .play, .playing)
        #expect(try run.close(day, .stop).watchedMs == day)
        #expect(run.summaries.count == 1 && !run.meter.isPlayOpen)
    }

    @Test("gives every summary when nothing was said for days")
    func silence() throws {
        var meter = PlaybackMeter(videoId: "v1", memory: { nil }) { PlaybackContext() }
        meter.handle(.play, at: instant(0))
        meter.handle(.status(.playing), at: instant(0))
        let closed = meter.handleAll(.status(.failed(.decoding)), at: instant(2 * day + 7))
        #expect(closed.map(\.watchedMs) == [day, day, 7])
        #expect(closed.map(\.error) == [nil, nil, .decoding])
        #expect(!meter.isPlayOpen)
    }

    @Test("leaves nothing behind of a player that is paused for days")
    func paused() throws {
        var run = MeterRun()
        run.at(0, .play, .playing)
        run.at(1000, .paused)
        #expect(try run.close(3 * day, .bytes(1)).watchedMs == 1000)
        #expect(run.at(3 * day, .stop) == nil)
        run.at(3 * day + 10, .play, .playing)
        let back = try run.close(3 * day + 20, .stop)
        #expect(back.startupMs == nil && back.watchedMs == 10)
    }

    @Test("tells nothing of what went on without being watched")
    func unwatched() {
        var run = MeterRun()
        run.at(0, .play, .playing)
        run.at(1000, .seekBegan, .loading)
        #expect(run.at(day + 5, .memory(1))?.watchedMs == 1000)
        #expect(run.at(day + 10, .stop) == nil)
        #expect(run.summaries.count == 1)
    }

    @Test("keeps a seek over the cut, whose end nobody tells")
    func seekOverCut() throws {
        var run = MeterRun()
        run.at(0, .play, .playing)
        run.at(day - 500, .seekBegan, .loading)
        run.at(day - 100, .playing)
        #expect(try run.close(day + 50, .memory(1)).watchedMs == day - 500)
        #expect(try run.close(day + 1000, .stop).watchedMs == 1000)
    }
}
