import Foundation
import PlaybackEvents

/// A play's values under the contract's names, texts as their bytes: what two plays of different batches are compared by.
struct StoredPlay: Equatable {
    private(set) var values: [String: StoredValue] = [:]

    init(_ play: Play, text: (TextSlice) -> ArraySlice<UInt8>) {
        let integers: [(String, Int64?)] = [
            ("stalls", play.stalls), ("stalledMs", play.stalledMs), ("watchedMs", play.watchedMs),
            ("startupMs", play.startupMs), ("avgBitrate", play.avgBitrate), ("ageMs", play.ageMs),
            ("clientEndedAt", play.clientEndedAt), ("bytes", play.bytes), ("memoryBytes", play.memoryBytes),
            ("waitedMs", play.waitedMs), ("accessLogStartupMs", play.accessLogStartupMs), ("attempt", play.attempt),
            ("playerStalls", play.playerStalls), ("playerStalledMs", play.playerStalledMs),
            ("endedAt", play.endedAt), ("receivedAt", play.receivedAt),
        ]
        for (name, value) in integers { values[name] = value.map { .integer($0) } ?? .absent }
        let texts: [(String, TextSlice)] = [
            ("videoId", play.videoId), ("error", play.error), ("sessionId", play.sessionId), ("cdn", play.cdn),
            ("cdnRegion", play.cdnRegion), ("network", play.network), ("source", play.source),
            ("appVersion", play.appVersion), ("osVersion", play.osVersion), ("deviceModel", play.deviceModel),
            ("player", play.player),
        ]
        for (name, slice) in texts { values[name] = slice.isAbsent ? .absent : .text(Array(text(slice))) }
        values["playId"] = play.playId.map { .text(Array($0.uuidText.utf8)) } ?? .absent
        values["clockSkewed"] = .flag(play.clockSkewed)
        values["regionFrom"] = play.regionFrom.map { .text(Array($0.name.utf8)) } ?? .absent
        values["endedBy"] = play.endedBy.map { .text(Array($0.name.utf8)) } ?? .absent
        values["tags"] = .absent
        if !play.tags.isAbsent {
            let tags = try? JSONDecoder().decode([String: String].self, from: Data(text(play.tags)))
            values["tags"] = .tags(tags ?? ["": "no JSON"])
        }
    }

    /// Whether it has all the values that a case names.
    func matches(_ expected: [String: StoredValue]) -> Bool {
        expected.allSatisfy { values[$0.key] == $0.value }
    }
}

/// A value of a play as the cases write it.
enum StoredValue: Decodable, Sendable, Equatable {
    case absent
    case flag(Bool)
    case integer(Int64)
    case text([UInt8])
    case tags([String: String])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .absent
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let text = try? container.decode(String.self) {
            self = .text(Array(text.utf8))
        } else {
            self = .tags(try container.decode([String: String].self))
        }
    }
}
