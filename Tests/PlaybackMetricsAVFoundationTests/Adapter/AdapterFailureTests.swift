import AVFoundation
import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@MainActor
@Suite("A player that fails")
struct AdapterFailureTests {
    private let coreMedia = PlaybackError(domain: "CoreMediaErrorDomain", code: -12660)

    @Test("and goes on after failedToPlayToEnd has another attempt with a measured startup, and one failure")
    func goesOn() async {
        let run = AdapterRun()
        let item = run.start()
        run.at(3000)
        item.post(AVPlayerItem.failedToPlayToEndTimeNotification, error: NSError.failure(("X", 1)))
        run.player.become(.paused)
        run.wait(5000)
        run.play(5220)
        let plays = await run.stop(7000)
        #expect(plays.map(\.error) == [PlaybackError(domain: "X", code: 1), nil])
        #expect(plays.map(\.startupMs) == [500, 220] && plays.map(\.attempt) == [1, 2])
        #expect(plays.map(\.watchedMs) == [1500, 1780])
    }

    @Test(
        "and goes on by itself has another attempt from the failure on, and none when it does not",
        arguments: [true, false])
    func goesOnByItself(does: Bool) async {
        let run = AdapterRun()
        let item = run.start()
        run.wait(3000)
        run.at(3400)
        item.post(AVPlayerItem.failedToPlayToEndTimeNotification, error: NSError.failure(("X", 1)))
        if does { run.play(4000) }
        let plays = await run.stop(5000)
        #expect(plays.map(\.startupMs) == (does ? [500, 600] : [500]))
        #expect(plays.map(\.attempt) == (does ? [1, 2] : [1]))
    }

    @Test("tells one failure once, whoever says it and how often")
    func once() async {
        let run = AdapterRun()
        let item = run.start()
        run.at(3000)
        item.post(AVPlayerItem.failedToPlayToEndTimeNotification, error: NSError.failure(("X", 1)))
        item.become(.failed, error: NSError.failure(("X", 2)))
        run.player.fail(NSError.failure(("X", 3)))
        #expect(await run.stop(4000).map(\.error) == [PlaybackError(domain: "X", code: 1)])
    }

    @Test("before anybody wanted to play is told when somebody does")
    func early() async {
        let run = AdapterRun()
        let item = run.item()
        run.player.replaceCurrentItem(with: item)
        item.become(.failed, error: NSError.failure(("X", 1)))
        #expect(run.plays.isEmpty)
        run.wait(5000)
        let plays = await run.stop(6000)
        #expect(plays.map(\.error) == [PlaybackError(domain: "X", code: 1)] && plays.map(\.startupMs) == [nil])
    }

    @Test("because its item had failed before has the code of the log all the same")
    func failedItem() async {
        let run = AdapterRun()
        let item = run.item()
        item.log(AVPlayerItemErrorLogEvent(domain: "CoreMediaErrorDomain", code: -12660), isTold: false)
        item.become(.failed, error: NSError.empty)
        run.wait(100)
        run.player.replaceCurrentItem(with: item)
        #expect(await run.stop(500).map(\.error) == [coreMedia])
    }

    @Test(
        "has the code of the log's fatal entry when the error is empty, though both come together",
        arguments: [true, false])
    func logAndFailure(isTold: Bool) async {
        let run = AdapterRun()
        let item = run.start()
        item.log(AVPlayerItemErrorLogEvent(domain: "CoreMediaErrorDomain", code: -12318), isTold: isTold)
        item.log(AVPlayerItemErrorLogEvent(domain: "CoreMediaErrorDomain", code: -12660), isTold: isTold)
        item.log(AVPlayerItemErrorLogEvent(domain: "CoreMediaErrorDomain", code: -12889), isTold: isTold)
        item.become(.failed, error: NSError.empty)
        #expect(await run.stop(4000).map(\.error) == [coreMedia])
        #expect(!item.wasReadOnMain)
    }

    @Test("does not blame an entry that the play got over, or that belongs to the play before it")
    func gotOver() async {
        let run = AdapterRun()
        let item = run.start()
        item.log(AVPlayerItemErrorLogEvent(domain: "CoreMediaErrorDomain", code: -12938))
        await run.settle()
        run.wait(3000)
        run.play(3500)
        run.at(4000)
        item.become(.failed, error: NSError.empty)
        #expect(await run.stop(5000).map(\.error) == [PlaybackError(domain: "AVFoundationErrorDomain", code: -11800)])
    }

    @Test("while it lets its item go is no failure when it was cancelled, and offline is what it is")
    func lettingGo() async {
        let run = AdapterRun()
        let item = run.start()
        let next = run.item("v2")
        item.post(
            AVPlayerItem.failedToPlayToEndTimeNotification,
            error: NSError.failure(("AVFoundationErrorDomain", -11800), ("NSURLErrorDomain", -1009)))
        run.player.replaceCurrentItem(with: next)
        item.become(.failed, error: NSError.failure(("AVFoundationErrorDomain", -11800), ("NSURLErrorDomain", -999)))
        let plays = await run.stop(3000)
        #expect(plays.map(\.error) == [PlaybackError(domain: "NSURLErrorDomain", code: -1009), nil])
    }

    @Test("has the region of the edge that failed, by the headers of its error")
    func edge() async {
        let run = AdapterRun(edge: { CDNEdge.known($0) })
        run.context.cdnRegion = "FRA"
        let item = run.start()
        item.log(
            AVPlayerItemErrorLogEvent(
                domain: "CoreMediaErrorDomain", code: -12660, headers: ["X-Amz-Cf-Pop": "AMS1-P2"]), isTold: false)
        item.become(.failed, error: NSError.empty)
        let plays = await run.stop(3000)
        #expect(plays.map(\.error) == [coreMedia])
        #expect(plays.map { $0.context.cdnRegion } == ["AMS"] && plays.map { $0.context.cdn } == ["cloudfront"])
    }
}
