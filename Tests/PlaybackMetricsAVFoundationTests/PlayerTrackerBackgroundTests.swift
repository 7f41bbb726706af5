import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("A player's tracker, when the app goes to the background")
struct PlayerTrackerBackgroundTests {
    private func playing() -> TrackerRun {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(0, .itemReady, .control(.playing))
        return run
    }

    @Test("goes on while sound or Picture in Picture plays on")
    func playsOn() {
        var run = playing()
        run.at(1000, .background)
        run.at(60_000, .foreground)
        run.at(61_000, .letGo)
        #expect(run.plays.map(\.watchedMs) == [61_000])
    }

    @Test("closes the play of a player that is paused, or that the system pauses then", arguments: [true, false])
    func suspended(pausesFirst: Bool) {
        var run = playing()
        if pausesFirst {
            run.at(1000, .control(.paused), .background)
        } else {
            run.at(1000, .background, .control(.paused))
        }
        #expect(run.plays.map(\.watchedMs) == [1000])
        // There is no time to read the log once more.
        #expect(run.closed.map(\.item) == [nil])
        run.at(90_000, .foreground)
        run.at(91_000, .control(.playing))
        run.at(92_000, .letGo)
        #expect(run.plays.map(\.watchedMs) == [1000, 1000])
        #expect(run.plays.map(\.startupMs) == [0, nil])
    }

    @Test("has no play to close when none was open")
    func nothingOpen() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(100, .background, .foreground, .background)
        run.at(200, .letGo)
        #expect(run.plays.isEmpty)
    }

    @Test("goes on with what still wants to play when the app comes back, as a play whose startup nobody measured")
    func comesBack() {
        var run = playing()
        run.at(1000, .control(.waitingForData), .background)
        run.at(5000, .foreground)
        run.at(5200, .control(.playing))
        run.at(6200, .letGo)
        #expect(run.plays.map(\.watchedMs) == [1000, 1000])
        #expect(run.plays.map(\.startupMs) == [0, nil])
    }

    @Test("closes the play of an app that ends, without time for its log")
    func terminated() {
        var run = playing()
        run.at(1000, .terminated)
        run.at(2000, .letGo)
        #expect(run.plays.map(\.watchedMs) == [1000] && run.closed.map(\.item) == [nil])
    }
}
