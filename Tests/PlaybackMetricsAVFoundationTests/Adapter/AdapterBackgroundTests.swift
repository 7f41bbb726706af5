import AVFoundation
import PlaybackMetricsClient
import Testing
import UIKit

@testable import PlaybackMetricsAVFoundation

/// Takes every batch, and counts the plays.
private final class CountingHTTPClient: HTTPClient, @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    var posts: Int { lock.withLock { count } }

    func post(_ body: Data) async throws -> HTTPClientResponse {
        lock.withLock { count += 1 }
        return HTTPClientResponse(status: 202, body: Data(#"{"accepted":1,"rejected":[]}"#.utf8))
    }
}

@MainActor
@Suite("An app that leaves")
struct AdapterBackgroundTests {
    private let app = UIApplication()
    private let session = PlaybackSession()
    private let http = CountingHTTPClient()

    private func sender() -> PlaybackMetricsSender {
        var seams = SenderSeams()
        seams.backgroundTime = UIKitBackgroundTime(application: app)
        // Nothing stays on the disk, for a later run to tell.
        var configuration = SenderConfiguration()
        configuration.folder = nil
        return PlaybackMetricsSender(http: http, configuration: configuration, seams: seams)
    }

    private func lifecycle(_ sender: PlaybackMetricsSender, _ run: AdapterRun) -> AppLifecycle {
        let lifecycle = AppLifecycle(application: app, sender: sender, session: session)
        if let metrics = run.metrics { lifecycle.follow(metrics) }
        return lifecycle
    }

    private func leave() { app.post(UIApplication.didEnterBackgroundNotification) }
    private func comeBack() { app.post(UIApplication.willEnterForegroundNotification) }

    @Test("during a slow start, or a stall, has the time away in no figure", arguments: [true, false])
    func away(inStall: Bool) async {
        let sender = sender()
        let run = AdapterRun()
        let lifecycle = lifecycle(sender, run)
        let item = run.item()
        run.player.replaceCurrentItem(with: item)
        run.wait(1000)
        if inStall {
            item.become(.readyToPlay)
            run.play(1000)
            run.wait(3000)
        }
        run.at(inStall ? 3060 : 1060)
        leave()
        // Recorded before the app may stop.
        #expect(run.plays.count == 1)
        run.at(3460)
        comeBack()
        item.become(.readyToPlay)
        run.play(3500)
        let plays = await run.stop(4500)
        #expect(plays.map(\.startupMs) == [inStall ? 0 : nil, nil])
        #expect(plays.map(\.waitedMs) == [inStall ? nil : 60, nil])
        #expect(plays.map(\.stalledMs) == [inStall ? 60 : 0, 0])
        #expect(plays.map(\.watchedMs) == [inStall ? 2060 : 0, 1000])
        withExtendedLifetime(lifecycle) {}
    }

    @Test("goes on while sound or Picture in Picture plays on")
    func playsOn() async {
        let sender = sender()
        let run = AdapterRun()
        let lifecycle = lifecycle(sender, run)
        _ = run.start()
        run.at(2000)
        leave()
        run.at(60_000)
        comeBack()
        #expect(await run.stop(61_500).map(\.watchedMs) == [60_000])
        withExtendedLifetime(lifecycle) {}
    }

    @Test("closes the play when the system pauses its player there, and the play goes with the flush")
    func pausedThere() async {
        let sender = sender()
        let run = AdapterRun(into: sender)
        let lifecycle = lifecycle(sender, run)
        _ = run.start()
        run.at(2000)
        leave()
        #expect(sender.stats.recorded == 0)
        run.pause(2100)
        #expect(sender.stats.recorded == 1)
        await sender.flush()
        #expect(sender.stats.delivered == 1 && http.posts == 1)
        run.at(9000)
        comeBack()
        run.wait(9100)
        run.play(9200)
        await run.metrics?.stop()
        #expect(sender.stats.recorded == 2)
        await sender.stop()
        #expect(sender.stats.delivered == 2 && app.openTasks == 0)
        withExtendedLifetime(lifecycle) {}
    }

    @Test("opens no play there for what waits, but for what plays")
    func nextClipThere() async {
        let sender = sender()
        let run = AdapterRun()
        let lifecycle = lifecycle(sender, run)
        _ = run.start()
        run.at(2000)
        leave()
        run.at(3500)
        let next = run.item("v2")
        run.player.replaceCurrentItem(with: next)
        run.wait(3500)
        run.at(3700)
        next.become(.readyToPlay)
        run.play(3800)
        let plays = await run.stop(5800)
        #expect(plays.map(\.videoId) == ["v1", "v2"] && plays.map(\.watchedMs) == [2000, 2000])
        #expect(plays.map(\.startupMs) == [500, nil])
        withExtendedLifetime(lifecycle) {}
    }

    @Test("closes and sends what is open when it ends")
    func terminates() async {
        let sender = sender()
        let run = AdapterRun(into: sender)
        let lifecycle = lifecycle(sender, run)
        _ = run.start()
        run.at(2000)
        app.post(UIApplication.willTerminateNotification)
        #expect(sender.stats.recorded == 1 && app.begunTasks == 1)
        await sender.flush()
        #expect(sender.stats.delivered == 1)
        await run.metrics?.stop()
        #expect(sender.stats.recorded == 1)
        withExtendedLifetime(lifecycle) {}
    }

    @Test("keeps its session when it comes back soon, and forgets metrics that are gone")
    func session() async {
        let sender = sender()
        let run = AdapterRun()
        let lifecycle = lifecycle(sender, run)
        let id = session.id
        leave()
        comeBack()
        #expect(session.id == id)
        run.forget()
        leave()
        withExtendedLifetime(lifecycle) {}
    }

    @Test("is told by notifications from any thread")
    func anyThread() async {
        let sender = sender()
        let run = AdapterRun(into: sender)
        let lifecycle = lifecycle(sender, run)
        let item = run.start()
        run.pause(2000)
        await withCheckedContinuation { continuation in
            let app = app
            Thread.detachNewThread {
                item.post(AVPlayerItem.newAccessLogEntryNotification)
                app.post(UIApplication.didEnterBackgroundNotification)
                Task { @MainActor in continuation.resume() }
            }
        }
        #expect(sender.stats.recorded == 1)
        withExtendedLifetime(lifecycle) {}
    }

    @Test("gets background time, and goes without when the system gives none")
    func backgroundTime() {
        let time = UIKitBackgroundTime(application: app)
        let end = time.begin(expired: {})
        #expect(app.openTasks == 1)
        end()
        #expect(app.openTasks == 0)
        app.refuseTasks()
        time.begin(expired: {})()
        #expect(app.begunTasks == 1)
    }
}
