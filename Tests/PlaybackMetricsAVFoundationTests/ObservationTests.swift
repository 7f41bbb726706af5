import Foundation
import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("What is observed of a player")
struct ObservationTests {
    @Test("waits for data only while it fills its buffer, and tells finding out how fast that goes apart")
    func waiting() {
        #expect(PlayerControl.waiting(.toMinimizeStalls) == .waitingForData)
        #expect(PlayerControl.waiting(.evaluatingBufferingRate) == .evaluating)
        #expect(PlayerControl.waiting(.noItemToPlay) == .held)
        #expect(PlayerControl.waiting(.other) == .held)
        #expect(PlayerControl.waiting(nil) == .held)
    }

    @Test("wants to play unless it is paused or held")
    func wants() {
        for control in [PlayerControl.waitingForData, .evaluating, .playing] { #expect(control.wantsToPlay) }
        for control in [PlayerControl.paused, .held] { #expect(!control.wantsToPlay) }
    }

    @Test("ends with its item, unless the clip goes on by itself")
    func ends() {
        #expect(ItemEnd.closesPlay(.pause, clip: "a", next: nil))
        #expect(ItemEnd.closesPlay(.advance, clip: "a", next: nil))
        #expect(ItemEnd.closesPlay(.advance, clip: "a", next: "b"))
        #expect(!ItemEnd.closesPlay(.advance, clip: "a", next: "a"))
        #expect(ItemEnd.closesPlay(.none, clip: "a", next: nil))
    }

    @Test("sums the access log, where negative figures are unknown")
    func accessLog() {
        let log = ItemLog([
            .init(bytes: -1, indicatedBitrate: 800_000, startupTime: -1),
            .init(bytes: 10, indicatedBitrate: 2_000_000, startupTime: 0.4126),
            .init(bytes: 5, indicatedBitrate: -1, startupTime: 9),
        ])
        #expect(log.bytes == 15 && log.startupMs == 413)
        #expect((0...3).map { log.bitrate(ofEntry: $0) } == [800_000, 2_000_000, nil, nil])
        for empty in [[], [ItemLog.Entry(bytes: -1, indicatedBitrate: .nan, startupTime: .nan)]] {
            let log = ItemLog(empty)
            #expect(log.bytes == nil && log.bitrate(ofEntry: 0) == nil && log.startupMs == nil)
        }
        let huge = ItemLog.Entry(bytes: .max, indicatedBitrate: .infinity, startupTime: .infinity)
        #expect(ItemLog([huge, huge]).bytes == 1 << 40)
        #expect(ItemLog([huge]).startupMs == nil && ItemLog([huge]).bitrate(ofEntry: 0) == nil)
    }

    @Test("reads an access log again: counts never fall, and what was known stays known")
    func logAgain() {
        var log = ItemLog([.init(bytes: 500, indicatedBitrate: 1, startupTime: 1, host: "a", serverAddress: "b")])
        log.read([.init(bytes: 20), .init(bytes: 7, indicatedBitrate: 2)])
        log.read([])
        #expect(log.bytes == 507 && log.startupMs == 1000 && log.bitrate(ofEntry: 0) == 1)
        #expect(log.entries.first?.evidence == EdgeEvidence(serverAddress: "b", host: "a"))
    }

    @Test("adds up a looper's items, whose startup is the first one's")
    func looper() {
        var run = TrackerRun()
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(0, .itemReady, .control(.playing))
        run.at(500, log: 0, bytes: 5000, bitrate: 1_000_000, startup: 0.1)
        run.at(1000, item: 1, isQueued: true)
        run.at(1000, .itemReady)
        run.at(1500, log: 1, bytes: 300, bitrate: 3_000_000, startup: 0.7)
        run.at(1600, log: 0, bytes: 5100)
        run.at(2000, .letGo)
        #expect(run.plays.map(\.bytes) == [5400] && run.plays.map(\.accessLogStartupMs) == [100])
        #expect(run.plays.map(\.avgBitrate) == [2_000_000])
        #expect(run.closed.map(\.item) == [run.id(1)])
        let last = run.closed[0].completed(access: [.init(bytes: 450)], errors: []) { _ in nil }
        #expect(last.bytes == 5550)
    }

    @Test("pays no heed to the log of an item that is gone")
    func goneLog() {
        var run = TrackerRun()
        run.at(0, log: 0, bytes: 1)
        run.at(0, .control(.paused))
        run.at(0, item: 0)
        run.at(0, .itemReady, .control(.playing))
        run.at(500, item: 1, "v2")
        run.at(500, .itemReady)
        run.at(600, log: 0, bytes: 99, bitrate: 9)
        run.at(1000, .letGo)
        #expect(run.plays.last?.bytes == nil && run.plays.last?.avgBitrate == nil)
    }

    @Test("takes no time for one that is none")
    func milliseconds() {
        #expect(PlayerMetric.milliseconds(1.2345) == 1235)
        for none in [-1, .nan, .infinity, 1e12] { #expect(PlayerMetric.milliseconds(none) == -1) }
    }

    @Test("names the network by Low Data Mode before its interface")
    func network() {
        #expect(NetworkPath(isConstrained: true, usesWiFi: true).network == .constrained)
        #expect(NetworkPath(usesWiFi: true, usesCellular: true).network == .wifi)
        #expect(NetworkPath(usesCellular: true).network == .cellular)
        #expect(NetworkPath(usesWiredEthernet: true).network == .ethernet)
        #expect(NetworkPath().network == .other)
    }

    @Test("completes the context of a clip where the app says nothing, and remembers it where the app cannot be asked")
    @MainActor
    func clip() async {
        let clip = PlaybackClip(videoId: "v1") {
            var context = PlaybackContext()
            context.source = .download
            return context
        }
        let tracked = clip.tracked(player: "AVPlayer", source: .stream)
        func contextElsewhere() async -> PlaybackContext {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: tracked.context()) }
            }
        }
        #expect(await contextElsewhere() == PlaybackContext())
        // Where the main actor's thread is not the main thread, as in tests on Linux, the app is not asked there either.
        let isMain = Thread.isMainThread
        let here = tracked.context()
        #expect(here.player == (isMain ? "AVPlayer" : nil) && here.source == (isMain ? .download : nil))
        #expect(await contextElsewhere() == here)
    }
}
