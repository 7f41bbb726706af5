import AVFoundation
import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@MainActor
@Suite("A player that is observed")
struct AdapterPlaybackTests {
    @Test("has one play from the wish to play to the item's end")
    func play() async {
        let run = AdapterRun()
        let item = run.start()
        run.wait(6000)
        run.play(6900)
        run.at(11_500)
        item.post(AVPlayerItem.didPlayToEndTimeNotification)
        run.player.become(.paused)
        let plays = await run.stop(12_000)
        #expect(plays.map(\.startupMs) == [500] && plays.map(\.watchedMs) == [10_000])
        #expect(plays.map(\.stalls) == [1] && plays.map(\.stalledMs) == [900])
        #expect(plays.first?.context.player == "AVPlayer" && plays.first?.context.source == .stream)
    }

    @Test("has another play with every other clip of a pool's player")
    func pool() async {
        let run = AdapterRun()
        _ = run.start()
        run.at(5000)
        let next = run.item("v2")
        run.player.replaceCurrentItem(with: next)
        run.at(5200)
        next.become(.readyToPlay)
        run.at(9000)
        run.player.replaceCurrentItem(with: nil)
        let plays = await run.stop(9500)
        #expect(plays.map(\.videoId) == ["v1", "v2"] && plays.map(\.startupMs) == [500, 200])
        #expect(plays.map(\.watchedMs) == [3500, 3800])
    }

    @Test("does not measure what the app names no clip for")
    func advertisement() async {
        let run = AdapterRun()
        let item = run.item(nil)
        run.player.replaceCurrentItem(with: item)
        run.wait(100)
        item.become(.readyToPlay)
        run.play(200)
        #expect(await run.stop(900).isEmpty)
    }

    @Test("that already played when observing began has a play whose startup nobody measured")
    func attachedLate() async {
        let player = AVPlayer()
        let item = AVPlayerItem()
        player.replaceCurrentItem(with: item)
        item.become(.readyToPlay)
        player.become(.playing)
        let recorded = InMemoryPlaybackMetrics()
        let metrics = AVPlayerMetrics(player: player, metrics: recorded) { _ in
            PlaybackClip(videoId: "v1") { PlaybackContext() }
        }
        await metrics.stop()
        #expect(recorded.summaries.map(\.startupMs) == [nil] && recorded.summaries.map(\.waitedMs) == [nil])
    }

    @Test("keeps a looper's items one play, whose copies find their clip")
    func looper() async {
        let player = AVQueuePlayer()
        let clips = PlaybackClips()
        let item = AVPlayerItem(url: URL(string: "https://media.example.com/v1.m3u8")!)
        clips[item] = PlaybackClip(videoId: "v1") { PlaybackContext() }
        let recorded = InMemoryPlaybackMetrics()
        let time = TestTime()
        var seams = AVPlayerMetrics.Seams()
        seams.now = { time.instant }
        let metrics = AVPlayerMetrics(
            player: player, metrics: recorded, edge: { _ in nil }, seams: seams, clip: { clips[$0] })
        let looper = AVPlayerLooper(player: player, templateItem: item)
        player.become(.playing)
        for round in 1...3 {
            time.milliseconds = round * 10_000
            looper.endRound()
        }
        await metrics.stop()
        #expect(recorded.summaries.map(\.watchedMs) == [30_000] && recorded.summaries.map(\.videoId) == ["v1"])
        #expect(clips[AVPlayerItem()] == nil)
        clips[item] = nil
        #expect(clips[AVPlayerItem(url: URL(string: "https://media.example.com/v1.m3u8")!)] == nil)
    }

    @Test("finds the clip of an item by its address, when the asset is another")
    func sameAddress() {
        let clips = PlaybackClips()
        let url = URL(string: "https://media.example.com/v1.m3u8")!
        let item = AVPlayerItem(url: url)
        clips[item] = PlaybackClip(videoId: "v1") { PlaybackContext() }
        #expect(clips[AVPlayerItem(url: url)]?.videoId == "v1")
        #expect(clips[AVPlayerItem(url: URL(string: "https://media.example.com/v2.m3u8")!)] == nil)
    }

    @Test("has a replay for each round of a feed's own loop, and none of them has a startup", arguments: [true, false])
    func feedLoop(pauses: Bool) async {
        let run = AdapterRun()
        run.player.actionAtItemEnd = pauses ? .pause : .none
        let item = run.start()
        for round in 1...3 {
            run.at(1500 + round * 10_000)
            item.post(AVPlayerItem.didPlayToEndTimeNotification)
            if pauses { run.player.become(.paused) }
            item.post(AVPlayerItem.timeJumpedNotification)
            if pauses {
                run.player.become(.waitingToPlayAtSpecifiedRate, .evaluatingBufferingRate)
                run.player.become(.playing)
            }
        }
        let plays = await run.stop(36_500)
        #expect(plays.map(\.startupMs) == [500, nil, nil, nil])
        #expect(plays.map { $0.context.tags["start"] } == [nil, "replay", "replay", "replay"])
        #expect(plays.map(\.watchedMs) == [10_000, 10_000, 10_000, 5000])
        #expect(plays.map(\.stalls) == [0, 0, 0, 0])
    }

    @Test("counts the startup from the viewer's request")
    func requested() async {
        let run = AdapterRun()
        run.at(1000)
        run.metrics?.playRequested(for: "v1")
        run.at(1250)
        let item = run.item()
        run.player.replaceCurrentItem(with: item)
        run.wait(1300)
        item.become(.readyToPlay)
        run.play(1400)
        #expect(await run.stop(2000).map(\.startupMs) == [400])
    }

    @Test("has a play that never started for a request that comes to nothing, and no other play pays for it")
    func requestGivenUp() async {
        for end in ["cancel", "another", "other item", "stop", "background"] {
            let run = AdapterRun()
            run.at(1000)
            var asked = PlaybackContext()
            asked.network = .cellular
            run.metrics?.playRequested(for: "v1") { [asked] in asked }
            run.at(1431)
            switch end {
            case "cancel": run.metrics?.cancelPlayRequest()
            case "another": run.metrics?.playRequested(for: "v2")
            case "other item": run.player.replaceCurrentItem(with: run.item("v3"))
            case "background": run.metrics?.appDidEnterBackground()
            default: await run.metrics?.stop()
            }
            #expect(run.plays.map(\.videoId) == ["v1"], "\(end)")
            #expect(run.plays.map(\.waitedMs) == [431] && run.plays.map(\.startupMs) == [nil], "\(end)")
            #expect(run.plays.first?.context.network == .cellular)
            if end != "cancel" { continue }
            // Ten minutes later, the same clip.
            run.at(600_000)
            let item = run.item()
            run.player.replaceCurrentItem(with: item)
            run.wait(600_100)
            item.become(.readyToPlay)
            run.play(600_163)
            #expect(await run.stop(601_000).map(\.startupMs) == [nil, 63])
        }
    }

    @Test("takes a seek that the app announced and never ended for over when it plays on")
    func seekWithoutEnd() async {
        let run = AdapterRun()
        let item = run.start()
        run.at(2500)
        run.metrics?.seekBegan()
        item.post(AVPlayerItem.timeJumpedNotification)
        let plays = await run.stop(32_500)
        #expect(plays.map(\.watchedMs) == [31_000] && plays.map(\.stalls) == [0])
    }

    @Test("gives a jump the wait within 300 ms of it, before or after, and no other")
    func jumps() async {
        let run = AdapterRun()
        let item = run.start()
        run.wait(3000)
        run.at(3200)
        item.post(AVPlayerItem.timeJumpedNotification)
        run.play(4000)
        run.at(6000)
        item.post(AVPlayerItem.timeJumpedNotification)
        run.wait(6100)
        run.play(6500)
        run.wait(8000)
        run.play(8500)
        let plays = await run.stop(9500)
        #expect(plays.map(\.stalls) == [1] && plays.map(\.stalledMs) == [500])
        #expect(plays.map(\.watchedMs) == [1500 + 2100 + 3000])
    }

    @Test("keeps a video's attempts over the players of a pool")
    func attempts() async {
        let session = PlaybackSession()
        for attempt in 1...3 {
            let run = AdapterRun()
            run.context = PlaybackContext(session: session)
            let item = run.start()
            if attempt < 3 { item.become(.failed, error: NSError.failure(("X", attempt))) }
            #expect(await run.stop(3000).map(\.attempt) == [attempt])
        }
    }

    @Test("gives each play the region that served it, asked for at its close")
    func region() async {
        let run = AdapterRun()
        for (number, region) in ["eu-west", "us-east"].enumerated() {
            let item = run.item("v1")
            run.player.replaceCurrentItem(with: item)
            run.wait(number * 1000 + 100)
            run.context.cdnRegion = PlaybackLabel(region)
            item.become(.readyToPlay)
            run.play(number * 1000 + 200)
            run.pause(number * 1000 + 900)
        }
        #expect(await run.stop(5000).map { $0.context.cdnRegion } == ["eu-west", "us-east"])
    }
}
