import Foundation
import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("What is observed of a player")
struct ObservationTests {
    @Test("waits for data only while it fills its buffer or finds out how fast that goes")
    func waiting() {
        #expect(PlayerControl.waiting(.toMinimizeStalls) == .waitingForData)
        #expect(PlayerControl.waiting(.evaluatingBufferingRate) == .waitingForData)
        #expect(PlayerControl.waiting(.noItemToPlay) == .held)
        #expect(PlayerControl.waiting(.other) == .held)
        #expect(PlayerControl.waiting(nil) == .held)
    }

    @Test("becomes one status of the meter")
    func status() {
        for isReady in [true, false] {
            #expect(PlayerControl.paused.status(itemIsReady: isReady) == .paused)
            #expect(PlayerControl.held.status(itemIsReady: isReady) == .paused)
            #expect(PlayerControl.waitingForData.status(itemIsReady: isReady) == .stalled)
        }
        #expect(PlayerControl.playing.status(itemIsReady: true) == .playing)
        #expect(PlayerControl.playing.status(itemIsReady: false) == .loading)
    }

    @Test("ends with its item, unless the clip goes on by itself")
    func ends() {
        #expect(ItemEnd.closesPlay(.pause, clip: "a", next: nil))
        #expect(ItemEnd.closesPlay(.advance, clip: "a", next: nil))
        #expect(ItemEnd.closesPlay(.advance, clip: "a", next: "b"))
        #expect(!ItemEnd.closesPlay(.advance, clip: "a", next: "a"))
        #expect(!ItemEnd.closesPlay(.none, clip: "a", next: nil))
    }

    @Test("sums the access log, where negative figures are unknown")
    func accessLog() {
        let log = AccessLogFigures([
            .init(bytes: -1, indicatedBitrate: 800_000, startupTime: -1),
            .init(bytes: 10, indicatedBitrate: 2_000_000, startupTime: 0.4126),
            .init(bytes: 5, indicatedBitrate: -1, startupTime: 9),
        ])
        #expect(log.bytes == 15)
        #expect(log.bitrate == 2_000_000)
        #expect(log.startupMs == 413)
        for empty in [[], [AccessLogFigures.Entry(bytes: -1, indicatedBitrate: .nan, startupTime: .nan)]] {
            let log = AccessLogFigures(empty)
            #expect(log.bytes == nil && log.bitrate == nil && log.startupMs == nil)
        }
        let huge = AccessLogFigures.Entry(bytes: .max, indicatedBitrate: .infinity, startupTime: .infinity)
        #expect(AccessLogFigures([huge, huge]).bytes == 1 << 40)
        #expect(AccessLogFigures([huge]).startupMs == nil)
    }

    @Test("names the network by Low Data Mode before its interface")
    func network() {
        #expect(NetworkPath(isConstrained: true, usesWiFi: true).network == .constrained)
        #expect(NetworkPath(usesWiFi: true, usesCellular: true).network == .wifi)
        #expect(NetworkPath(usesCellular: true).network == .cellular)
        #expect(NetworkPath(usesWiredEthernet: true).network == .ethernet)
        #expect(NetworkPath().network == .other)
    }

    @Test("completes the context of a clip where the app says nothing")
    func clip() {
        let clip = PlaybackClip(videoId: "v1") {
            var context = PlaybackContext()
            context.source = .download
            return context
        }
        let context = clip.completed(player: "AVPlayer", source: .stream).context()
        #expect(context.player == "AVPlayer")
        #expect(context.source == .download)
    }
}
