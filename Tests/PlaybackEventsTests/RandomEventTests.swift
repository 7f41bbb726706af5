import PlaybackEvents
import TestSupport
import Testing

@Suite("A legal event")
struct RandomEventTests {
    @Test("is the same play however its JSON is written", arguments: 0..<4)
    func isTheSame(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let events = (0..<25).map { _ in RandomEvent(&random) }
            let plain = try Request.decode(Request.body(events: events.map(\.plain)))
            #expect(plain.rejections.isEmpty)
            let odd = try Request.decode(Request.body(events: events.map { $0.odd(&random) }))
            #expect(odd.rejections.isEmpty)
            #expect(
                plain.plays.map { play in StoredPlay(play) { plain[$0] } }
                    == odd.plays.map { play in StoredPlay(play) { odd[$0] } })
            #expect(plain.plays.map { plain.string($0.tags) } == odd.plays.map { odd.string($0.tags) })
        }
    }

    @Test("comes back from the archive as it was, a line each", arguments: 0..<4)
    func comesBack(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 100)
        for _ in 0..<20 {
            var events = (0..<25).map { _ in RandomEvent(&random).plain }
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                events[Int.random(in: 0..<25, using: &random)] = "{}"
            }
            let sender = #""sender":{"senderId":"s","sequence":1,"made":2,"dropped":3,"rejected":4}"#
            let body = Request.body(sender, events: events)
            let batch = try Request.decode(body, regionHeader: Array("hdr".utf8))
            try BatchInvariants.expect(batch, of: Array(body.utf8))
        }
    }

    @Test("has no key twice unless one is")
    func findsRepeats() throws {
        var random = SeededGenerator(seed: 3)
        let names = [
            "a", "b", "\\u0061", "ab", "ba", "", "\\u0000", "é", "\\u00e9", "aaaaaaaaaaaaaaaaaaaaaaaaa", "k1", "k2",
        ]
        let plain = ["a", "b", "a", "ab", "ba", "", "\0", "é", "é", "aaaaaaaaaaaaaaaaaaaaaaaaa", "k1", "k2"]
        for round in 0..<600 {
            var keys: [String] = []
            var written: [String] = []
            // Some objects are small enough to be compared pair by pair, some are sorted.
            for number in 0..<(round % 3 == 0 ? 30 : 5) {
                if Int.random(in: 0..<4, using: &random) > 0 {
                    keys.append("unique\(number)")
                    written.append("\"unique\(number)\":0")
                } else {
                    let name = Int.random(in: 0..<names.count, using: &random)
                    keys.append(plain[name])
                    written.append("\"\(names[name])\":0")
                }
            }
            let members = written.joined(separator: ",")
            let own = try Request.decode(Request.body(events: [Request.event(members)])).plays.isEmpty
            let nested = try Request.decode(Request.body(events: [Request.event("\"x\":[{\(members)}]")])).plays.isEmpty
            let outside = Request.fault(of: Array("{\(members),\"events\":[]}".utf8))?.code
            let repeats = Set(keys).count < keys.count
            #expect(own == repeats && nested == repeats && (outside == .duplicateKey) == repeats, "\(members)")
        }
    }
}

/// What holds for every batch, whatever came.
enum BatchInvariants {
    private static let fields: Set<String> = [
        "", "videoId", "stalls", "stalledMs", "watchedMs", "startupMs", "avgBitrate", "error", "error.domain",
        "error.code", "playId", "sessionId", "ageMs", "endedAt", "bytes", "memoryBytes", "waitedMs",
        "accessLogStartupMs", "attempt", "playerStalls", "playerStalledMs", "cdn", "cdnRegion", "network", "source",
        "appVersion", "osVersion",
        "deviceModel", "player", "tags",
    ]

    /// Expects the batch to hold together, and to come back from the archive as it was.
    static func expect(_ batch: PlayBatch, of body: [UInt8]) throws {
        let positions = (batch.indices.map(Int.init) + batch.rejections.map(\.index)).sorted()
        #expect(positions == Array(0..<batch.plays.count + batch.rejections.count))
        #expect(batch.indices.count == batch.plays.count)
        for rejection in batch.rejections {
            #expect(rejection.bytes.lowerBound >= 0 && rejection.bytes.upperBound <= body.count)
            #expect(!rejection.bytes.isEmpty)
            #expect(rejection.message.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            var field = Substring(rejection.field)
            if field.hasPrefix("context.") { field = field.dropFirst(8) }
            if field.hasPrefix("tags.") {
                #expect((1...32).contains(field.dropFirst(5).utf8.count))
                field = "tags"
            }
            #expect(fields.contains(String(field)), "\(rejection.field)")
        }
        for play in batch.plays {
            #expect((1...128).contains(play.videoId.count))
            #expect(play.stalledMs <= play.watchedMs && play.stalledMs >= 0)
            #expect((play.regionFrom == nil) == play.cdnRegion.isAbsent)
            for text in [
                play.videoId, play.error, play.sessionId, play.cdn, play.cdnRegion, play.network, play.source,
                play.appVersion, play.osVersion, play.deviceModel, play.player, play.tags,
            ] where !text.isAbsent {
                let string = try #require(String(validating: batch[text], as: UTF8.self))
                #expect(!string.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
            }
        }
        let lines = RoundTrip.lines(of: batch)
        #expect(lines.filter { $0 == 0x0A }.count == batch.plays.count + (batch.account == nil ? 0 : 1))
        RoundTrip.expectSame(batch, try RoundTrip.read(lines))
    }
}
