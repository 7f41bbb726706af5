extension Play {
    /// Sets one of the fields that are plain texts.
    mutating func set(_ field: EventField, _ text: TextSlice) {
        switch field {
        case .videoId: videoId = text
        case .sessionId: sessionId = text
        case .cdn: cdn = text
        case .cdnRegion: cdnRegion = text
        case .network: network = text
        case .source: source = text
        case .appVersion: appVersion = text
        case .osVersion: osVersion = text
        case .deviceModel: deviceModel = text
        case .player: player = text
        default: break
        }
    }
}
