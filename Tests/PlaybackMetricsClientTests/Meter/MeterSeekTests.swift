import PlaybackMetricsClient
import Testing

@Suite("The meter, when the viewer seeks")
struct MeterSeekTests {
    private func started() -> MeterRun {
        var run = MeterRun()
        run.at(0, .play, .playing)
        return run
    }

    @Test("leaves the seek out, and the wait that begins inside it, until the player plays")
    func waitInside() throws {
        var run = started()
        run.at(1000, .seekBegan)
        run.at(1100, .loading)
        run.at(1400, .seekEnded)
        run.at(2000, .playing)
        let play = try run.close(3000, .stop)
        #expect(play.watchedMs == 2000)
        #expect(play.stalls == 0)
        #expect(play.stalledMs == 0)
    }

    @Test("gives the seek a wait after no more than 300 ms of playing, and no later one")
    func waitAfter() throws {
        for (delay, stalls, watched) in [(0, 0, 2000), (300, 0, 2300), (301, 1, 3801), (5000, 1, 8500)] {
            var run = started()
            run.at(1000, .seekBegan)
            run.at(1200, .seekEnded)
            run.at(1200 + delay, .stalled)
            run.at(3000 + max(0, delay - 300), .playing)
            let play = try run.close(4000 + max(0, delay - 300), .stop)
            #expect(play.stalls == stalls, "after \(delay) ms")
            #expect(play.watchedMs == watched, "after \(delay) ms")
        }
    }

    @Test("counts the very next wait as a stall once the player has said after a seek that it plays")
    func playedAgain() throws {
        var run = started()
        run.at(1000, .seekBegan, .seekEnded, .playing)
        run.at(1001, .stalled)
        let play = try run.close(1101, .stop)
        #expect(play.stalls == 1 && play.stalledMs == 100)
    }

    @Test("ends a seek with playing that lasts 300 ms, and counts from there")
    func playingEnds() throws {
        for (lasted, stalls, watched) in [(299, 0, 1000), (300, 1, 1700), (4000, 1, 5400)] {
            var run = started()
            run.at(1000, .seekBegan, .loading)
            run.at(1500, .playing)
            run.at(1600, .bitrate(nil), .playing)
            run.at(1500 + lasted, .stalled)
            let play = try run.close(1500 + lasted + 400, .stop)
            #expect(play.stalls == stalls, "after \(lasted) ms")
            #expect(play.watchedMs == watched, "after \(lasted) ms")
        }
    }

    @Test(
        "lets no playing end a seek that is broken off before",
        arguments: [PlaybackInput.loading, .stalled, .pause, .paused, .seekBegan])
    func brokenOff(_ input: PlaybackInput) throws {
        var run = started()
        run.at(1000, .seekBegan)
        run.at(1100, .playing)
        run.at(1399, input)
        #expect(try run.close(9000, .stop).watchedMs == 1000)
    }

    @Test("weights the bitrate and the presentation by what the end of a seek turns out to be")
    func figuresOfLatePlaying() throws {
        var run = started()
        run.at(0, .bitrate(1_000_000), .presentation(.inline))
        run.at(1000, .seekBegan)
        run.at(2000, .playing, .bitrate(3_000_000), .presentation(.pip))
        run.at(2100, .bitrate(5_000_000))
        let play = try run.close(4000, .stop)
        #expect(play.watchedMs == 3000)
        // 1 s of 1 Mbit/s, 0.1 s of 3, 1.9 s of 5.
        #expect(play.avgBitrate == 3_600_000)
        #expect(play.context.tags.presentation == .pip)
    }

    @Test("closes a stall with the seek, and takes what is left of its wait for the seek's")
    func closesStall() throws {
        var run = started()
        run.at(1000, .stalled)
        run.at(1500, .seekBegan)
        run.at(2000, .seekEnded)
        run.at(5000, .playing)
        let play = try run.close(6000, .stop)
        #expect(play.stalls == 1)
        #expect(play.stalledMs == 500)
        #expect(play.watchedMs == 2500)
    }

    @Test("ends all seeks begun with one end")
    func nested() throws {
        var run = started()
        run.at(1000, .seekBegan)
        run.at(1200, .seekBegan)
        run.at(1400, .seekEnded)
        run.at(1600, .seekEnded)
        #expect(try run.close(2000, .stop).watchedMs == 1600)
    }

    @Test("pays no heed to the end of a seek that never began")
    func strayEnd() throws {
        var run = started()
        run.at(1000, .seekEnded)
        run.at(1100, .stalled)
        run.at(1200, .seekBegan, .seekEnded, .seekEnded)
        run.at(1300, .playing)
        let play = try run.close(2000, .stop)
        #expect(play.stalls == 1)
        #expect(play.stalledMs == 100)
        #expect(play.watchedMs == 1900)
    }

    @Test("leaves a seek while paused out")
    func paused() throws {
        var run = started()
        run.at(1000, .pause)
        run.at(2000, .seekBegan, .loading)
        run.at(2500, .seekEnded)
        run.at(4000, .play)
        run.at(4400, .playing)
        let play = try run.close(5000, .stop)
        #expect(play.watchedMs == 1600)
        #expect(play.stalls == 0)
    }

    @Test("counts a stall again once the player has played after a seek")
    func stallLater() throws {
        var run = started()
        run.at(1000, .seekBegan, .loading, .seekEnded)
        run.at(1500, .playing)
        run.at(2500, .stalled)
        run.at(2600, .playing)
        let play = try run.close(3000, .stop)
        #expect(play.stalls == 1)
        #expect(play.watchedMs == 2500)
    }

    @Test("starts inside a seek, and watches from its end")
    func startInside() throws {
        var run = MeterRun()
        run.at(0, .play, .seekBegan)
        run.at(500, .playing)
        run.at(799, .seekEnded)
        let play = try run.close(1999, .stop)
        #expect(play.startupMs == 500)
        #expect(play.watchedMs == 1200)
    }
}
