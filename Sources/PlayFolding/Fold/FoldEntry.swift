import PlaybackEvents

/// What a player says that it is doing.
enum PlayerState: UInt8 {
    case unsaid, preloading, starting, playing, seeking, rebuffering, waiting, paused, ended, failed, quit

    init(_ token: CMCDToken) {
        switch UInt8(exactly: token.word) {
        case UInt8(ascii: "d"): self = .preloading
        case UInt8(ascii: "s"): self = .starting
        case UInt8(ascii: "p"): self = .playing
        case UInt8(ascii: "k"): self = .seeking
        case UInt8(ascii: "r"): self = .rebuffering
        case UInt8(ascii: "w"): self = .waiting
        case UInt8(ascii: "a"): self = .paused
        case UInt8(ascii: "e"): self = .ended
        case UInt8(ascii: "f"): self = .failed
        case UInt8(ascii: "q"): self = .quit
        default: self = .unsaid
        }
    }

    /// Whether a play begins with it.
    var begins: Bool { self == .playing || isWait }

    /// Whether it is part of the startup, before the first picture.
    var isWait: Bool {
        switch self {
        case .starting, .seeking, .rebuffering, .waiting: true
        default: false
        }
    }

    /// Whether the player is out of data.
    var isStarved: Bool { self == .rebuffering || self == .waiting }

    /// Whether nothing more comes of the play.
    var isEnd: Bool { self == .ended || self == .quit }
}

/// What made a player report, as far as the fold cares.
enum ReportEvent: UInt8 {
    case other, heartbeat, response, error, leave

    private static let responseToken = CMCDToken("rr")
    private static let customToken = CMCDToken("ce")
    private static let leaveName = Array("leave".utf8)

    init(_ token: CMCDToken, customEvent: [UInt8]) {
        switch token.word {
        case UInt64(UInt8(ascii: "t")): self = .heartbeat
        case UInt64(UInt8(ascii: "e")): self = .error
        case Self.responseToken.word: self = .response
        case Self.customToken.word where customEvent == Self.leaveName: self = .leave
        default: self = .other
        }
    }
}

/// A report as the fold sees it, or several in a row that say the same.
struct FoldEntry: Equatable {
    /// The first report's clock, ms since 1970.
    var ts: Int64
    /// The last one's: up to it no two reports lie further apart than the fold believes a player to live.
    var lastTs: Int64
    /// The numbers from the first to the last one's, each of which is there; -1 without.
    var sn: Int64
    var lastSn: Int64
    var state: PlayerState
    var event: ReportEvent
    /// In kbit/s, 0 without.
    var bitrate: Int64
    /// In ms, -1 without.
    var buffer: Int64
    /// In ms, -1 without.
    var msd: Int64
    /// Empty without.
    var code: [UInt8]
    /// The smallest difference of our clock at the receipt and the player's, in ms.
    var lag: Int64
    /// The log's clock when it came, in ms.
    var arrival: Int64
    /// When it says it was made: a response's ``ts`` is another.
    var madeAt: Int64
    /// The position of the first line that brought it.
    var line: Int64
    /// The number of the context with which it came first.
    var context: Int32

    init(_ report: CMCDReport, lag: Int64, arrival: Int64, line: Int64, context: Int32) {
        ts = report.ts
        lastTs = report.ts
        madeAt = report.ts
        sn = report.sn ?? -1
        lastSn = sn
        state = PlayerState(report.state)
        event = ReportEvent(report.event, customEvent: report.customEvent)
        bitrate = report.pb ?? report.br ?? report.ab ?? 0
        buffer = report.bl ?? -1
        msd = report.msd ?? -1
        code = report.errorCode
        self.lag = lag
        self.arrival = arrival
        self.line = line
        self.context = context
    }

    /// For decoding: everything absent or 0.
    init() {
        (ts, lastTs, sn, lastSn) = (0, 0, -1, -1)
        (state, event) = (.unsaid, .other)
        (bitrate, buffer, msd, code) = (0, -1, -1, [])
        (lag, arrival, madeAt, line, context) = (0, 0, 0, 0, 0)
    }

    /// Whether it stands for several reports.
    var isSeveral: Bool { lastTs > ts || lastSn > sn }

    /// Whether a play may be made of it: one that begins, or one that failed from the outset.
    var mayBePlay: Bool { state.begins || event == .error }

    var isEnd: Bool { state.isEnd || event == .leave }

    /// Whether another entry is the same report.
    func isRepeated(by other: FoldEntry) -> Bool {
        ts == other.ts && lastTs == other.lastTs && sn == other.sn && lastSn == other.lastSn && hasSameContent(other)
    }

    private func hasSameContent(_ other: FoldEntry) -> Bool {
        state == other.state && event == other.event && bitrate == other.bitrate && buffer == other.buffer
            && msd == other.msd && code == other.code
    }

    /// Notes what is known of a report from another copy of it.
    mutating func merge(receiptOf other: FoldEntry) {
        lag = min(lag, other.lag)
        arrival = min(arrival, other.arrival)
        if other.line < line {
            line = other.line
            context = other.context
        }
    }

    /// The order of the fold: by time, by number (one without comes first), then one that holds always.
    static func precedes(_ one: FoldEntry, _ other: FoldEntry) -> Bool {
        if one.ts != other.ts { return one.ts < other.ts }
        if one.sn != other.sn { return one.sn < other.sn }
        if one.state != other.state { return one.state.rawValue < other.state.rawValue }
        if one.event != other.event { return one.event.rawValue < other.event.rawValue }
        // What stands for several comes before one of those.
        let (left, right) = (
            (-one.lastTs, -one.lastSn, one.bitrate, one.buffer, one.msd),
            (-other.lastTs, -other.lastSn, other.bitrate, other.buffer, other.msd)
        )
        if left != right { return left < right }
        return one.code.lexicographicallyPrecedes(other.code)
    }
}
