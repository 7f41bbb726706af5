import Foundation
import Testing

@testable import PlaybackMetricsClient

@Suite("A request's body")
struct BatchEncoderTests {
    private func text(_ summaries: [PlaybackSummary], at now: Duration = .seconds(2)) -> String {
        let entries = summaries.map { SummaryQueue.Entry(summary: $0, recordedAt: .zero) }
        let queue = SummaryQueue(capacity: 500, senderId: NumberedIDs.id(9))
        for entry in entries { queue.push(entry) }
        guard var batch = queue.take(500) else { return "" }
        batch.report = SenderReport(made: 240, dropped: 3, rejected: 4)
        batch.sequence = 7
        let body = BatchEncoder.body(of: batch, at: now)
        return String(decoding: body, as: UTF8.self)
    }

    private func context(_ change: (inout PlaybackContext) -> Void) -> PlaybackContext {
        var context = PlaybackContext()
        context.session = SessionID(uuid: NumberedIDs.id(5))
        context.cdn = "fastly"
        context.cdnRegion = "eu-west"
        context.network = .wifi
        change(&context)
        return context
    }

    @Test("has its keys in a fixed order, and every figure")
    func everyField() {
        var play = PlaybackSummary.sample(1)
        play.error = PlaybackError(domain: "CoreMediaErrorDomain", code: -12660)
        play.bytes = 5_000_000
        play.memoryBytes = 120_000_000
        play.waitedMs = 3
        play.accessLogStartupMs = 400
        play.attempt = 2
        play.playerStalls = 2
        play.playerStalledMs = 1_100
        play.context = context {
            $0.source = .stream
            $0.appVersion = "5.2.0"
            $0.osVersion = "17.4"
            $0.deviceModel = "iPhone15,2"
            $0.player = "AVPlayer"
            $0.tags.lifecycle = .idScopedPool
            $0.tags.acquired = .hit
            $0.tags.preloaded = true
            $0.tags.autoplay = false
        }
        let expected = """
            {"schemaVersion":1,"context":{"sessionId":"00000000-0000-7000-8000-000000000005","cdn":"fastly",\
            "cdnRegion":"eu-west","network":"wifi","source":"stream","appVersion":"5.2.0","osVersion":"17.4",\
            "deviceModel":"iPhone15,2","player":"AVPlayer","tags":{"acquired":"hit","autoplay":"no",\
            "lifecycle":"id_scoped_pool","preloaded":"yes"}},\
            "sender":{"senderId":"00000000-0000-7000-8000-000000000009","sequence":7,"made":240,"dropped":3,"rejected":4},\
            "events":[{"videoId":"v1","stalls":1,"stalledMs":900,"watchedMs":20000,"startupMs":412,"avgBitrate":2000000,\
            "error":{"domain":"CoreMediaErrorDomain","code":-12660},"playId":"00000000-0000-7000-8000-000000000001",\
            "ageMs":2000,"bytes":5000000,"memoryBytes":120000000,"waitedMs":3,"accessLogStartupMs":400,"attempt":2,\
            "playerStalls":2,"playerStalledMs":1100}]}
            """
        #expect(text([play]) == expected)
    }

    @Test("leaves out what is not known")
    func bare() {
        let play = PlaybackSummary(videoId: "v1", playId: NumberedIDs.id(1))
        #expect(
            text([play]).hasSuffix(
                """
                "events":[{"videoId":"v1","stalls":0,"stalledMs":0,"watchedMs":0,\
                "playId":"00000000-0000-7000-8000-000000000001","ageMs":2000}]}
                """))
    }

    @Test("says what all plays share once, and the rest with each play")
    func shared() throws {
        var plays = (0..<3).map { PlaybackSummary.sample($0) }
        plays[0].context = context {
            $0.tags.lifecycle = .singleton; $0.tags["arm"] = "a"
        }
        plays[1].context = context {
            $0.tags.lifecycle = .singleton; $0.tags["arm"] = "b"; $0.network = .cellular
        }
        plays[2].context = context {
            $0.tags.lifecycle = .singleton; $0.cdn = nil
        }
        let body = try SentBody(Data(text(plays).utf8))
        let session = NumberedIDs.id(5).uuidString
        #expect(body.context == .init(sessionId: session, cdnRegion: "eu-west", tags: ["lifecycle": "singleton"]))
        #expect(body.events.map(\.cdn) == ["fastly", "fastly", nil])
        #expect(body.events.map(\.network) == ["wifi", "cellular", "wifi"])
        #expect(body.events.map(\.tags) == [["arm": "a"], ["arm": "b"], nil])
        #expect(body.events.allSatisfy { $0.sessionId == nil && $0.cdnRegion == nil })
    }

    @Test("holds the bitrate to the whole bit/s, and none that is unknown")
    func bitrate() throws {
        let values: [Double?] = [nil, .nan, .infinity, -.infinity, -1, 0, 0.4, 0.5, 1.49, 2.5, 1e9, 1e9 + 1, 1e300]
        let plays = values.map { value in
            var play = PlaybackSummary.sample()
            play.avgBitrate = value
            return play
        }
        let sent = try SentBody(Data(text(plays).utf8)).events.map(\.avgBitrate)
        #expect(sent == [nil, nil, nil, nil, nil, nil, nil, 1, 1, 3, 1_000_000_000, nil, nil])
        #expect(plays.allSatisfy(BatchEncoder.canEncode))
    }

    @Test("tells an error that is a word by the word")
    func wordError() {
        var play = PlaybackSummary.sample()
        play.error = PlaybackError("media_err_decode")
        #expect(text([play]).contains(#""error":"media_err_decode","#))
    }

    @Test("never tells a negative age")
    func age() throws {
        #expect(try SentBody(Data(text([.sample()], at: .seconds(-5)).utf8)).events[0].ageMs == 0)
    }

    @Test("of the most plays with the longest texts stays far below what an endpoint takes")
    func size() {
        let long = { (bytes: Int, number: Int) in String(repeating: "x", count: bytes - 3) + String(100 + number) }
        let plays = (0..<100).map { number in
            var play = PlaybackSummary.sample(number, videoId: VideoID(long(128, number)))
            play.error = PlaybackError(domain: long(64, number), code: .min)
            play.context = context {
                $0.cdn = PlaybackLabel(long(128, number))
                $0.cdnRegion = PlaybackLabel(long(128, number))
                $0.appVersion = PlaybackLabel(long(128, number))
                $0.osVersion = PlaybackLabel(long(128, number))
                $0.deviceModel = PlaybackLabel(long(128, number))
                $0.player = PlaybackLabel(long(128, number))
                for tag in 0..<8 {
                    guard let name = TagName(String(repeating: "t", count: 31) + String(tag)) else { continue }
                    $0.tags[name] = PlaybackLabel(long(128, number))
                }
            }
            return play
        }
        let bytes = text(plays).utf8.count
        #expect(bytes > 150_000 && bytes < 300_000)
    }

    @Test("escapes what JSON must have escaped")
    func escapes() {
        var json = JSONWriter()
        json.string("a\"b\\c\u{1}\u{1f}é")
        #expect(String(decoding: json.bytes, as: UTF8.self) == #""a\"b\\c\u0001\u001fé""#)
    }

    @Test("holds no play with figures that no play can have")
    func impossible() {
        let changes: [@Sendable (inout PlaybackSummary) -> Void] = [
            { $0.stalls = -1 }, { $0.stalls = 100_001 }, { $0.stalledMs = -1 }, { $0.watchedMs = 86_400_001 },
            { $0.watchedMs = 899 }, { $0.startupMs = -1 }, { $0.startupMs = 3_600_001 }, { $0.waitedMs = -1 },
            { $0.accessLogStartupMs = -1 }, { $0.attempt = 0 }, { $0.attempt = 101 }, { $0.bytes = -1 },
            { $0.bytes = 1 << 40 + 1 }, { $0.memoryBytes = -1 }, { $0.memoryBytes = .max },
            { $0.playerStalls = -1 }, { $0.playerStalls = 100_001 }, { $0.playerStalledMs = -1 },
            { $0.playerStalledMs = 86_400_001 },
        ]
        for (index, change) in changes.enumerated() {
            var play = PlaybackSummary.sample()
            change(&play)
            #expect(!BatchEncoder.canEncode(play), "change \(index)")
        }
        #expect(BatchEncoder.canEncode(.sample()))
    }
}
