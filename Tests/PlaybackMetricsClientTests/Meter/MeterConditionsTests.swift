import Testing

@testable import PlaybackMetricsClient

/// Every input in every combination of conditions: what it makes of them, and where the time after it goes.
@Suite("The meter's conditions")
struct MeterConditionsTests {
    /// A combination, and whether its wait is one that a seek before it caused.
    struct Start: Sendable {
        var conditions: PlaybackConditions
        var waitIsTheSeeks = false
    }

    static let starts =
        (0..<16).map { Start(conditions: PlaybackConditions(rawValue: $0)) }
        + [0, 1, 2, 3].map { Start(conditions: [PlaybackConditions(rawValue: $0), .waiting], waitIsTheSeeks: true) }

    /// What an input sets and clears, written down apart from the code.
    static let effects: [(PlaybackInput, sets: PlaybackConditions, clears: PlaybackConditions)] = [
        (.play, [.wantsToPlay], []),
        (.pause, [], [.wantsToPlay, .waiting]),
        (.status(.loading), [.waiting], []),
        (.status(.playing), [.wantsToPlay, .hasStarted], [.waiting]),
        (.status(.stalled), [.wantsToPlay, .waiting], []),
        (.status(.paused), [], [.wantsToPlay, .waiting]),
        (.seekBegan, [.seeking], []),
        (.seekEnded, [], [.seeking]),
        (.bitrate(1_000_000), [], []),
        (.bitrate(nil), [], []),
        (.bytes(7), [], []),
        (.memory(7), [], []),
        (.logStartup(7), [], []),
        (.playerStalls(7, milliseconds: 7), [], []),
        (.edge(CDNEdge(cdn: "fastly")), [], []),
        (.presentation(.pip), [], []),
        (.status(.ended), [], []),
        (.status(.failed(PlaybackError("x"))), [], []),
        (.suspended, [], []),
        (.stop, [], []),
    ]

    private func meter(in start: Start) -> (PlaybackMeter, PlaybackInstant) {
        var meter = PlaybackMeter(videoId: "v1", memory: { nil }, context: { PlaybackContext() })
        let begin = PlaybackInstant(sinceOrigin: .zero)
        meter.handle(.play, at: begin)
        if start.conditions.contains(.hasStarted) { meter.handle(.status(.playing), at: begin) }
        // A pause ends a wait, so it comes before.
        if !start.conditions.contains(.wantsToPlay) { meter.handle(.pause, at: begin) }
        if start.waitIsTheSeeks { meter.handle(.seekBegan, at: begin) }
        if start.conditions.contains(.waiting) { meter.handle(.status(.loading), at: begin) }
        if start.waitIsTheSeeks { meter.handle(.seekEnded, at: begin) }
        if start.conditions.contains(.seeking) { meter.handle(.seekBegan, at: begin) }
        return (meter, begin)
    }

    @Test("follow from every input in every combination", arguments: starts)
    func everyInput(_ start: Start) throws {
        for (input, sets, clears) in Self.effects {
            var (meter, begin) = meter(in: start)
            #expect(meter.conditions == start.conditions)
            let closed = meter.handle(input, at: begin)
            switch input {
            case .status(.ended), .status(.failed), .suspended, .stop:
                #expect(closed != nil && !meter.isPlayOpen && meter.conditions == nil)
                continue
            default:
                #expect(closed == nil && meter.isPlayOpen)
            }
            let expected = start.conditions.subtracting(clears).union(sets)
            #expect(meter.conditions == expected, "\(input) in \(start)")
            try expectTime(of: meter, after: input, in: expected, cameFrom: start)
        }
    }

    /// Where 1000 ms after an input go.
    private func expectTime(
        of meter: PlaybackMeter, after input: PlaybackInput, in now: PlaybackConditions, cameFrom before: Start
    ) throws {
        var meter = meter
        let play = try meter.close(with: .stop, at: PlaybackInstant(sinceOrigin: .seconds(1)))
        let wants = now.contains(.wantsToPlay)
        let isSeeking = now.contains(.seeking)
        // A wait is the seek's when both hold now, or did until the seek ended, without a frame since; and so is a wait that
        // begins after a seek before anything has played.
        let wasTheSeeks = before.waitIsTheSeeks || before.conditions.isSuperset(of: [.waiting, .seeking])
        let isTheSeeks = now.contains(.waiting) && (isSeeking || wasTheSeeks)
        let isStarted = now.contains(.hasStarted)
        // Playing inside a seek ends it when it lasts.
        let hasPlayedOn = isSeeking && input == .status(.playing)
        let isWatching = isStarted && wants && (!isSeeking || hasPlayedOn) && !isTheSeeks
        let isStalled = isWatching && now.contains(.waiting)
        // A wait that began before the input counted on the way, when somebody wanted to play and no seek caused it.
        let wasStalled =
            before.conditions.isSuperset(of: [.wantsToPlay, .hasStarted, .waiting]) && !before.waitIsTheSeeks
        let note = Comment(rawValue: "\(input) in \(before)")
        #expect(play.watchedMs == (isWatching ? 1000 : 0), note)
        #expect(play.stalledMs == (isStalled ? 1000 : 0), note)
        #expect((play.stalls > 0) == (isStalled || wasStalled), note)
        #expect(play.waitedMs == (isStarted ? nil : wants ? 1000 : 0), note)
        #expect(play.startupMs == (isStarted ? 0 : nil), note)
    }

    @Test("are none before a play begins, and only play and playing begin one")
    func closed() {
        for (input, _, _) in Self.effects {
            var meter = PlaybackMeter(videoId: "v1", memory: { nil }, context: { PlaybackContext() })
            #expect(meter.handle(input, at: .now) == nil)
            #expect(meter.isPlayOpen == (input == .play || input == .status(.playing)))
        }
    }
}
