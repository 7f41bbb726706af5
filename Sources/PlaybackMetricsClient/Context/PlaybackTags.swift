/// The dimensions of a play beyond the fixed ones: at most eight names with a value each.
///
/// How the player was obtained and shown has typed properties, so that nobody mistypes them; a team's own dimensions,
/// such as an experiment's arm, are set by name:
///
/// ```swift
/// var tags = PlaybackTags()
/// tags.lifecycle = .reusePool
/// tags.acquired = .reused
/// tags["experiment"] = "short-buffer"
/// ```
///
/// The library sets three tags itself where there is room: `start` (`replay`: asked for at the end of a play), `sample` (the
/// share of sessions that is measured) and `edges` (how many edges served, when it was more than one). Of eight tags of the
/// app none gives way to them.
public struct PlaybackTags: Sendable, Hashable {
    /// The most names that a play can have.
    public static let limit = 8

    /// Names and values, sorted by name.
    private(set) var pairs: [Pair] = []

    struct Pair: Sendable, Hashable {
        var name: TagName
        var value: PlaybackLabel
    }

    /// No tags.
    public init() {}

    /// The number of tags.
    public var count: Int { pairs.count }

    /// The names, sorted.
    public var names: [TagName] { pairs.map(\.name) }

    /// The value of a tag. `nil` takes the tag away; a ninth name is ignored, and said once in the log.
    public subscript(name: TagName) -> PlaybackLabel? {
        get { pairs.first { $0.name == name }?.value }
        set {
            let index = pairs.firstIndex { $0.name >= name } ?? pairs.endIndex
            let isThere = index < pairs.endIndex && pairs[index].name == name
            switch (newValue, isThere) {
            case (let value?, true): pairs[index].value = value
            case (let value?, false) where pairs.count < Self.limit:
                pairs.insert(Pair(name: name, value: value), at: index)
            case (nil, true): pairs.remove(at: index)
            case (.some, false): RefusedLabels.shared.note(.tooManyTags)
            default: break
            }
        }
    }
}

extension PlaybackTags {
    /// How the app keeps its players.
    public var lifecycle: PlayerLifecycle? {
        get { value(of: "lifecycle") }
        set { set("lifecycle", to: newValue) }
    }

    /// How the player of this play was obtained.
    public var acquired: PlayerAcquisition? {
        get { value(of: "acquired") }
        set { set("acquired", to: newValue) }
    }

    /// Where the play was watched longest; the meter sets it when it is told where the video is shown.
    public var presentation: PlaybackPresentation? {
        get { value(of: "presentation") }
        set { set("presentation", to: newValue) }
    }

    /// Whether the clip had been loaded before the viewer came to it.
    public var preloaded: Bool? {
        get { flag("preloaded") }
        set { set("preloaded", to: newValue.map(YesOrNo.init)) }
    }

    /// Whether the play began without the viewer asking for it.
    public var autoplay: Bool? {
        get { flag("autoplay") }
        set { set("autoplay", to: newValue.map(YesOrNo.init)) }
    }

    private enum YesOrNo: String {
        case yes, no

        init(_ flag: Bool) {
            self = flag ? .yes : .no
        }
    }

    private func flag(_ name: TagName) -> Bool? {
        let word: YesOrNo? = value(of: name)
        return word.map { $0 == .yes }
    }

    private func value<Word: RawRepresentable>(of name: TagName) -> Word? where Word.RawValue == String {
        self[name].flatMap { Word(rawValue: $0.text) }
    }

    private mutating func set<Word: RawRepresentable>(_ name: TagName, to word: Word?) where Word.RawValue == String {
        self[name] = word.flatMap { PlaybackLabel($0.rawValue) }
    }
}

/// The tags that the library sets itself: they count among the eight, and give way where there is no room.
enum OwnTag: Int, CaseIterable {
    // The most important first.
    case start, sample, edges

    var name: TagName {
        switch self {
        case .start: "start"
        case .sample: "sample"
        case .edges: "edges"
        }
    }
}

extension PlaybackTags {
    /// Sets a tag of the library where there is room, or where a less important one can give way.
    mutating func set(_ own: OwnTag, to value: PlaybackLabel) {
        if self[own.name] == nil, count >= Self.limit {
            let lesser = OwnTag.allCases.reversed().first { $0.rawValue > own.rawValue && self[$0.name] != nil }
            guard let lesser else { return }
            self[lesser.name] = nil
        }
        self[own.name] = value
    }
}

/// How the app keeps its players: the tag `lifecycle`.
public enum PlayerLifecycle: String, Sendable, Hashable, CaseIterable {
    /// A new player for every clip.
    case `default`
    /// A few players that take any clip in turn.
    case reusePool = "reuse_pool"
    /// A pool that keeps a player for each of the latest clips.
    case idScopedPool = "id_scoped_pool"
    /// One player for everything.
    case singleton
}

/// How the player of a play was obtained: the tag `acquired`.
public enum PlayerAcquisition: String, Sendable, Hashable, CaseIterable {
    /// Made for this play.
    case new
    /// Taken from a pool, after another clip.
    case reused
    /// Found in a pool with this very clip.
    case hit
}

/// How the video is shown: the tag `presentation` says where a play was watched longest.
public enum PlaybackPresentation: String, Sendable, Hashable, CaseIterable {
    /// In the app's own page.
    case inline
    /// Over the whole screen.
    case fullscreen
    /// In Picture in Picture.
    case pip
}

/// The name of one of the team's own dimensions: a lower-case letter, then at most 31 lower-case letters, digits and `_`.
public struct TagName: Sendable, Hashable, Comparable {
    /// The name as it is sent.
    public let text: String

    /// A name, or `nil` when `text` does not follow the rule.
    public init?(_ text: String) {
        guard Self.accepts(text) else { return nil }
        self.text = text
    }

    /// Names are ordered as bytes.
    public static func < (one: TagName, other: TagName) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    private static func accepts(_ text: String) -> Bool {
        guard (1...32).contains(text.utf8.count), let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension TagName: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name written in the source. What a name cannot hold becomes `_`.
    public init(stringLiteral text: String) {
        let lowered = text.lowercased().utf8.map { Self.isLetter($0) || Self.isDigit($0) ? $0 : UInt8(ascii: "_") }
        let name = String(decoding: lowered.prefix(32), as: UTF8.self)
        self.text = Self.accepts(name) ? name : "x" + String(name.prefix(31))
    }

    /// The name as it is sent.
    public var description: String { text }
}
