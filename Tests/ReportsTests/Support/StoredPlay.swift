/// One stored play, as a test writes it down.
struct StoredPlay {
    var playId = ""
    var sessionId: String?
    var videoId = "v"
    var cdn: String?
    var cdnRegion: String?
    var network: String?
    var appVersion: String?
    var osVersion: String?
    var deviceModel: String?
    var player: String?
    /// By name.
    var tags: [String: String] = [:]
    var startupMs: Int64?
    var stalls: Int64 = 0
    var stalledMs: Int64 = 0
    var watchedMs: Int64 = 0
    var avgBitrate: Int64?
    /// Bytes as they were sent.
    var sentBytes: Int64?
    var errorCode: String?
    var waitedMs: Int64?
    var memoryBytes: Int64?
    var endedAt: Int64 = 0
    var receivedAt: Int64 = 0
    var clockSkewed = false
    var source: String?
    var attempt: Int64?
    var accessLogStartupMs: Int64?
    var playerStalls: Int64?
    var playerStalledMs: Int64?
    var regionFrom: String?
    var endedBy: String?
    var arrival: Int64 = 0
    var playIdMade = false

    var isStarted: Bool { startupMs != nil || watchedMs > 0 }

    /// What the bitrate makes in the playing time, half up to the whole byte.
    var estimate: Int64? {
        guard isStarted, let avgBitrate else { return nil }
        return (avgBitrate * (watchedMs - stalledMs) + 4_000) / 8_000
    }

    /// The bytes of the definitions.
    var bytes: Int64? { sentBytes ?? (isStarted ? estimate : 0) }
}
