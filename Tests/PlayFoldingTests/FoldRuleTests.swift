import PlayFolding
import PlaybackEvents
import Testing

@Suite("The fold of reports into plays")
struct FoldRuleTests {
    @Test("looks ahead once at what comes after an end, however much that is", .timeLimit(.minutes(1)))
    func afterTheEnd() {
        func plays(_ last: String) -> [Int64] {
            var reports = Reports.parse("0 0 ps s;100 1 ps p;5100 2 ps e")
            let waits = Reports.parse("6000 3 ps k;6001 4 ps w")
            for number in 0..<30_000 as Range<Int64> {
                var wait = waits[Int(number % 2)]
                (wait.ts, wait.sn) = (Reports.base + 6_000 + number, 3 + number)
                reports.append(wait)
            }
            return PlayFold.plays(of: reports + Reports.parse(last), heartbeatMs: 10_000).map(\.watchedMs)
        }
        #expect(plays("") == [5_000])
        #expect(plays("36000 30003 ps a") == [5_000])
        #expect(plays("36000 30003 ps p;37000 30004 ps a") == [5_000, 1_000])
    }

    private func plays(_ text: String, heartbeatMs: Int64 = 10_000, others: [Int64] = []) -> [PlaySummary] {
        Reports.plays(text, heartbeatMs: heartbeatMs, others: others)
    }

    private func only(_ text: String, heartbeatMs: Int64 = 10_000, others: [Int64] = []) throws -> PlaySummary {
        let plays = plays(text, heartbeatMs: heartbeatMs, others: others)
        try #require(plays.count == 1)
        return plays[0]
    }

    @Test("counts the startup from the first wait to the first picture, without pauses and preloading")
    func startup() throws {
        let play = try only("0 0 ps d;500 1 ps s;900 2 ps a;2900 3 ps s;3000 4 ps p;5000 5 ps a")
        #expect(play.startupMs == 500 && play.watchedMs == 2_000 && play.beganAt == Reports.base + 500)
    }

    @Test("measures no startup where a number is missing, a play begins with p, or its run with an old failure")
    func unmeasured() throws {
        #expect(try only("0 0 ps d;500 2 ps s;900 3 ps p;2000 4 t p").startupMs == nil)
        #expect(try only("500 2 ps s;900 3 ps p;2000 4 t p").startupMs == nil)
        #expect(try only("0 0 ps d;900 1 ps p;2000 2 t p").startupMs == nil)
        #expect(try only("0 0 ps f;500 1 ps s;900 2 ps p;2000 3 t p").startupMs == nil)
        #expect(try only("0 1 ps s;900 2 ps p;2000 3 t p").startupMs == 900)
        #expect(try only("0 - ps s;900 - ps p;2000 - t p").startupMs == 900)
        // One that begins with r begins at 0.
        #expect(try only("0 1 ps r;900 2 ps p;2000 3 t p").startupMs == nil)
    }

    @Test("knows of a play that it began, though nobody knows for how long it went on")
    func begun() throws {
        let play = try only("0 5 t p")
        #expect(play.startupMs == nil && play.watchedMs == 1)
    }

    @Test("takes the player's own account for its start where it says p while it only loads")
    func ownAccount() throws {
        let shaka = "0 0 t -;50 1 ps r;600 2 ps p;"
        let loaded = try only(shaka + "9000 3 t p msd=4000")
        #expect(loaded.startupMs == 4_000 && loaded.watchedMs == 5_000 && loaded.accessLogStartupMs == 4_000)
        let lost = try only("0 0 t -;50 1 ps r;5000 3 ps a msd=500")
        #expect(lost.startupMs == 500 && lost.stalls == 0)
        let never = try only(shaka + "9000 3 t p;19000 4 t p")
        #expect(never.startupMs == nil && never.watchedMs == 0 && never.waitedMs == 18_950)
        let gap = try only(shaka + "9000 4 t p")
        #expect(gap.startupMs == nil && gap.watchedMs == 8_400)
        #expect(try only(shaka).startupMs == 550)
    }

    @Test("believes another player's account of its startup only before its first p")
    func otherAccount() throws {
        #expect(try only("0 1 ps s;900 2 ps p msd=1;2000 3 t p").accessLogStartupMs == nil)
        #expect(try only("0 1 ps s;800 2 t s msd=700;900 3 ps p;2000 4 t p").accessLogStartupMs == 700)
    }

    @Test("counts waits for data as stalls, those of seeks as none, and a pause inside a stall as its end")
    func stalls() throws {
        let start = "0 1 ps s;100 2 ps p;"
        let stall = try only(start + "1100 3 ps r;1500 4 t r;2100 5 ps p;3100 6 ps a")
        #expect(stall.stalls == 1 && stall.stalledMs == 1_000 && stall.watchedMs == 3_000)
        let seek = try only(start + "1100 3 ps k;1200 4 ps w;2100 5 ps p;3100 6 ps w;3600 7 ps p;4000 8 ps a")
        #expect(seek.stalls == 1 && seek.stalledMs == 500 && seek.watchedMs == 2_900)
        let pause = try only(start + "1100 3 ps r;1500 4 ps a;2500 5 ps r;2600 6 ps p;3000 7 ps a")
        #expect(pause.stalls == 2 && pause.stalledMs == 500 && pause.watchedMs == 1_900)
        let mixed = try only(start + "1100 3 ps r;1500 4 ps w;1600 5 ps p;2000 6 ps a")
        #expect(mixed.stalls == 1 && mixed.stalledMs == 500)
    }

    @Test("makes no stall of a wait whose cause may be missing, and counts no stretch that ends in a gap")
    func gaps() throws {
        let start = "0 1 ps s;100 2 ps p;"
        let lostSeek = try only(start + "1100 4 ps r;2100 5 ps p;3100 6 ps a")
        #expect(lostSeek.stalls == 0 && lostSeek.stalledMs == 0 && lostSeek.watchedMs == 2_000)
        let cut = try only(start + "1100 3 ps r;2100 5 t r;2600 6 ps p;3100 7 ps a")
        #expect(cut.stalls == 1 && cut.stalledMs == 0 && cut.watchedMs == 1_500)
        let later = try only("0 1 ps s;100 2 ps p;1100 4 ps p;1000 3 ps r;1200 5 ps a")
        #expect(later.stalls == 1 && later.stalledMs == 100)
    }

    @Test("counts a stretch without a report for one heartbeat where it is longer than three")
    func silence() throws {
        let slept = "0 1 ps s;100 2 ps p;500100 3 t p;501100 4 ps a"
        #expect(try only(slept).watchedMs == 11_000)
        #expect(try only(slept, heartbeatMs: 0).watchedMs == 501_000)
        #expect(try only(slept, heartbeatMs: 200_000).watchedMs == 501_000)
        #expect(try only("0 1 ps s;100 2 ps p;90100 3 ps a").watchedMs == 90_000)
    }

    @Test("averages the bitrate over the time in which it played, a change from where the buffer had been filled")
    func bitrate() throws {
        let play = try only(
            "0 1 ps s br=100;1000 2 ps p br=200 bl=0;2000 3 bc p br=400 bl=1000;3500 4 t p br=400 bl=9000;5000 5 ps a")
        #expect(play.avgBitrate == 300_000)
        #expect(try only("0 1 ps s;100 2 ps p;900 3 ps a").avgBitrate == nil)
        #expect(try only("0 1 ps s ab=100 br=50;100 2 ps p pb=70;900 3 ps a").avgBitrate == 70_000)
    }

    @Test("calls a play failed that ends in f, or waits at its end after a fatal error")
    func failures() throws {
        let failed = try only("0 1 ps s;100 2 ps p;1100 3 ps f;1200 4 e f ec=7;9000 5 t f")
        #expect(failed.errorCode == Array("7".utf8) && failed.watchedMs == 1_000 && failed.isReported)
        #expect(failed.endedAt == Reports.base + 1_100)
        let recovered = try only("0 1 ps s;100 2 ps p;1100 3 ps f;1200 4 ps p;2200 5 ps a")
        #expect(recovered.errorCode == nil && recovered.watchedMs == 2_000)
        let starting = try only("0 1 ps s;700 2 e s ec=\"net\";900 3 e s ec=\"later\"")
        #expect(starting.errorCode == Array("net".utf8) && starting.waitedMs == 700)
        let waiting = try only("0 1 ps s;100 2 ps p;1100 3 ps w;1300 4 e w")
        #expect(waiting.errorCode == Array("fatal".utf8) && waiting.stalls == 1 && waiting.stalledMs == 200)
        let playing = try only("0 1 ps s;100 2 ps p;1100 3 e p ec=1;2100 4 ps a")
        #expect(playing.errorCode == nil && playing.watchedMs == 2_000)
        let stale = try only("0 0 ps f;10 1 e f ec=\"x\"")
        #expect(stale.errorCode == Array("x".utf8) && stale.waitedMs == nil && stale.startupMs == nil)
        #expect(plays("0 0 ps f;10 1 t f").isEmpty)
    }

    @Test("begins a new play after an end, but not with what players do at an end")
    func newPlays() {
        let first = "0 1 ps s;100 2 ps p;1100 3 ps e;"
        #expect(plays(first + "1103 4 ps k;1104 5 ps w;1105 6 ps a").count == 1)
        #expect(plays(first + "1103 4 ps a;1104 5 ps e;31000 6 t e").count == 1)
        let replayed = plays(first + "2000 4 ps k;2010 5 ps r;2050 6 ps p;3050 7 ps a")
        #expect(replayed.count == 2 && replayed[0].watchedMs == 1_000)
        #expect(replayed[1].startupMs == 50 && replayed[1].watchedMs == 1_000 && replayed[1].stalls == 0)
        #expect(plays(first + "2000 4 ps s;2100 5 ps p;3100 6 ps q").count == 2)
        #expect(plays("0 1 ps s;100 2 ps p;1100 3 ce p cen=\"leave\";1500 4 ps p;2500 5 ps a").count == 2)
        #expect(plays("0 1 ps s;100 2 ps p;1100 3 ce p cen=\"other\";1500 4 ps p;2500 5 ps a").count == 1)
    }

    @Test("begins a new play where the numbers begin anew, and gives it the fragments just before it")
    func runs() {
        let two = plays("0 0 ps s;100 1 ps p;1100 0 ps s;1300 1 ps p;2300 2 ps a")
        #expect(two.count == 2 && two[0].end == .next && two[0].watchedMs == 1_000 && two[1].startupMs == 200)
        let joined = plays("0 1 ps s;1 2 ps s;500 1 ps s;900 2 ps p;1900 3 ps a")
        #expect(joined.count == 1 && joined[0].startupMs == 900 && joined[0].watchedMs == 1_000)
        let apart = plays("0 1 ps s;1 2 ps s;1500 1 ps s;1900 2 ps p;2900 3 ps a")
        #expect(apart.count == 2 && apart[0].waitedMs == 1_500 && apart[1].startupMs == 400)
        let broken = plays("0 1 ps s;5 3 ps s;500 1 ps s;900 2 ps p;1900 3 ps a")
        #expect(broken.count == 1 && broken[0].startupMs == nil)
    }

    @Test("ends a play where another of its session begins, and believes its last state for one heartbeat")
    func others() throws {
        let text = "0 1 ps s;100 2 ps p;1100 3 t p"
        let near = try only(text, others: [5_000])
        #expect(near.end == .next && near.watchedMs == 4_900)
        #expect(try only(text, others: [12_000]).watchedMs == 1_000)
        // More came of it, so it plays on beside the other.
        #expect(try only(text, others: [600]).end == .silence)
    }

    @Test("cuts a play after a day, and measures no startup of what follows")
    func day() {
        let hours = (0..<30).map { "\(100 + $0 * 3_600_000) \($0 + 2) t p" }.joined(separator: ";")
        let plays = plays("0 1 ps s;" + hours, heartbeatMs: 0)
        #expect(plays.map(\.end) == [.day, .silence])
        #expect(plays[0].watchedMs == 23 * 3_600_000 && plays[1].startupMs == nil)
    }

    @Test("knows a wait where its end was said or it was a second or longer, and no number is missing")
    func waits() throws {
        #expect(try only("0 1 ps s;900 2 t s").waitedMs == nil)
        #expect(try only("0 1 ps s;1000 2 t s").waitedMs == 1_000)
        #expect(try only("0 1 ps s;900 2 ps q").waitedMs == 900)
        #expect(try only("0 1 ps s;5000 3 t s").waitedMs == nil)
    }

    @Test("dates a response by the report that precedes it by number")
    func responses() throws {
        let play = try only("0 0 ps d;10 1 ps s;400 3 rr p;900 2 ps p;300 4 rr p;2900 5 ps a")
        #expect(play.startupMs == 890 && play.watchedMs == 2_000)
    }

    @Test("lets reports without a state, or with an unknown one, leave the state as it is")
    func unsaid() throws {
        let play = try only("0 1 ps s;100 2 ps p;500 3 t -;700 4 um zz;1100 5 ps a")
        #expect(play.watchedMs == 1_000 && play.startupMs == 100)
    }

    @Test("makes no play of what only loads")
    func preloading() {
        #expect(plays("0 0 ps d;10 1 t d;30000 2 t d").isEmpty)
        #expect(plays("").isEmpty)
    }
}
