import PlaybackMetricsClient
import TestSupport
import Testing

@Suite("The meter, whatever it is told")
struct MeterPropertyTests {
    #if DEBUG
        static let sequences = 30_000
    #else
        static let sequences = 1_000_000
    #endif

    @Test("gives one summary a play, nothing negative, and no more watched than passed")
    func invariants() {
        var random = SeededGenerator(seed: 1)
        for sequence in 0..<Self.sequences where !check(&random) {
            Issue.record("sequence \(sequence) of seed 1")
            return
        }
    }

    /// Tells a meter up to 24 random things at random times, which now and then go backwards.
    private func check(_ random: inout SeededGenerator) -> Bool {
        var meter = PlaybackMeter(videoId: "v1", ids: ConstantID(), memory: { nil }, context: { PlaybackContext() })
        var time: Int64 = 0
        var latest = Int64.min
        var began: Int64?
        for _ in 0..<Int.random(in: 1...24, using: &random) {
            time += Int64.random(in: -50...2000, using: &random)
            latest = max(latest, time)
            let input = Self.inputs[Int.random(in: 0..<Self.inputs.count, using: &random)]
            let wasOpen = began != nil
            let summary = meter.handle(input, at: PlaybackInstant(sinceOrigin: .milliseconds(time)))
            if began == nil, input == .play || input == .playing { began = latest }
            let closes = [PlaybackInput.ended, .failed, .suspended, .stop].contains(input)
            guard (summary != nil) == (wasOpen && closes), meter.isPlayOpen == (began != nil && !closes) else {
                return false
            }
            guard let summary, let first = began else { continue }
            guard holds(summary, within: latest - first) else { return false }
            began = nil
        }
        return true
    }

    private func holds(_ play: PlaybackSummary, within passed: Int64) -> Bool {
        let starting = play.startupMs ?? play.waitedMs ?? 0
        return play.stalls >= 0 && play.stalledMs >= 0 && starting >= 0
            && play.stalledMs <= play.watchedMs && play.watchedMs + starting <= passed
            && (play.stalls > 0 || play.stalledMs == 0)
            && (play.startupMs == nil || play.waitedMs == nil)
            && (play.waitedMs == nil || play.watchedMs == 0)
            && (play.avgBitrate.map { $0 > 0 && $0 <= 1_000_000_000 } ?? true)
            && (play.bytes ?? 0) >= 0 && (play.accessLogStartupMs ?? 0) >= 0
            && (play.playerStalls ?? 0) >= 0 && (play.playerStalledMs ?? 0) >= 0 && (1...100).contains(play.attempt)
    }

    @Test("gives the same figures however often it is asked in between")
    func observing() {
        var random = SeededGenerator(seed: 2)
        for sequence in 0..<2000 {
            var seldom = PlaybackMeter(
                videoId: "v1", ids: ConstantID(), memory: { nil }, context: { PlaybackContext() })
            var often = seldom
            var microseconds = 0
            for _ in 0..<24 {
                for _ in 0..<3 {
                    microseconds += Int.random(in: 0...700_000, using: &random)
                    often.handle(.memory(-1), at: PlaybackInstant(sinceOrigin: .microseconds(microseconds)))
                }
                let instant = PlaybackInstant(sinceOrigin: .microseconds(microseconds))
                let input = Self.inputs[Int.random(in: 0..<Self.inputs.count, using: &random)]
                let summaries = (seldom.handle(input, at: instant), often.handle(input, at: instant))
                guard summaries.0.map(rounded) == summaries.1.map(rounded) else {
                    Issue.record("sequence \(sequence): \(summaries)")
                    return
                }
            }
        }
    }

    /// Sums of floating-point numbers differ in their last digits with the number of terms.
    private func rounded(_ play: PlaybackSummary) -> PlaybackSummary {
        var play = play
        play.avgBitrate = play.avgBitrate?.rounded()
        return play
    }

    private static let inputs: [PlaybackInput] = [
        .play, .playing, .playing, .loading, .stalled, .paused, .pause, .seekBegan, .seekEnded, .ended, .failed,
        .suspended, .stop, .bitrate(nil), .bitrate(.nan), .bitrate(-1), .bitrate(2_000_000), .bitrate(3e9), .bytes(-1),
        .bytes(4_000_000), .memory(5), .playerStalls(-1, milliseconds: 0), .playerStalls(2, milliseconds: 9),
        .edge(CDNEdge(cdn: "a", region: "b")), .edge(CDNEdge(cdn: "c")), .logStartup(-1), .logStartup(300),
        .presentation(.pip), .presentation(.inline),
    ]
}
