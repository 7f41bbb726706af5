import PlaybackMetricsClient
import Testing

/// What players and viewers were seen to do, and what it once did to the figures.
@Suite("The meter, told what happened on a device")
struct MeterTraceTests {
    private let edge = Mutable<String?>(nil)

    private func run() -> MeterRun {
        MeterRun { [edge] in
            var context = PlaybackContext()
            context.cdnRegion = edge.value.flatMap(PlaybackLabel.init)
            return context
        }
    }

    @Test("gives each play the region that served it, though it is known only after the first response")
    func region() throws {
        var run = run()
        run.at(0, .play)
        edge.value = "eu-west"
        run.at(300, .playing)
        #expect(try run.close(1000, .ended).context.cdnRegion == "eu-west")

        var next = self.run()
        next.at(2000, .play)
        edge.value = "us-east"
        next.at(2300, .playing)
        #expect(try next.close(3000, .ended).context.cdnRegion == "us-east")
    }

    @Test("gives a failure the region of the edge that failed")
    func regionOfFailure() throws {
        edge.value = "eu-west"
        var run = run()
        run.at(0, .play)
        edge.value = "us-east"
        #expect(try run.close(800, .failed).context.cdnRegion == "us-east")
    }

    @Test("leaves the time away out of a slow start and of a stall")
    func away() throws {
        var run = run()
        run.at(0, .play, .loading)
        let left = try run.close(60, .suspended)
        #expect(left.startupMs == nil && left.waitedMs == 60)
        run.at(460, .playing)
        run.at(1460, .stalled)
        let stalled = try run.close(1500, .suspended)
        #expect(stalled.startupMs == nil && stalled.waitedMs == nil)
        #expect(stalled.stalledMs == 40 && stalled.watchedMs == 1040)
    }

    @Test("measures a retry that goes on after a failure, as the second attempt")
    func goesOn() throws {
        var run = run()
        run.at(0, .play)
        run.at(100, .playing, .failed)
        run.at(500, .play, .loading)
        run.at(720, .playing)
        let retry = try run.close(1720, .ended)
        #expect(retry.attempt == 2 && retry.startupMs == 220 && retry.error == nil)
        #expect(run.summaries.count == 2)
    }

    @Test("does not measure the startup of a feed's own loop, and says that it is a replay")
    func feedLoop() {
        var run = run()
        run.at(0, .play)
        run.at(63, .playing)
        for loop in 1...3 {
            run.at(loop * 10_000, .ended)
            run.at(loop * 10_000 + 5, .seekBegan, .seekEnded, .play, .playing)
        }
        run.at(35_000, .stop)
        #expect(run.summaries.map(\.startupMs) == [63, nil, nil, nil])
        #expect(run.summaries.map { $0.context.tags["start"] } == [nil, "replay", "replay", "replay"])
        #expect(run.summaries.map(\.attempt) == [1, 1, 1, 1])
    }

    @Test("goes on measuring when the end of a seek is never told")
    func seekWithoutEnd() throws {
        var run = run()
        run.at(0, .play, .playing)
        run.at(1000, .seekBegan, .loading)
        run.at(1500, .playing)
        run.at(9000, .bitrate(1_000_000))
        #expect(try run.close(31_000, .stop).watchedMs == 30_500)
    }

    @Test("counts no stall when the viewer resumes, and one when he pauses inside a stall")
    func pauses() throws {
        var run = run()
        run.at(0, .play, .playing)
        for pause in 1...5 {
            run.at(pause * 1000, .paused)
            run.at(pause * 1000 + 500, .play)
            run.at(pause * 1000 + 510, .playing)
        }
        run.at(7000, .stalled)
        run.at(7200, .paused)
        run.at(9000, .play)
        run.at(9100, .playing)
        let play = try run.close(10_000, .stop)
        #expect(play.stalls == 1 && play.stalledMs == 200)
    }

    @Test("takes scrubbing while paused, and the wait of the play after it, for no stall")
    func scrubbing() throws {
        var run = run()
        run.at(0, .play, .playing)
        run.at(1000, .paused)
        for drag in 0..<10 { run.at(2000 + drag * 100, .seekBegan) }
        run.at(3000, .seekEnded)
        run.at(9000, .play)
        run.at(9010, .stalled)
        run.at(9900, .playing)
        let play = try run.close(10_900, .stop)
        #expect(play.stalls == 0 && play.watchedMs == 2010)
    }
}
