/// An event as one would write it for Foundation's decoder, which checks types and nothing else.
struct DecodedEvent: Decodable {
    struct Failure: Decodable {
        var domain: String
        var code: Int
    }

    var videoId: String
    var stalls: Int
    var stalledMs: Int
    var watchedMs: Int
    var startupMs: Int?
    var avgBitrate: Double?
    var error: Failure?
    var playId: String?
    var ageMs: Int?
    var bytes: Int?
    var memoryBytes: Int?
    var waitedMs: Int?
    var accessLogStartupMs: Int?
    var attempt: Int?
    var sessionId: String?
    var cdn: String?
    var cdnRegion: String?
    var network: String?

    struct Context: Decodable {
        var source: String?
        var appVersion: String?
        var osVersion: String?
        var deviceModel: String?
        var player: String?
        var tags: [String: String]?
    }

    struct Batch: Decodable {
        var schemaVersion: Int
        var context: Context
        var events: [DecodedEvent]
    }
}
