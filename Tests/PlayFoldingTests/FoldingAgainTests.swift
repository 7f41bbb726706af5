import PlayFolding
import PlaybackEvents
import TestSupport
import Testing

@Suite("Folding a log again")
struct FoldingAgainTests {
    /// A log in which the recordings play one after the other and side by side, some twice under other sessions, with ticks.
    private static func makeLog() throws -> [ReportLine] {
        var lines: [ReportLine] = []
        var random = SeededGenerator(seed: 9)
        for (number, name) in (Recording.names + Recording.names.reversed()).enumerated() {
            let start = Reports.base + Int64(number) * 9_000
            let recorded = try Recording(name).lines()
            guard let first = recorded.first?.receivedAt else { continue }
            for line in recorded {
                var line = line
                line.receivedAt += start - first
                for index in line.reports.indices {
                    line.reports[index].ts += start - first
                    line.reports[index].sid += Array("-\(number)".utf8)
                }
                lines.append(line)
                // A repeat that may come late.
                if Int.random(in: 0..<20, using: &random) == 0 {
                    line.receivedAt += Int64.random(in: 0...900_000, using: &random)
                    lines.append(line)
                }
            }
        }
        let end = (lines.map(\.receivedAt).max() ?? 0) + 600_000
        for tick in stride(from: Reports.base, through: end, by: 60_000) {
            lines.append(ReportLine(receivedAt: tick, requestId: Identifier128(high: 0, low: UInt64(tick))))
        }
        return lines.sorted { $0.receivedAt < $1.receivedAt }
    }

    @Test("gives the same plays, closed at the same lines, from the first and from the oldest open line on")
    func fromTheOldest() throws {
        let log = try Self.makeLog()
        func fold(from start: Int, stops: Set<Int> = []) -> (closed: [ClosedPlay], oldest: [(stop: Int, line: Int)]) {
            var folder = PlayFolder()
            var closed: [ClosedPlay] = []
            var oldest: [(Int, Int)] = []
            for position in start..<log.count {
                closed += folder.take(log[position], at: Int64(position))
                if stops.contains(position) { oldest.append((position, Int(folder.oldestOpen ?? Int64(position + 1)))) }
            }
            return (closed, oldest)
        }
        func names(_ plays: [ClosedPlay], after position: Int) -> [String] {
            plays.filter { $0.closedAt > position }.map { "\($0.figures) \($0.closedAt) \($0.play.receivedAt)" }
        }
        let whole = fold(from: 0, stops: Set(stride(from: 50, to: log.count, by: 150)))
        #expect(whole.closed.count > 150)
        #expect(names(fold(from: 0).closed, after: -1) == names(whole.closed, after: -1))
        #expect(whole.oldest.count > 5)
        for (stop, line) in whole.oldest {
            #expect(names(fold(from: line).closed, after: stop) == names(whole.closed, after: stop))
        }
    }

    @Test("makes no play of reports that come late, wherever it begins to read", arguments: [0, 10_000, 30 * 60_000])
    func late(heartbeatMs: Int64) {
        let minute: Int64 = 60_000
        var log = [
            Reports.line(at: 0, Reports.parse("0 0 ps s;100 1 ps p;5100 2 ps a;6000 3 ps e"), heartbeatMs: heartbeatMs)
        ]
        // Others keep the log going, and what is needed of it short; each is one play for a long time.
        for at in stride(from: minute, through: 600 * minute, by: Int(minute)) {
            let other = Reports.parse("\(at) \(at / minute) t p", sid: "other \(at / (100 * minute))")
            log.append(Reports.line(at: at, other, heartbeatMs: heartbeatMs))
            // Known as late ones of the first play: at 50 minutes, and just before that is forgotten.
            if at == 50 * minute || at == 60 * minute {
                log.append(Reports.line(at: at, Reports.parse("5500 2 t p;5600 2 ps r"), heartbeatMs: heartbeatMs))
            }
        }
        func fold(from start: Int) -> (closed: [ClosedPlay], oldest: [Int]) {
            var folder = PlayFolder()
            var (closed, oldest) = ([ClosedPlay](), [Int]())
            for position in start..<log.count {
                closed += folder.take(log[position], at: Int64(position))
                oldest.append(Int(folder.oldestOpen ?? Int64(position + 1)))
            }
            return (closed, oldest)
        }
        func names(_ plays: [ClosedPlay], after stop: Int) -> [String] {
            plays.filter { $0.closedAt > stop }.map { "\($0.figures) \($0.closedAt)" }
        }
        let whole = fold(from: 0)
        for stop in stride(from: 40, to: log.count, by: 41) {
            #expect(
                names(fold(from: whole.oldest[stop]).closed, after: stop) == names(whole.closed, after: stop), "\(stop)"
            )
        }
        // The first play's reports are not held for ever.
        if heartbeatMs > 0 { #expect((whole.oldest.last ?? 0) > 200) }
    }

    @Test("closes every play of the log once")
    func once() throws {
        let log = try Self.makeLog()
        let ids = log.folded().compactMap(\.play.playId)
        #expect(Set(ids).count == ids.count)
    }

    @Test("makes of reports that were taken together the plays that all of them make, in whatever order they came")
    func collapsing() {
        var limits = FolderLimits()
        (limits.afterEnd, limits.silence, limits.day) = (1 << 40, 1 << 40, 1 << 40)
        var random = SeededGenerator(seed: 4)
        var most = 0
        for seed in 0..<150 {
            let reports = RandomSession(seed: UInt64(seed), steps: Int.random(in: 5...300, using: &random)).reports
            // Each comes up to some twenty seconds late, some come twice.
            var coming = reports.enumerated().map { (Double($0) + Double.random(in: 0...12, using: &random), $1) }
            coming += coming.filter { _ in Int.random(in: 0..<10, using: &random) == 0 }.map { ($0.0 + 15, $0.1) }
            coming.sort { $0.0 < $1.0 }
            var folder = PlayFolder(limits: limits)
            for (position, report) in coming.enumerated() {
                let line = Reports.line(at: Int64(position) * 1_000, [report.1])
                #expect(folder.take(line, at: Int64(position)).isEmpty)
            }
            most = max(most, folder.counters.bytes)
            let plays = folder.closeAll(receivedAt: Reports.base, at: 0).map(\.play)
            let expected = PlayFold.plays(of: reports, heartbeatMs: 10_000)
            func figures(_ numbers: [Int64?]) -> String {
                numbers.map { $0.map(String.init) ?? "-" }.joined(separator: " ")
            }
            #expect(
                plays.map {
                    figures([$0.startupMs, $0.stalls, $0.stalledMs, $0.watchedMs, $0.avgBitrate, $0.waitedMs])
                }
                .sorted()
                    == expected.map {
                        figures([$0.startupMs, $0.stalls, $0.stalledMs, $0.watchedMs, $0.avgBitrate, $0.waitedMs])
                    }.sorted(),
                "seed \(seed)")
            #expect(plays.count { !$0.error.isAbsent } == expected.count { $0.errorCode != nil })
        }
        #expect(most < 8_000)
    }
}

/// Reports of a player that does anything in any order, as it makes them: heartbeats every ten seconds, stalls, seeks,
/// pauses, ends, failures, new sources, responses dated by their requests.
private struct RandomSession {
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
