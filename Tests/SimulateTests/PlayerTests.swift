import PlaybackMetricsClient
import Testing

@testable import PlaybackSimulation

@Suite("A simulated player")
struct PlayerTests {
    private static let clip = Clip(id: "v1", length: 30_000, popularity: 0, fault: nil)

    private func equipment(_ network: PlaybackNetwork = .wifi, seed: UInt64) -> ClipPlayback.Equipment {
        let region = EdgeRegion.all[1]
        let link = AccessLink(network, in: region, .poor, from: 0, chance: Chance(seed: seed))
        return ClipPlayback.Equipment(
            delivery: EdgeDelivery(
                from: region, cdn: "cdn-a", over: link, trouble: nil, chance: Chance(seed: seed + 1_000)),
            choice: BitrateChoice(cap: AccessNetwork(network).bitrateCap), chance: Chance(seed: seed + 2_000))
    }

    private func playback(
        _ script: ViewerScript, clip: Clip = Self.clip, seed: UInt64 = 1, deadline: Int64 = 10_000_000
    ) -> ClipPlayback {
        ClipPlayback(
            SegmentLoad(of: clip, chance: Chance(seed: seed)), on: equipment(seed: seed), script: script, at: 100_000,
            setup: 50, deadline: deadline)
    }

    @Test("says what a meter can make one play of, whatever viewer and network do", arguments: 1...200)
    func anyViewer(seed: Int) throws {
        var habits = ViewerHabits(chance: Chance(seed: UInt64(seed)))
        var playback = playback(habits.script(for: Self.clip, isLast: seed.isMultiple(of: 9)), seed: UInt64(seed))
        let closing = playback.run()
        #expect(playback.said.first?.input == .play)
        #expect(playback.said.map(\.time) == playback.said.map(\.time).sorted())
        #expect(playback.now <= 10_000_000)

        var meter = PlaybackMeter(videoId: "v1", memory: { nil }) { PlaybackContext() }
        for saying in playback.said {
            let instant = PlaybackInstant(sinceOrigin: .milliseconds(saying.time))
            #expect(meter.handle(saying.input, at: instant) == nil)
        }
        let end: PlaybackInput =
            if case .failed(let failure) = closing { .status(.failed(failure.error)) } else { .stop }
        let closed = meter.handle(end, at: PlaybackInstant(sinceOrigin: .milliseconds(playback.now)))
        let summary = try #require(closed)
        #expect(summary.watchedMs <= playback.now - playback.begin)
        #expect(summary.stalledMs <= summary.watchedMs)
        #expect(playback.load.bytes > 0 || summary.watchedMs == 0)
    }

    @Test("starts after its own setup and the network's answers, plays the clip and ends")
    func wholeClip() throws {
        let script = ViewerScript(patience: 60_000, stallPatience: 60_000, leavesAfter: nil, loops: 0)
        var playback = playback(script, seed: 4)
        #expect(playback.run() == .ended)
        let start = try #require(playback.said.first { $0.input == .status(.playing) })
        #expect(start.time > 100_050)
        #expect(playback.now >= start.time + 30_000)
        #expect(playback.playhead == 30_000)
    }

    @Test("shows a looping clip again without loading it again, until the viewer has had enough")
    func loop() {
        let once = ViewerScript(patience: 60_000, stallPatience: 60_000, leavesAfter: nil, loops: 0)
        let looping = ViewerScript(patience: 60_000, stallPatience: 60_000, leavesAfter: 75_000, loops: 8)
        var (first, second) = (playback(once, seed: 4), playback(looping, seed: 4))
        #expect(first.run() == .ended)
        #expect(second.run() == .left)
        #expect(second.load.bytes == first.load.bytes)
        #expect(second.now > first.now + 40_000)
    }

    @Test("closes at the deadline at the latest, as suspended")
    func deadline() {
        let script = ViewerScript(patience: 60_000, stallPatience: 60_000, leavesAfter: nil, loops: 8)
        var playback = playback(script, seed: 4, deadline: 120_000)
        #expect(playback.run() == .suspended)
        #expect(playback.now == 120_000)
    }

    @Test("fails at once at a clip that was published broken")
    func brokenClip() {
        var clip = Self.clip
        clip.fault = .formatUnreadable
        let script = ViewerScript(patience: 60_000, stallPatience: 60_000, leavesAfter: nil, loops: 0)
        var playback = playback(script, clip: clip, seed: 4)
        #expect(playback.run() == .failed(.formatUnreadable))
        #expect(!playback.said.contains { $0.input == .status(.playing) })
    }

    @Test("chooses a variant in the middle first, then what the network carries, never above the cap")
    func bitrate() {
        var choice = BitrateChoice(cap: 2_000_000)
        #expect(choice.next == 800_000)
        choice.note(bytes: 1_000_000, milliseconds: 200)
        #expect(choice.next == 2_000_000)
        for _ in 0..<20 { choice.note(bytes: 100_000, milliseconds: 2_000) }
        #expect(choice.next == 240_000)
        #expect(BitrateChoice(cap: 400_000).next == 400_000)
    }
}
