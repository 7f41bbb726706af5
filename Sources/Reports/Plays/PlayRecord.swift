internal import Foundation

/// What is known of one stored play, under the names that the view `plays` has.
package enum PlayField: String, Sendable, CaseIterable {
    case endedAt = "ended_at"
    case playId = "play_id"
    case sessionId = "session_id"
    case videoId = "video_id"
    case cdn
    case cdnRegion = "cdn_region"
    case network, source
    case appVersion = "app_version"
    case osVersion = "os_version"
    case deviceModel = "device_model"
    case player
    case startupMs = "startup_ms"
    case stalls
    case stalledMs = "stalled_ms"
    case watchedMs = "watched_ms"
    case waitedMs = "waited_ms"
    case avgBitrate = "avg_bitrate"
    case bytes
    case bytesEstimated = "bytes_estimated"
    case memoryBytes = "memory_bytes"
    case errorCode = "error_code"
    case attempt
    case accessLogStartupMs = "access_log_startup_ms"
    case playerStalls = "player_stalls"
    case playerStalledMs = "player_stalled_ms"
    case clockSkewed = "clock_skewed"
    case regionFrom = "region_from"
    case receivedAt = "received_at"
    case endedBy = "ended_by"
    case tags
    case arrival

    /// Whether its values are texts; those of the others are whole numbers.
    package var isText: Bool {
        switch self {
        case .playId, .sessionId, .videoId, .cdn, .cdnRegion, .network, .source, .appVersion, .osVersion, .deviceModel,
            .player, .errorCode, .regionFrom, .endedBy, .tags:
            true
        default: false
        }
    }

    /// What its column holds.
    var kind: ColumnKind {
        switch self {
        case .bytes, .memoryBytes: .bytes
        case .avgBitrate: .bitsPerSecond
        case .startupMs, .stalledMs, .watchedMs, .waitedMs, .accessLogStartupMs, .playerStalledMs: .milliseconds
        default: isText ? .text : .count
        }
    }
}

/// One stored play.
package struct PlayRecord: Sendable, Hashable {
    private var texts: [PlayField: String] = [:]
    private var numbers: [PlayField: Int64] = [:]

    package init() {}

    package mutating func set(_ field: PlayField, _ text: String?) { texts[field] = text }
    package mutating func set(_ field: PlayField, _ number: Int64?) { numbers[field] = number }

    /// Nil for what the play does not say.
    package func text(_ field: PlayField) -> String? { texts[field] }
    package func number(_ field: PlayField) -> Int64? { numbers[field] }

    package var isStarted: Bool { numbers[.startupMs] != nil || numbers[.watchedMs] ?? 0 > 0 }

    /// As tables for machines have it.
    func cell(_ field: PlayField) -> ReportCell {
        field.isText ? texts[field].map(ReportCell.text) ?? .empty : .init(numbers[field])
    }

    /// In order of time, of plays that ended at once in that of their arrival.
    package static func precedes(_ one: PlayRecord, _ other: PlayRecord) -> Bool {
        let (first, second) = (one.numbers[.endedAt] ?? 0, other.numbers[.endedAt] ?? 0)
        return first != second ? first < second : (one.numbers[.arrival] ?? 0) < (other.numbers[.arrival] ?? 0)
    }
}

extension PlayRecord {
    /// What a play says of a dimension; nil for nothing, and for days and hours.
    func value(of dimension: PlayDimension) -> String? {
        switch dimension {
        case .cdnRegion: text(.cdnRegion)
        case .cdn: text(.cdn)
        case .network: text(.network)
        case .appVersion: text(.appVersion)
        case .osVersion: text(.osVersion)
        case .deviceModel: text(.deviceModel)
        case .player: text(.player)
        case .source: text(.source)
        case .videoId: text(.videoId)
        case .errorCode: text(.errorCode)
        case .endedBy: text(.endedBy)
        case .tag(let name): tags[name]
        case .day, .hour: nil
        }
    }

    /// The team's own dimensions.
    private var tags: [String: String] {
        let object = text(.tags).flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
        return object as? [String: String] ?? [:]
    }
}
