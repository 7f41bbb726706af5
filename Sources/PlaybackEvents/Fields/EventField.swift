/// The contract's fields of an event, in the order of its table, which is the order in which they are judged.
enum EventField: UInt8, CaseIterable {
    case videoId, stalls, stalledMs, watchedMs, startupMs, avgBitrate, error, playId, sessionId, ageMs, endedAt
    case bytes, memoryBytes, waitedMs, accessLogStartupMs, attempt, playerStalls, playerStalledMs
    case cdn, cdnRegion, network, source, appVersion, osVersion, deviceModel, player, tags

    /// How many there are; their numbers are those below it.
    @inline(__always)
    static var count: UInt8 { EventField.tags.rawValue + 1 }

    /// The field with a number; nil from ``count`` on.
    ///
    /// The same as `init(rawValue:)`, which is never inlined and costs a call for each field that is read.
    @inline(__always)
    init?(number: UInt8) {
        guard number < Self.count else { return nil }
        self = unsafeBitCast(number, to: EventField.self)
    }

    var name: String { String(describing: self) }

    var bit: UInt32 { 1 &<< UInt32(rawValue) }

    static let required =
        EventField.videoId.bit | EventField.stalls.bit | EventField.stalledMs.bit
        | EventField.watchedMs.bit

    /// The texts that a request's context may give for all its events.
    static let defaults: [EventField] = [
        .sessionId, .cdn, .cdnRegion, .network, .source, .appVersion, .osVersion, .deviceModel, .player,
    ]

    /// Whether it is an integer with a range.
    var isInteger: Bool {
        switch self {
        case .stalls, .stalledMs, .watchedMs, .startupMs, .ageMs, .bytes, .memoryBytes, .waitedMs,
            .accessLogStartupMs, .attempt, .playerStalls, .playerStalledMs:
            true
        default: false
        }
    }

    /// Whether it is a time in ms: one with a fraction is rounded, where a count or a number of bytes is refused.
    var isMilliseconds: Bool {
        switch self {
        case .stalledMs, .watchedMs, .startupMs, .ageMs, .waitedMs, .accessLogStartupMs, .playerStalledMs: true
        default: false
        }
    }

    /// The largest legal value of an integer field.
    var limit: Int64 {
        switch self {
        case .stalls, .playerStalls: 100_000
        case .stalledMs, .watchedMs, .playerStalledMs: 86_400_000
        case .startupMs, .waitedMs, .accessLogStartupMs: 3_600_000
        case .ageMs, .memoryBytes: 1 << 53
        case .bytes: 1 << 40
        case .attempt: 100
        case .avgBitrate: 1_000_000_000
        default: .max
        }
    }

    /// The smallest legal value of an integer field.
    var floor: Int64 { self == .attempt ? 1 : 0 }

    /// The longest legal text, in bytes of UTF-8.
    var longest: Int { self == .error ? 64 : 128 }

    /// Whether its texts may not begin with `(`, which is for our own `(unknown)`, `(none)` and `(all)`.
    var reservesParenthesis: Bool { self != .sessionId }
}
