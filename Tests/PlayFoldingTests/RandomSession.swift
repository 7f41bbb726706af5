import PlaybackEvents
import TestSupport

/// Reports of a player that does anything in any order, as it makes them: heartbeats every ten seconds, stalls, seeks,
/// pauses, ends, failures, new sources, responses dated by their requests.
struct RandomSession {
    private(set) var reports: [CMCDReport] = []
    private var random: SeededGenerator
    private var ts: Int64 = 1_796_000_000_000
    private var number: Int64 = 0
    private var runStart: Int64 = 1_796_000_000_000
    private var nextBeat: Int64 = 1_796_000_010_000
    private var state = CMCDToken("d")
    private var bitrate: Int64 = 500

    init(seed: UInt64, steps: Int) {
        random = SeededGenerator(seed: seed)
        say("ps", "d", after: 0)
        say("t", "d", after: 10)
        say("ps", "s", after: 30)
        say("ps", "p", after: 500)
        for _ in 0..<steps { step() }
    }

    private mutating func step() {
        let after = Int64.random(in: 100...4_000, using: &random)
        let to = ts + after
        while nextBeat < to {
            ts = max(ts, nextBeat)
            report("t")
            nextBeat += 10_000
        }
        ts = to
        switch Int.random(in: 0..<40, using: &random) {
        case 0: say("ps", "r", after: 0)
        case 1, 2, 3: say("ps", "p", after: 0)
        case 4: say("ps", "a", after: 0)
        case 5:
            say("ps", "k", after: 0)
            say("ps", "r", after: 2)
        case 6:
            bitrate = Int64.random(in: 1...5, using: &random) * 300
            report("bc", buffer: Int64.random(in: 0...20_000, using: &random))
        case 7:
            say("ps", "e", after: 0)
            say("ps", "a", after: 2)
        case 8:
            say("ps", "f", after: 0)
            report("e")
        case 9:
            number = 0
            runStart = ts
            say("ps", "s", after: 0)
        case 10...20: report("rr")
        default: break
        }
    }

    private mutating func say(_ event: StaticString, _ state: StaticString, after ms: Int64) {
        ts += ms
        self.state = CMCDToken(state)
        report(event)
    }

    private mutating func report(_ event: StaticString, buffer: Int64? = nil) {
        let event = CMCDToken(event)
        let isResponse = event == CMCDToken("rr")
        let made = isResponse ? max(runStart, ts - Int64.random(in: 0...3_000, using: &random)) : ts
        var report = CMCDReport(ts: made, sid: Array("session".utf8), cid: Array("clip".utf8))
        report.sn = number
        report.event = event
        report.state = state
        report.br = bitrate
        report.bl = buffer
        number += 1
        reports.append(report)
    }
}
