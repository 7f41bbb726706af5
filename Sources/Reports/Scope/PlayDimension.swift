internal import Suggestions

/// What plays can be grouped and chosen by.
package enum PlayDimension: Sendable, Hashable {
    case cdnRegion, cdn, network, appVersion, osVersion, deviceModel, player, source, videoId, errorCode
    /// What ended a play that was put together from a player's reports; nothing of one that a client summed up.
    case endedBy
    case day, hour
    /// One of the team's own dimensions, by its name.
    case tag(String)

    private static let named: [(name: String, dimension: PlayDimension)] = [
        ("cdnRegion", .cdnRegion), ("cdn", .cdn), ("network", .network), ("appVersion", .appVersion),
        ("osVersion", .osVersion), ("deviceModel", .deviceModel), ("player", .player), ("source", .source),
        ("videoId", .videoId), ("errorCode", .errorCode), ("endedBy", .endedBy), ("day", .day), ("hour", .hour),
    ]

    /// Every name that ``init(named:)`` takes, `tag:NAME` for all tags.
    package static var names: [String] { named.map(\.name) + ["tag:NAME"] }

    /// - Throws: the name that is not known and the nearest known one.
    package init(named name: String) throws(ReportRequestError) {
        if let tag = name.hasPrefix("tag:") ? String(name.dropFirst(4)) : nil {
            guard Self.isTagName(tag) else {
                throw ReportRequestError(
                    "'\(tag)' is no name of a tag: a small letter, then at most 31 small letters, digits or _")
            }
            self = .tag(tag)
            return
        }
        guard let known = Self.named.first(where: { $0.name == name }) else {
            let nearest = Spelling.nearest(to: name, among: Self.named.map(\.name))
            throw ReportRequestError(
                "unknown dimension '\(name)': "
                    + (nearest.map { "did you mean '\($0)'?" } ?? "one of \(Self.names.joined(separator: ", "))"))
        }
        self = known.dimension
    }

    /// As the contract allows tags: `[a-z][a-z0-9_]{0,31}`.
    private static func isTagName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard let first = bytes.first, bytes.count <= 32 else { return false }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return letters.contains(first)
            && bytes.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_") }
    }

    /// The name on the command line.
    package var name: String {
        if case .tag(let tag) = self { return "tag:\(tag)" }
        return Self.named.first { $0.dimension == self }?.name ?? ""
    }

    /// The name of the CSV column, and of the column of `plays` where there is one.
    package var column: String {
        switch self {
        case .cdnRegion: "cdn_region"
        case .cdn: "cdn"
        case .network: "network"
        case .appVersion: "app_version"
        case .osVersion: "os_version"
        case .deviceModel: "device_model"
        case .player: "player"
        case .source: "source"
        case .videoId: "video_id"
        case .errorCode: "error_code"
        case .endedBy: "ended_by"
        case .day: "day"
        case .hour: "hour"
        case .tag(let name): "tag_\(name)"
        }
    }

    /// The word for a play that has no value.
    package var absent: String { self == .errorCode ? "(none)" : "(unknown)" }

    /// Reads `--by`: names with commas between them.
    ///
    /// - Throws: the name that is not known or stands twice, or that there are more than three.
    package static func list(_ text: String) throws(ReportRequestError) -> [PlayDimension] {
        var dimensions: [PlayDimension] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            let dimension = try PlayDimension(named: String(name))
            guard !dimensions.contains(dimension) else {
                throw ReportRequestError("the dimension '\(name)' stands twice")
            }
            dimensions.append(dimension)
        }
        guard dimensions.count <= 3 else {
            throw ReportRequestError("\(dimensions.count) dimensions: a report goes by three at most")
        }
        return dimensions
    }
}
