import AVFoundation
import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@MainActor
@Suite("A player's logs")
struct AdapterLogTests {
    @Test("give a play the bitrate that an entry learned only later")
    func lateBitrate() async {
        let run = AdapterRun()
        let item = run.start()
        let entry = AVPlayerItemAccessLogEvent(bytes: 0, startup: 0.4)
        item.log(entry)
        await run.settle()
        run.at(5000)
        entry.write(bytes: 9000, bitrate: 2_000_000)
        let plays = await run.stop(6500)
        #expect(plays.map(\.avgBitrate) == [2_000_000] && plays.map(\.bytes) == [9000])
        #expect(plays.map(\.accessLogStartupMs) == [400])
        #expect(!item.wasReadOnMain)
    }

    @Test("weight each entry's bitrate by the time that it played")
    func weights() async {
        let run = AdapterRun()
        let item = run.start()
        item.log(AVPlayerItemAccessLogEvent(bytes: 100, bitrate: 1_000_000))
        await run.settle()
        run.wait(2000)
        run.at(2500)
        let second = AVPlayerItemAccessLogEvent(bytes: 50)
        item.log(second)
        await run.settle()
        run.play(3000)
        run.at(3500)
        second.write(bytes: 70, bitrate: 3_000_000)
        let plays = await run.stop(4500)
        // 0.5 s of the first, 1.5 s of the second; the stall plays nothing.
        #expect(plays.map(\.avgBitrate) == [2_500_000] && plays.map(\.bytes) == [170])
    }

    @Test("never let a total fall, and take negatives for unknown")
    func totals() async {
        let run = AdapterRun()
        let item = run.start()
        let entry = AVPlayerItemAccessLogEvent(bytes: 5000, bitrate: 1_000_000)
        item.log(entry)
        await run.settle()
        entry.write(bytes: 10, bitrate: -1)
        item.log(AVPlayerItemAccessLogEvent())
        let plays = await run.stop(3000)
        #expect(plays.map(\.bytes) == [5000] && plays.map(\.avgBitrate) == [1_000_000])
    }

    @Test("tell nothing twice: what a closed play took at its end is not the next one's")
    func nothingTwice() async {
        let run = AdapterRun()
        let item = run.start()
        let entry = AVPlayerItemAccessLogEvent(bytes: 5000)
        item.log(entry)
        await run.settle()
        entry.write(bytes: 5600)
        run.at(3000)
        item.post(AVPlayerItem.didPlayToEndTimeNotification)
        run.player.become(.paused)
        run.play(3100)
        await run.settle()
        entry.write(bytes: 5900)
        let plays = await run.stop(5000)
        #expect(plays.map(\.bytes) == [5600, 300] && plays.map(\.accessLogStartupMs) == [nil, nil])
    }

    @Test("are each item's own, also when one lies where another lay in memory")
    func addresses() async {
        let player = AVQueuePlayer()
        let recorded = InMemoryPlaybackMetrics()
        let metrics = AVPlayerMetrics(player: player, metrics: recorded) { _ in
            PlaybackClip(videoId: "v1") { PlaybackContext() }
        }
        var address: ObjectIdentifier?
        weak var first: AVPlayerItem?
        do {
            let item = AVPlayerItem()
            first = item
            address = ObjectIdentifier(item)
            player.fill([item, AVPlayerItem()])
            item.become(.readyToPlay)
            player.become(.playing)
            item.log(AVPlayerItemAccessLogEvent(bytes: 5000))
            await metrics.settle()
            player.advance()
        }
        await metrics.settle()
        while first != nil { await Task.yield() }
        // Commonly the first of them lies where that one lay.
        var others = [AVPlayerItem()]
        while others.last.map({ ObjectIdentifier($0) }) != address, others.count < 1000 {
            others.append(AVPlayerItem())
        }
        let next = others[others.count - 1]
        player.advance(appending: next)
        next.become(.readyToPlay)
        next.log(AVPlayerItemAccessLogEvent(bytes: 3000))
        await metrics.stop()
        #expect(recorded.summaries.map(\.bytes) == [8000])
    }

    @Test("have told everything when stop has returned, and nothing is recorded after it")
    func stopRecords() async {
        let run = AdapterRun()
        let item = run.start()
        item.log(AVPlayerItemAccessLogEvent(bytes: 700), isTold: false)
        let plays = await run.stop(3000)
        #expect(plays.count == 1 && plays.first?.bytes == 700)
        item.become(.failed, error: NSError.empty)
        item.post(AVPlayerItem.didPlayToEndTimeNotification)
        run.player.become(.paused)
        await run.settle()
        run.forget()
        #expect(run.plays.count == 1)
        #expect(item.observers.count == 0 && run.player.observers.count == 0)
    }

    @Test("are not read for a player that nobody stopped: its open play is recorded as it goes")
    func forgotten() {
        let run = AdapterRun()
        _ = run.start()
        run.at(2500)
        run.forget()
        #expect(run.plays.map(\.watchedMs) == [1000])
        #expect(run.player.observers.count == 0)
    }

    @Test("show the edge by the host of an entry, when nothing shows it better")
    func host() async {
        let run = AdapterRun(edge: { CDNEdge.known($0) })
        let item = run.start()
        item.log(
            AVPlayerItemAccessLogEvent(bytes: 1, uri: "https://d111.cloudfront.net/a/b.ts", serverAddress: "192.0.2.7"))
        await run.settle()
        #expect(await run.stop(3000).map { $0.context.cdn } == ["cloudfront"])
    }
}

@MainActor
@Suite("The player's own measurement", .timeLimit(.minutes(3)))
struct AdapterMetricTests {
    private func told(_ item: AVPlayerItem, _ event: AVMetricEvent) async {
        item.measure(event)
        await item.untilHeard()
    }

    private func segment(
        _ headers: [String: String], wasReadFromCache: Bool = false
    ) -> AVMetricHLSMediaSegmentRequestEvent {
        AVMetricHLSMediaSegmentRequestEvent(
            AVMetricMediaResourceRequestEvent(
                url: URL(string: "https://media.example.com/1.m4s"), serverAddress: "192.0.2.1", headers: headers,
                wasReadFromCache: wasReadFromCache))
    }

    @Test("shows the edge of each segment, and the play has the last one and their number")
    func edges() async {
        let run = AdapterRun(usesItemMetrics: true, edge: { CDNEdge.known($0) })
        run.context.cdnRegion = "JFK"
        let item = run.start()
        await told(item, segment(["X-Served-By": "cache-fra-etou8220083-FRA"]))
        await told(item, segment(["X-Served-By": "cache-fra-etou8220083-FRA"]))
        await told(item, segment(["X-Amz-Cf-Pop": "AMS1-P2"]))
        await told(item, segment(["CF-RAY": "230b030023ae2822-SJC"], wasReadFromCache: true))
        await told(item, AVMetricHLSMediaSegmentRequestEvent(nil))
        // The playlist's host is no segment's.
        item.log(AVPlayerItemAccessLogEvent(bytes: 1, uri: "https://a.akamaized.net/1.m3u8"))
        await run.settle()
        let context = await run.stop(3000).first?.context
        #expect(context?.cdn == "cloudfront" && context?.cdnRegion == "AMS" && context?.tags["edges"] == "2")
    }

    @Test("tells the bitrate of a variant, and none of a switch that failed")
    func variants() async {
        let run = AdapterRun(usesItemMetrics: true)
        let item = run.start()
        await told(item, AVMetricPlayerItemVariantSwitchEvent(to: 1_000_000))
        run.at(2500)
        await told(item, AVMetricPlayerItemVariantSwitchEvent(to: 9_000_000, didSucceed: false))
        await told(item, AVMetricPlayerItemVariantSwitchEvent(to: 3_000_000))
        item.log(AVPlayerItemAccessLogEvent(bitrate: 500_000))
        #expect(await run.stop(3500).map(\.avgBitrate) == [2_000_000])
    }

    @Test("sends its own count and time of stalls and its startup along")
    func summary() async {
        let run = AdapterRun(usesItemMetrics: true)
        let item = run.start()
        await told(item, AVMetricPlayerItemPlaybackSummaryEvent(stalls: 2, stalled: 1.25, startup: 0.48))
        let plays = await run.stop(3000)
        #expect(plays.map(\.playerStalls) == [2] && plays.map(\.playerStalledMs) == [1250])
        #expect(plays.map(\.accessLogStartupMs) == [480])
    }

    @Test("sends its summary along, which comes only when it has let the item go, with the item's only play")
    func lateSummary() async {
        let run = AdapterRun(usesItemMetrics: true, summaryWait: .seconds(60))
        let item = run.start()
        run.at(2500)
        run.player.replaceCurrentItem(with: nil)
        await told(item, AVMetricPlayerItemPlaybackSummaryEvent(stalls: 1, stalled: 0.5, startup: 0.3))
        await run.settle()
        #expect(run.plays.map(\.playerStalls) == [1] && run.plays.map(\.playerStalledMs) == [500])
        #expect(run.plays.map(\.accessLogStartupMs) == [300])

        let again = run.start("v2")
        again.post(AVPlayerItem.didPlayToEndTimeNotification)
        run.player.become(.paused)
        await run.settle()
        run.play(4000)
        run.player.replaceCurrentItem(with: nil)
        await told(again, AVMetricPlayerItemPlaybackSummaryEvent(stalls: 9, stalled: 9, startup: 9))
        await run.settle()
        #expect(run.plays.map(\.playerStalls) == [1, nil, nil])
        _ = await run.stop(5000)
    }

    @Test("is not waited for longer than a moment")
    func noSummary() async {
        let run = AdapterRun(usesItemMetrics: true, summaryWait: .milliseconds(1))
        _ = run.start()
        #expect(await run.stop(2500).map(\.playerStalls) == [nil])
    }

    @Test("gives no wait to a seek inside the buffer that plays on", arguments: [true, false])
    func seekInBuffer(inBuffer: Bool) async {
        let run = AdapterRun(usesItemMetrics: true)
        let item = run.start()
        run.at(2500)
        await told(item, AVMetricPlayerItemSeekEvent())
        await told(item, AVMetricPlayerItemSeekDidCompleteEvent(didSeekInBuffer: inBuffer))
        run.wait(2600)
        run.play(3000)
        #expect(await run.stop(4000).map(\.stalls) == [inBuffer ? 1 : 0])
    }

    @Test("names seeks that nobody announced")
    func seeks() async {
        let run = AdapterRun(usesItemMetrics: true)
        let item = run.start()
        run.at(2500)
        await told(item, AVMetricPlayerItemSeekEvent())
        run.wait(3000)
        run.at(3500)
        await told(item, AVMetricPlayerItemSeekDidCompleteEvent(didSeekInBuffer: false))
        run.play(4000)
        let plays = await run.stop(5000)
        #expect(plays.map(\.stalls) == [0] && plays.map(\.watchedMs) == [2000])
    }

    @Test("names a stall of a player that evaluates, and none of one that plays again")
    func stalls() async {
        let run = AdapterRun(usesItemMetrics: true)
        let item = run.start()
        await told(item, AVMetricPlayerItemStallEvent())
        run.wait(3000, .evaluatingBufferingRate)
        await told(item, AVMetricPlayerItemStallEvent())
        run.play(3400)
        let plays = await run.stop(4400)
        #expect(plays.map(\.stalls) == [1] && plays.map(\.stalledMs) == [400])
    }

    @Test("ends with an error without a word, and takes no metrics alive with it")
    func ends() async {
        let run = AdapterRun(usesItemMetrics: true)
        let item = run.start()
        item.endMetrics()
        await told(item, AVMetricPlayerItemStallEvent())
        weak let metrics = run.metrics
        run.forget()
        #expect(metrics == nil && run.plays.count == 1)
    }
}
