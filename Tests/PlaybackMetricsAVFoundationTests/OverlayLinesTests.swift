import Foundation
import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("The overlay")
struct OverlayLinesTests {
    @Test("says that nothing was started")
    func nothing() {
        #expect(OverlayLines(live: nil, last: nil, stats: nil).lines == ["not started: call PlaybackMonitoring.start"])
    }

    @Test("says what the player does, the last play, what waits and what was answered")
    func everything() {
        #expect(
            OverlayLines(live: nil, last: nil, stats: SenderStats()).lines == [
                "no play", "no summary yet", "waiting 0, delivered 0, dropped 0", "nothing sent yet",
            ])
        var meter = PlaybackMeter(videoId: "v2") { PlaybackContext() }
        meter.handle(.play, at: .now)
        #expect(meter.live?.state == .starting)
        meter.handle(.status(.playing), at: .now)
        #expect(meter.live?.state == .playing)
        meter.handle(.status(.stalled), at: .now)
        var last = PlaybackSummary(videoId: "v1", playId: UUID())
        last.startupMs = 412
        last.watchedMs = 20_000
        last.stalls = 1
        last.error = PlaybackError(domain: "CoreMediaErrorDomain", code: -12_660)
        last.context.cdnRegion = "eu-west"
        var stats = SenderStats()
        stats.queued = 3
        stats.inFlight = 1
        stats.delivered = 7
        stats.earlierQueued = 2
        stats.attempts = 4
        stats.lastStatus = 202
        #expect(
            OverlayLines(live: meter.live, last: last, stats: stats).lines == [
                "v2 stalled, stalls 1",
                "last: v1 startup 412 ms, watched 20000 ms, stalls 1, CoreMediaErrorDomain#-12660, eu-west",
                "waiting 4, 2 of earlier runs, delivered 7, dropped 0", "last status 202",
            ])
        stats.lastStatus = nil
        #expect(OverlayLines(live: nil, last: last, stats: stats).lines.last == "no response")
    }

    @Test("knows every state of an open play")
    func states() {
        var meter = PlaybackMeter(videoId: "v1") { PlaybackContext() }
        #expect(meter.live == nil)
        meter.handle(.status(.playing), at: .now)
        meter.handle(.seekBegan, at: .now)
        #expect(meter.live?.state == .seeking)
        meter.handle(.pause, at: .now)
        #expect(meter.live?.state == .paused)
        meter.handle(.stop, at: .now)
        #expect(meter.live == nil)
    }
}
