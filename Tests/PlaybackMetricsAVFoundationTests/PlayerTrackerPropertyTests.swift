import PlaybackMetricsClient
import TestSupport
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("A player's tracker, whatever it is told")
struct PlayerTrackerPropertyTests {
    @Test("bears it, and closes only plays with figures that a play can have")
    func anything() {
        var random = SeededGenerator(seed: 1)
        var plays = 0
        for sequence in 0..<5_000 {
            var run = TrackerRun()
            var time = 0
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                time += Int.random(in: -20...900, using: &random)
                Self.tell(&run, at: time, using: &random)
            }
            run.at(time, .letGo)
            for closed in run.closed {
                let entry = ItemLog.Entry(bytes: .max, indicatedBitrate: 1, startupTime: 0)
                let completed = closed.completed(access: [entry], errors: []) { _ in nil }
                let isSound = holds(closed.summary) && holds(completed)
                if !isSound { Issue.record("sequence \(sequence): \(closed)") }
            }
            plays += run.closed.count
        }
        #expect(plays > 5_000)
    }

    private func holds(_ play: PlaybackSummary) -> Bool {
        (0...play.watchedMs).contains(play.stalledMs) && (play.stalls > 0 || play.stalledMs == 0)
            && (play.startupMs ?? 0) >= 0 && (play.waitedMs ?? 0) >= 0 && (play.accessLogStartupMs ?? 0) >= 0
            && (0...(1 << 40)).contains(play.bytes ?? 0) && (1...100).contains(play.attempt)
    }

    private static func tell(_ run: inout TrackerRun, at time: Int, using random: inout SeededGenerator) {
        let item = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: 0..<24, using: &random) {
        case 0...2:
            let videoId = [VideoID("v1"), "v2"][Int.random(in: 0..<2, using: &random)]
            run.at(time, item: Bool.random(using: &random) ? item : nil, videoId, isQueued: Bool.random(using: &random))
        case 3...6: run.at(time, .control(controls[Int.random(in: 0..<controls.count, using: &random)]))
        case 7, 8: run.at(time, .itemReady)
        case 9: run.at(time, .failed(PlaybackError("x")))
        case 10: run.at(time, .ended([.advance, .pause, .none][item % 3], next: item > 1 ? "v1" : nil))
        case 11: run.at(time, .jumped)
        case 12: run.at(time, .seekBegan)
        case 13: run.at(time, .seekEnded)
        case 14: run.at(time, .playRequested(item > 1 ? "v1" : "v2"))
        case 15: run.at(time, .presentation(.pip))
        case 16: run.at(time, item > 1 ? .background : .foreground)
        case 17: run.at(time, .bufferEmpty(item > 1))
        case 18: run.at(time, .playbackStalled(waitsByItself: item > 2))
        case 19: run.at(time, item > 2 ? .terminated : .requestCancelled)
        case 20: run.at(time, .closingLog([.init(bytes: 70)], of: run.id(item)), .errorLog(count: 2, of: run.id(item)))
        case 21: run.at(time, .edge(CDNEdge(cdn: "a"), of: run.id(item)))
        case 22: run.at(time, .metric(metrics[Int.random(in: 0..<metrics.count, using: &random)], of: run.id(item)))
        default: run.at(time, log: item, bytes: [-1, 0, 5_000, .max][Int.random(in: 0..<4, using: &random)])
        }
    }

    private static let controls: [PlayerControl] = [.paused, .waitingForData, .evaluating, .held, .playing]
    private static let metrics: [PlayerMetric] = [
        .stall, .seekBegan, .seekEnded(inBuffer: true), .seekEnded(inBuffer: false), .bitrate(nil),
        .summary(stalls: 1, stalledMs: -1, startupMs: 5),
    ]
}
