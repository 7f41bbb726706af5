import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("A player's tracker, and the access log")
struct PlayerTrackerLogTests {
    @Test("takes the log's figures along, those of preloading included")
    func figures() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(100, log: 0, bytes: 1000, bitrate: 2_000_000, startup: 0.25)
        run.at(1000, .itemReady, .control(.playing))
        run.at(3000, log: 0, bytes: 5000, bitrate: 4_000_000)
        run.at(5000, .letGo)
        #expect(run.plays.map(\.bytes) == [5000])
        #expect(run.plays.map(\.avgBitrate) == [3_000_000])
        #expect(run.plays.map(\.accessLogStartupMs) == [250])
    }

    @Test("gives a second play of an item what its log grew by, and no startup of the first")
    func secondPlay() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(0, .itemReady, .control(.playing))
        run.at(500, log: 0, bytes: 5000, startup: 0.1)
        run.at(1000, .ended(.pause, next: nil), .control(.paused))
        run.at(2000, .control(.playing))
        run.at(2500, log: 0, bytes: 5300, startup: 0.1)
        run.at(3000, .letGo)
        #expect(run.plays.map(\.bytes) == [5000, 300])
        #expect(run.plays.map(\.accessLogStartupMs) == [100, nil])
    }

    @Test("adds up a looper's items")
    func looper() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(0, .itemReady, .control(.playing))
        run.at(500, log: 0, bytes: 5000, startup: 0.1)
        run.at(1000, item: 1, isQueued: true)
        run.at(1000, .itemReady)
        run.at(1500, log: 1, bytes: 300, startup: 0.7)
        run.at(1600, log: 0, bytes: 5100)
        run.at(2000, .letGo)
        #expect(run.plays.map(\.bytes) == [5400])
        #expect(run.plays.map(\.accessLogStartupMs) == [100])
        #expect(run.closed.map(\.item) == [run.id(1)])
        // The log of the last item is read once more.
        let entry = AccessLogFigures.Entry(bytes: 450, indicatedBitrate: -1, startupTime: -1)
        #expect(run.closed[0].completed(with: AccessLogFigures([entry])).bytes == 5550)
    }

    @Test("completes a play with what the log held in the end, and never takes anything away")
    func completed() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(0, .itemReady, .control(.playing))
        run.at(500, log: 0, bytes: 5000)
        run.at(1000, .ended(.pause, next: nil), .control(.paused))
        run.at(2000, .control(.playing))
        run.at(3000, .letGo)
        func bytes(_ play: Int, _ bytes: Int64) -> Int64? {
            let entry = AccessLogFigures.Entry(bytes: bytes, indicatedBitrate: -1, startupTime: -1)
            return run.closed[play].completed(with: AccessLogFigures([entry])).bytes
        }
        #expect(bytes(0, 5600) == 5600)
        #expect(bytes(0, 10) == 5000)
        #expect(bytes(0, -1) == 5000)
        #expect(bytes(1, 5600) == 600)
        #expect(bytes(0, .max) == 1 << 40)
    }

    @Test("pays no heed to the log of an item that is gone")
    func gone() {
        var run = TrackerRun()
        run.at(0, log: 0, bytes: 1)
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(0, .itemReady, .control(.playing))
        run.at(500, item: 1, "v2")
        run.at(500, .itemReady)
        run.at(600, log: 0, bytes: 99, bitrate: 9)
        run.at(1000, .letGo)
        #expect(run.plays.last?.bytes == nil)
        #expect(run.plays.last?.avgBitrate == nil)
    }
}
