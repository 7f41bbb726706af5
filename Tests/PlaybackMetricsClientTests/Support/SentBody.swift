import Foundation

/// A request body, read back as a server would.
struct SentBody: Decodable {
    struct Event: Decodable, Equatable {
        struct Fault: Decodable, Equatable {
            var domain: String
            var code: Int
        }

        var videoId: String
        var playId: String
        var startupMs: Int?
        var stalls: Int
        var stalledMs: Int
        var watchedMs: Int
        var avgBitrate: Int?
        var error: Fault?
        var ageMs: Int
        var bytes: Int?
        var memoryBytes: Int?
        var waitedMs: Int?
        var accessLogStartupMs: Int?
        var attempt: Int?
        var playerStalls: Int?
        var playerStalledMs: Int?
        var sessionId: String?
        var cdn: String?
        var cdnRegion: String?
        var network: String?
        var tags: [String: String]?

        /// The number that ``PlaybackSummary/sample(_:videoId:)`` was given.
        var number: Int? { Int(playId.suffix(12), radix: 16) }
    }

    struct Context: Decodable, Equatable {
        var sessionId: String?
        var cdn: String?
        var cdnRegion: String?
        var network: String?
        var tags: [String: String]?
    }

    struct SenderReport: Decodable, Equatable {
        var senderId: String
        var sequence: Int
        var made: Int
        var dropped: Int
        var rejected: Int
    }

    var schemaVersion: Int
    var context: Context
    var sender: SenderReport
    var events: [Event]

    init(_ body: Data) throws {
        self = try JSONDecoder().decode(SentBody.self, from: body)
    }
}
