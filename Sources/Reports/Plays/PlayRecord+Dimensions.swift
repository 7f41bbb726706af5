internal import Foundation

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
