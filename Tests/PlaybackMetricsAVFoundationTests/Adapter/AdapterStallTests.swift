import AVFoundation
import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@MainActor
@Suite("A player that waits")
struct AdapterStallTests {
    @Test("is not stalled by finding out how fast its buffer fills, as with every resume")
    func evaluating() async {
        let run = AdapterRun()
        _ = run.start()
        for round in 1...5 {
            run.pause(1500 + round * 1000)
            run.wait(2000 + round * 1000, .evaluatingBufferingRate)
            run.play(2010 + round * 1000)
        }
        let plays = await run.stop(8000)
        #expect(plays.map(\.stalls) == [0] && plays.map(\.stalledMs) == [0])
        #expect(plays.map(\.watchedMs) == [4000])
    }

    @Test("is starting while it finds that out before the first frame")
    func evaluatingAtStart() async {
        let run = AdapterRun()
        let item = run.item()
        run.player.replaceCurrentItem(with: item)
        run.wait(100, .evaluatingBufferingRate)
        run.wait(200, .toMinimizeStalls)
        run.wait(300, .evaluatingBufferingRate)
        item.become(.readyToPlay)
        run.play(400)
        let plays = await run.stop(1400)
        #expect(plays.map(\.startupMs) == [300] && plays.map(\.stalls) == [0] && plays.map(\.watchedMs) == [1000])
    }

    @Test("stays stalled when it evaluates inside a stall")
    func evaluatingInStall() async {
        let run = AdapterRun()
        _ = run.start()
        run.wait(3000)
        run.wait(3400, .evaluatingBufferingRate)
        run.play(3500)
        let plays = await run.stop(4500)
        #expect(plays.map(\.stalls) == [1] && plays.map(\.stalledMs) == [500])
    }

    @Test("has one stall when the viewer pauses inside it")
    func pauseInStall() async {
        let run = AdapterRun()
        _ = run.start()
        run.wait(3000)
        run.pause(3400)
        run.wait(9000, .evaluatingBufferingRate)
        run.play(9100)
        let plays = await run.stop(10_000)
        #expect(plays.map(\.stalls) == [1] && plays.map(\.stalledMs) == [400])
    }

    @Test("is stalled when it pauses with an empty buffer because it does not wait by itself", arguments: 0..<4)
    func doesNotWaitByItself(_ order: Int) async {
        let run = AdapterRun()
        run.player.automaticallyWaitsToMinimizeStalling = false
        let item = run.start()
        run.at(3000)
        var steps: [@MainActor () -> Void] = [
            { item.buffer(isEmpty: true) }, { run.player.become(.paused) },
            { item.post(AVPlayerItem.playbackStalledNotification) },
        ]
        // In whichever order the framework says it.
        steps.swapAt(0, order % 3)
        if order == 3 { steps.swapAt(1, 2) }
        for step in steps { step() }
        run.at(3150)
        item.buffer(isEmpty: false)
        run.play(3200)
        let plays = await run.stop(4200)
        #expect(plays.map(\.stalls) == [1] && plays.map(\.stalledMs) == [200] && plays.map(\.watchedMs) == [2700])
    }

    @Test("is paused when the viewer pauses it, whether or not it waits by itself", arguments: [true, false])
    func pausedByViewer(waits: Bool) async {
        let run = AdapterRun()
        run.player.automaticallyWaitsToMinimizeStalling = waits
        let item = run.start()
        if waits {
            run.at(3000)
            item.buffer(isEmpty: true)
            item.post(AVPlayerItem.playbackStalledNotification)
        }
        run.pause(3000)
        run.play(9000)
        let plays = await run.stop(10_000)
        #expect(plays.map(\.stalls) == [0] && plays.map(\.watchedMs) == [2500])
    }

    @Test("is neither watched nor stalled while something else than data holds it")
    func held() async {
        let run = AdapterRun()
        _ = run.start()
        run.wait(2500, .waitingForCoordinatedPlayback)
        run.wait(3000, .interstitialEvent)
        run.play(9000)
        let plays = await run.stop(10_000)
        #expect(plays.map(\.watchedMs) == [2000] && plays.map(\.stalls) == [0])
    }

    @Test("gives a seek the evaluation that follows it, and the wait after that")
    func evaluatingAfterSeek() async {
        let run = AdapterRun()
        let item = run.start()
        run.at(2500)
        run.metrics?.seekBegan()
        run.wait(2510, .evaluatingBufferingRate)
        run.at(2600)
        item.post(AVPlayerItem.timeJumpedNotification)
        run.metrics?.seekEnded()
        run.wait(3200)
        run.play(4000)
        let plays = await run.stop(5000)
        #expect(plays.map(\.stalls) == [0] && plays.map(\.watchedMs) == [2000])
    }
}
