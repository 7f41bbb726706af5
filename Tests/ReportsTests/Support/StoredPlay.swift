/// One row of `plays`, as a test writes it down.
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

    /// The row's values in the order of the view's columns, quoted for SQL.
    var values: [String] {
        func text(_ value: String?) -> String {
            value.map { "'" + $0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'" }
                ?? "NULL"
        }
        func number(_ value: Int64?) -> String { value.map(String.init) ?? "NULL" }
        let json = tags.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
        return [
            number((endedAt / 86_400_000)), number(endedAt / 3_600_000), text(playId), text(sessionId), text(videoId),
            text(cdn), text(cdnRegion), text(network), text(appVersion), text(osVersion), text(deviceModel),
            text(player), text(tags.isEmpty ? nil : "{\(json)}"), number(startupMs), number(stalls), number(stalledMs),
            number(watchedMs), number(avgBitrate), number(bytes),
            sentBytes == nil && bytes != nil && isStarted ? "1" : "0",
            text(errorCode), number(waitedMs), number(memoryBytes), number(endedAt), number(receivedAt),
            clockSkewed ? "1" : "0", text(source), number(attempt), number(accessLogStartupMs),
            number(playerStalls), number(playerStalledMs), text(regionFrom), number(arrival), playIdMade ? "1" : "0",
        ]
    }
}
