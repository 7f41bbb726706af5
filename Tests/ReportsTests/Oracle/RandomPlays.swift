import Foundation
import TestSupport

/// Plays with a seed: sessions over several days, regions and networks, with everything that the contract allows now and
/// then absent.
enum RandomPlays {
    static func make(seed: UInt64, count: Int) -> [StoredPlay] {
        var random = SeededGenerator(seed: seed)
        let start: Int64 = 1_795_737_600_000  // 2026-11-27
        var plays: [StoredPlay] = []
        var session = 0
        while plays.count < count {
            session += 1
            var template = StoredPlay()
            template.sessionId = session % 9 == 0 ? nil : "s\(session)"
            template.cdnRegion = pick(["eu-west", "us-east", "e\u{301}t", "\u{e9}t", "=sum(\"a\",1)", nil], &random)
            template.network = pick(["wifi", "wifi", "cellular", nil], &random)
            template.appVersion = pick(["1", "2.10", nil], &random)
            template.cdn = pick(["a", "b"], &random)
            template.tags = random.next() % 3 == 0 ? [:] : ["arm": pick(["x", "y's"], &random)]
            let time = start + Int64(random.next() % (3 * 86_400_000))
            for number in 0..<Int(1 + random.next() % 12) {
                plays.append(play(template, time: time + Int64(number) * 40_000, &random))
            }
        }
        for index in plays.indices {
            plays[index].arrival = Int64(index + 1)
            plays[index].playId = String(format: "%08d", index)
        }
        return plays
    }

    private static func pick<Value>(_ values: [Value], _ random: inout SeededGenerator) -> Value {
        values[Int(random.next() % UInt64(values.count))]
    }

    private static func play(_ template: StoredPlay, time: Int64, _ random: inout SeededGenerator) -> StoredPlay {
        var play = template
        func chance(_ one: UInt64, in many: UInt64) -> Bool { random.next() % many < one }
        play.endedAt = time
        play.receivedAt = time + (chance(1, in: 15) ? 100_000_000 : Int64(random.next() % 60_000))
        // A session may change its region.
        if chance(1, in: 20) { play.cdnRegion = "us-east" }
        play.regionFrom = play.cdnRegion == nil ? nil : pick(["event", "context", "header"], &random)
        play.videoId = "v\(random.next() % 5)"
        play.source = chance(1, in: 25) ? "download" : pick(["stream", nil], &random)
        play.clockSkewed = chance(1, in: 30)
        play.playIdMade = chance(1, in: 10)
        play.endedBy = pick(["reported", "silence", nil], &random)
        play.attempt = chance(1, in: 10) ? Int64(1 + random.next() % 3) : nil
        play.memoryBytes = chance(1, in: 2) ? Int64(random.next() % 300_000_000) : nil
        if chance(5, in: 6) {
            play.startupMs =
                chance(1, in: 20) ? nil : Int64(100 * exp(2 * random.uniform())) + Int64(random.next() % 400)
            play.watchedMs = chance(1, in: 30) ? 0 : Int64(random.next() % 60_000)
            if chance(1, in: 6), play.watchedMs > 0 {
                play.stalls = Int64(1 + random.next() % 3)
                play.stalledMs = Int64(random.next() % UInt64(play.watchedMs))
            }
            play.avgBitrate = chance(1, in: 6) ? nil : Int64(500_000 + random.next() % 4_000_000)
            play.sentBytes = chance(1, in: 3) ? Int64(random.next() % 20_000_000) : nil
            play.accessLogStartupMs = play.startupMs.flatMap {
                chance(1, in: 2) ? $0 + Int64(random.next() % 400) : nil
            }
            if chance(1, in: 2) {
                play.playerStalls = chance(1, in: 8) ? nil : play.stalls + (chance(1, in: 10) ? 1 : 0)
                play.playerStalledMs = chance(1, in: 8) ? nil : play.stalledMs + Int64(random.next() % 300)
            }
            play.errorCode = chance(1, in: 20) ? pick(["timeout", "-12660", "drm"], &random) : nil
        } else {
            play.stalls = chance(1, in: 10) ? 2 : 0
            play.waitedMs = chance(2, in: 3) ? Int64(random.next() % 3_000) : nil
            play.errorCode = chance(1, in: 2) ? pick(["timeout", "dns", "drm"], &random) : nil
            play.sentBytes = chance(1, in: 5) ? 300_000 : nil
        }
        return play
    }
}
