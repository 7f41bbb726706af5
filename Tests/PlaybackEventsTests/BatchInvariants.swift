import PlaybackEvents
import Testing

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
        let places = (batch.indices.map(Int.init) + batch.rejections.map(\.index)).sorted()
        #expect(places == Array(0..<batch.plays.count + batch.rejections.count))
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
