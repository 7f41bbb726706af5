import Foundation

/// The values that all plays of a batch have in common: they are written once, in the request's `context`.
struct SharedValues {
    /// One for every field of ``ContextField``, `nil` where the plays differ or one has none.
    private let values: [String?]
    let tags: [PlaybackTags.Pair]

    init(of contexts: [PlaybackContext]) {
        guard let first = contexts.first else {
            values = ContextField.allCases.map { _ in nil }
            tags = []
            return
        }
        values = ContextField.allCases.map { field in
            let value = field.value(in: first)
            return value != nil && contexts.allSatisfy { field.value(in: $0) == value } ? value : nil
        }
        tags = first.tags.pairs.filter { pair in contexts.allSatisfy { $0.tags[pair.name] == pair.value } }
    }

    func value(of field: ContextField) -> String? { values[field.rawValue] }
}

/// The fields that a request's `context` may give for all its plays, in the order in which they are written.
enum ContextField: Int, CaseIterable {
    case sessionId, cdn, cdnRegion, network, source, appVersion, osVersion, deviceModel, player

    var name: StaticString {
        switch self {
        case .sessionId: "sessionId"
        case .cdn: "cdn"
        case .cdnRegion: "cdnRegion"
        case .network: "network"
        case .source: "source"
        case .appVersion: "appVersion"
        case .osVersion: "osVersion"
        case .deviceModel: "deviceModel"
        case .player: "player"
        }
    }

    func value(in context: PlaybackContext) -> String? {
        switch self {
        case .sessionId: context.session?.uuid.uuidString
        case .cdn: context.cdn?.text
        case .cdnRegion: context.cdnRegion?.text
        case .network: context.network?.rawValue
        case .source: context.source?.rawValue
        case .appVersion: context.appVersion?.text
        case .osVersion: context.osVersion?.text
        case .deviceModel: context.deviceModel?.text
        case .player: context.player?.text
        }
    }
}
