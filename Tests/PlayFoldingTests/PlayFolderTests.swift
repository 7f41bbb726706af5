import PlayFolding
import PlaybackEvents
import TestSupport
import Testing

@Suite("The folder of plays")
struct PlayFolderTests {
    private let second: Int64 = 1_000
    private let minute: Int64 = 60_000

    /// Ticks from one time to another, a minute apart, with the plays that close at them and when.
    private func tick(_ folder: inout PlayFolder, from start: Int64, to end: Int64) -> [(at: Int64, play: ClosedPlay)] {
        stride(from: start, through: end, by: Int(second)).flatMap { at in
            folder.take(Reports.line(at: at), at: at).map { (at, $0) }
        }
    }

    private let played = "0 0 ps s;100 1 ps p;5100 2 ps a"

    @Test("closes a play a minute past its end, and five minutes past its last report without one")
    func closing() throws {
        var folder = PlayFolder()
        #expect(folder.take(Reports.line(at: 0, Reports.parse(played + ";6000 3 ps e", sid: "a")), at: 0).isEmpty)
        #expect(folder.take(Reports.line(at: 0, Reports.parse(played, sid: "b")), at: 0).isEmpty)
        #expect(folder.take(Reports.line(at: 0, Reports.parse(played, sid: "c"), heartbeatMs: 200_000), at: 0).isEmpty)
        #expect(folder.take(Reports.line(at: 0, Reports.parse(played, sid: "d"), heartbeatMs: 0), at: 0).isEmpty)
        let closed = tick(&folder, from: second, to: 5 * 3_600_000)
        #expect(closed.map(\.play.session) == ["a", "b", "c", "d"])
        #expect(closed.map(\.at) == [minute, 5 * minute, 10 * minute, 240 * minute])
        #expect(closed.map(\.play.cause) == [.end, .silence, .silence, .silence])
        #expect(closed.map(\.play.endedBy) == [.reported, .silence, .silence, .silence])
        #expect(closed.allSatisfy { $0.play.closedAt == $0.at && $0.play.play.receivedAt == Reports.base + $0.at })
        #expect(folder.counters.open == 0)
    }

    @Test("writes a play that the archive reads back, named by what names it")
    func line() throws {
        var line = Reports.line(at: 3, Reports.parse(played + ";6000 3 e f ec=\"x\"", sid: "a\\\"b"), key: "web")
        line.context =
            ReportContext.parse([
                ("cdn", "fastly"), ("cdnRegion", "eu"), ("network", "wifi"), ("appVersion", "1"), ("player", "hls.js"),
                ("source", "stream"), ("tag.arm", "b"),
            ]).context
        let play = try #require([line].folded().first)
        var bytes: [UInt8] = []
        ArchiveLine.append(play.batch, to: &bytes)
        var logged = LoggedPlays()
        bytes.removeLast()
        try logged.append(line: bytes.span.bytes)
        let entry = try #require(logged.entries.first)
        guard case .play(let read) = entry.kind else { return #expect(Bool(false), "no play") }
        #expect(entry.requestId == read.playId && entry.requestId.uuidText.dropFirst(14).first == "8")
        #expect("89ab".contains(entry.requestId.uuidText.dropFirst(19).first ?? "-"))
        #expect(logged.string(read.sessionId) == "a\"b" && logged.string(read.error) == "hls.js#x")
        #expect(logged.string(read.cdn) == "fastly" && logged.string(read.cdnRegion) == "eu")
        #expect(read.regionFrom == .context && logged.string(read.tags) == "{\"arm\":\"b\"}")
        #expect(logged.string(read.network) == "wifi" && logged.string(read.source) == "stream")
        var others = line
        others.keyName = Array("tv".utf8)
        #expect([others].folded().first?.play.playId != read.playId)
    }

    @Test("dates a play by the smallest difference of the clocks")
    func dating() throws {
        var folder = PlayFolder()
        for (at, report) in [(900, "0 0 ps s"), (1_050, "1000 1 ps p"), (9_900, "9000 2 ps a")] as [(Int64, String)] {
            _ = folder.take(Reports.line(at: at, Reports.parse(report)), at: at)
        }
        let play = try #require(folder.closeAll(receivedAt: Reports.base + 9_900, at: 1).first)
        #expect(play.play.endedAt == Reports.base + 9_050 && !play.play.clockSkewed)
    }

    @Test(
        "dates no play further back than the contract believes anybody, whatever a player's clock says",
        arguments: ["e", "a", "f"])
    func farAhead(last: String) {
        // A clock at its beginning, then at the end of all years.
        let (first, end) = (CMCDReport.times.lowerBound - Reports.base, CMCDReport.times.upperBound - Reports.base)
        let text =
            "\(first) 0 ps s;\(first + 100) 1 ps p;\(first + 900) 2 ps \(last);\(end - 900) 3 t \(last);\(end) 4 t \(last)"
        for heartbeat in [0, 10_000, 86_400_000] as [Int64] {
            let plays = [Reports.line(at: 0, Reports.parse(text), heartbeatMs: heartbeat)].folded().map(\.play)
            #expect(!plays.isEmpty)
            for play in plays {
                #expect((play.receivedAt - 30 * 86_400_000...play.receivedAt).contains(play.endedAt))
                #expect(play.watchedMs <= 86_400_000 && !play.clockSkewed)
            }
            if last == "e" { #expect(plays.map(\.endedAt) == [Reports.base - 30 * 86_400_000]) }
        }
    }

    @Test("counts where numbers are missing between a play's reports, and not before its first")
    func gaps() {
        func gaps(_ text: String) -> [Int] { [Reports.line(at: 0, Reports.parse(text))].folded().map(\.gaps) }
        #expect(gaps(played) == [0])
        #expect(gaps("0 0 ps s;100 1 ps p;200 4 t p;300 5 t p;400 999999999999999 ps a") == [2])
        #expect(gaps("0 7 ps s;100 8 ps p;200 10 t p;5000 0 ps s;5100 1 ps p") == [1, 0])
    }

    @Test("moves its clock by a minute and a half at most, so that an outage ends no play")
    func clock() {
        var folder = PlayFolder()
        _ = folder.take(Reports.line(at: 0, Reports.parse(played)), at: 0)
        #expect(folder.take(Reports.line(at: 3_600_000), at: 1).isEmpty)
        #expect(folder.take(Reports.line(at: -3_600_000), at: 2).isEmpty)
    }

    @Test("drops late reports of a closed play for an hour, counts them, and begins a new play with what is later")
    func late() {
        var folder = PlayFolder()
        _ = folder.take(Reports.line(at: 0, Reports.parse(played + ";6000 3 ps e")), at: 0)
        #expect(tick(&folder, from: second, to: 2 * minute).count == 1)
        _ = folder.take(Reports.line(at: 2 * minute, Reports.parse("5500 2 t p;6000 3 ps e")), at: 130_000)
        #expect(folder.counters.droppedLate == 2 && folder.counters.open == 0)
        _ = folder.take(Reports.line(at: 2 * minute, Reports.parse("130000 4 t p;131000 5 ps a")), at: 130_001)
        let second = tick(&folder, from: 121_000, to: 10 * minute)
        #expect(second.count == 1 && second.first?.play.play.startupMs == nil)
        #expect(second.first?.play.play.watchedMs == 1_000)
        _ = tick(&folder, from: 10 * minute, to: 75 * minute)
        _ = folder.take(Reports.line(at: 75 * minute, Reports.parse("5500 2 t p")), at: 75 * minute)
        #expect(folder.counters.droppedLate == 2 && folder.counters.open == 1)
    }

    @Test("counts attempts after a failure for ten minutes, closed or not")
    func attempts() {
        let failed = "0 0 ps s;100 1 ps f;101 2 e f ec=1"
        var folder = PlayFolder()
        var plays: [ClosedPlay] = []
        let runs: [(Int64, String)] = [
            (0, failed), (10_000, "10000 0 ps s;10100 1 ps f;10101 2 e f"), (8 * minute, "480000 0 ps s;480100 1 ps p"),
            (20 * minute, "1200000 0 ps s;1200100 1 ps p"),
        ]
        var now: Int64 = 0
        for (at, text) in runs {
            plays += tick(&folder, from: now, to: at - 1).map(\.play)
            now = at
            plays += folder.take(Reports.line(at: at, Reports.parse(text)), at: at)
        }
        plays += folder.closeAll(receivedAt: Reports.base + 21 * minute, at: 0)
        #expect(plays.map(\.play.attempt) == [nil, 2, 3, nil])
        #expect(plays.map { $0.error == nil } == [false, false, true, true])
    }

    @Test("ends a play where the same session goes on to other content, and not where both play on")
    func sessions() {
        var folder = PlayFolder()
        _ = folder.take(Reports.line(at: 0, Reports.parse("0 0 ps s;100 1 ps p", cid: "one")), at: 0)
        _ = folder.take(Reports.line(at: 8_000, Reports.parse("8000 0 ps s;8200 1 ps p", cid: "two")), at: 1)
        let swapped = tick(&folder, from: 9_000, to: 70_000)
        #expect(swapped.map(\.at) == [68_000])
        #expect(swapped.first?.play.play.watchedMs == 7_900 && swapped.first?.play.endedBy == .reported)

        folder = PlayFolder()
        _ = folder.take(Reports.line(at: 0, Reports.parse("0 0 ps s;100 1 ps p", cid: "one")), at: 0)
        _ = folder.take(Reports.line(at: 8_000, Reports.parse("8000 0 ps s;8200 1 ps p", cid: "two")), at: 1)
        _ = folder.take(Reports.line(at: 10_000, Reports.parse("10000 2 t p", cid: "one")), at: 2)
        #expect(tick(&folder, from: 11_000, to: 200_000).isEmpty)
        let other = PlayFolder()
        #expect(other.oldestOpen == nil && folder.oldestOpen == 0)
    }

    @Test("keeps plays of different keys apart, whatever their sessions are called")
    func keys() {
        let lines = ["a", "b"].map { Reports.line(at: 0, Reports.parse(played), key: $0) }
        #expect(Set(lines.folded().map(\.figures)).count == 2)
    }

    @Test("takes what the address of a play's first report says for all of it")
    func context() {
        var lines = [Reports.line(at: 0, Reports.parse("100 1 ps p")), Reports.line(at: 1, Reports.parse("0 0 ps s"))]
        lines[0].context.cdn = Array("later".utf8)
        lines[1].context.cdn = Array("first".utf8)
        #expect(lines.folded().map { $0.batch.string($0.play.cdn) } == ["first"])
    }

    @Test("closes a play after a day that never ends, and lets heartbeats for ever cost nothing")
    func forever() {
        var folder = PlayFolder()
        _ = folder.take(Reports.line(at: 0, Reports.parse("0 0 ps s;100 1 ps p")), at: 0)
        var closed: [ClosedPlay] = []
        var most = 0
        for beat in 1...9_000 {
            let at = Int64(beat) * 10_000
            closed += folder.take(Reports.line(at: at, Reports.parse("\(at) \(beat + 1) t p")), at: Int64(beat))
            most = max(most, folder.counters.bytes)
        }
        #expect(closed.map(\.cause) == [.day] && most < 2_000)
        #expect(closed.first?.play.watchedMs == 86_389_900)
        #expect(folder.counters.open == 1)
    }

    @Test("forgets players that say for ever that they have ended or failed", arguments: ["e", "f"])
    func endedForEver(state: String) {
        var folder = PlayFolder()
        _ = folder.take(Reports.line(at: 0, Reports.parse("0 0 ps s;100 1 ps p;900 2 ps \(state)")), at: 0)
        var closed: [ClosedPlay] = []
        for beat in 1...1_000 {
            let at = Int64(beat) * 10_000
            closed += folder.take(Reports.line(at: at, Reports.parse("\(at) \(beat + 2) t \(state)")), at: Int64(beat))
        }
        #expect(closed.count == 1 && closed.first?.endedBy == .reported && closed.first?.play.watchedMs == 800)
        // Nothing is held for longer than an hour.
        #expect((folder.oldestOpen ?? 0) > 500)
    }

    @Test("closes a play that changes too often, and goes on with a new one")
    func changes() {
        var limits = FolderLimits()
        limits.changes = 100
        var folder = PlayFolder(limits: limits)
        var closed: [ClosedPlay] = []
        for change in 0..<1_000 {
            let report = Reports.parse("\(change * 100) \(change) ps \(change % 2 == 0 ? "a" : "p")")
            closed += folder.take(Reports.line(at: Int64(change) * 100, report), at: Int64(change))
        }
        #expect(closed.count >= 4 && closed.allSatisfy { $0.cause == .limit })
        #expect(folder.counters.bytes < 10_000)
    }

    @Test("holds so much and no more, and closes first what a key invents that has most")
    func budget() {
        var limits = FolderLimits()
        limits.bytes = 1 << 20
        var folder = PlayFolder(limits: limits)
        for session in 0..<50 {
            _ = folder.take(Reports.line(at: 0, Reports.parse(played, sid: "tv\(session)"), key: "tv"), at: 0)
            _ = folder.take(Reports.line(at: 0, Reports.parse(played, sid: "web\(session)"), key: "web"), at: 0)
        }
        var closed: [ClosedPlay] = []
        var most = 0
        for invented in 0..<6_000 {
            let reports = Reports.parse("0 0 ps s", sid: "invented\(invented)")
            closed += folder.take(Reports.line(at: 1, reports, key: "web"), at: Int64(invented))
            most = max(most, folder.counters.bytes)
        }
        #expect(most <= limits.bytes && closed.count > 2_000)
        #expect(closed.allSatisfy { $0.session.hasPrefix("invented") && $0.cause == .limit })
        #expect(closed.first?.session == "invented0")
        #expect(folder.counters.open + closed.count == 6_100)
    }
}
