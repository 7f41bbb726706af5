/// What holds of a play at one time. Conditions overlap: a player can be paused, seeking and waiting for data at once.
struct PlaybackConditions: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    /// The player is meant to play.
    static let wantsToPlay = PlaybackConditions(rawValue: 1)
    /// The first frame has played.
    static let hasStarted = PlaybackConditions(rawValue: 2)
    /// The player waits for data.
    static let waiting = PlaybackConditions(rawValue: 4)
    /// The player jumps to another position.
    static let seeking = PlaybackConditions(rawValue: 8)
}

/// The figures of one open play, and the conditions that they follow from.
struct PlayTotals: Sendable {
    /// How long the player has to play before a seek is over, in milliseconds: for a seek whose end nobody tells, and for a
    /// wait soon after a seek, which the seek caused.
    static let seekGrace: Int64 = 300

    private(set) var conditions: PlaybackConditions
    /// The wait for data was caused by a seek, so it is neither watched nor a stall.
    private(set) var waitIsTheSeeks = false
    /// The player said inside a seek that it plays. When that lasts, the seek was over by then.
    private var playingInsideSeek: (since: Int64, watched: WatchedTime)?
    /// Milliseconds played since a seek; `nil` when the player has said since then that it plays, or there was no seek.
    private var playedSinceSeek: Int64?

    /// Milliseconds since the play began, up to which everything is added up.
    private(set) var now: Int64 = 0
    private(set) var startingMs: Int64 = 0
    private(set) var stalledMs: Int64 = 0
    private(set) var stalls = 0
    private(set) var memory: Int64?
    private(set) var logStartup: Int?
    private var watched: WatchedTime
    private var bytes = Counter()
    private var playerStallCount = Counter()
    private var playerStallTime = Counter()

    init(_ conditions: PlaybackConditions, shownAs presentation: PlaybackPresentation?) {
        self.conditions = conditions
        watched = WatchedTime(shownAs: presentation)
    }

    /// Milliseconds playing or stalled.
    var watchedMs: Int64 { watched.milliseconds }
    /// In bit/s; `nil` when no bitrate that was known has played.
    var averageBitrate: Double? { watched.bitrate.average }
    /// Where the play was watched longest.
    var presentation: PlaybackPresentation? { watched.longestPresentation }
    /// Bytes received; `nil` when nobody knows.
    var receivedBytes: Int64? { bytes.ofPlay }
    /// The player's own account of its stalls, a count and milliseconds.
    var playerStalls: (count: Int64, milliseconds: Int64)? {
        playerStallCount.ofPlay.flatMap { count in playerStallTime.ofPlay.map { (count, $0) } }
    }

    /// The viewer waits for the first frame.
    var isStarting: Bool { conditions.isSuperset(of: .wantsToPlay) && !conditions.contains(.hasStarted) }

    /// The play goes on, with or without data.
    var isWatching: Bool {
        conditions.isSuperset(of: [.wantsToPlay, .hasStarted]) && !conditions.contains(.seeking)
            && !(conditions.contains(.waiting) && waitIsTheSeeks)
    }

    /// The play would go on, and waits for data.
    var isStalled: Bool { isWatching && conditions.contains(.waiting) }

    /// Whether a seek goes on at a time not before the last input.
    func isSeeking(at milliseconds: Int64) -> Bool {
        conditions.contains(.seeking) && !hasPlayedOn(at: milliseconds)
    }

    private func hasPlayedOn(at milliseconds: Int64) -> Bool {
        playingInsideSeek.map { milliseconds - $0.since >= Self.seekGrace } ?? false
    }

    /// Adds up the time until `milliseconds` after the beginning under the conditions that held since the last input.
    mutating func advance(to milliseconds: Int64) {
        let passed = milliseconds - now
        guard passed > 0 else { return }
        if hasPlayedOn(at: milliseconds), let played = playingInsideSeek?.watched {
            watched = played
            playingInsideSeek = nil
            conditions.remove(.seeking)
        }
        now = milliseconds
        if isStarting { startingMs += passed }
        playingInsideSeek?.watched.play(milliseconds: passed)
        guard isWatching else { return }
        if isStalled {
            stalledMs += passed
            watched.stall(milliseconds: passed)
        } else {
            watched.play(milliseconds: passed)
            playedSinceSeek = playedSinceSeek.map { $0.addingSaturated(passed) }
        }
    }

    /// Changes the conditions; an entry into a stall counts.
    mutating func apply(_ input: PlaybackInput) {
        let wasStalled = isStalled
        change(input)
        if isStalled, !wasStalled { stalls += 1 }
    }

    private mutating func change(_ input: PlaybackInput) {
        switch input {
        case .play: conditions.insert(.wantsToPlay)
        case .pause, .status(.paused): pause()
        case .status(.playing): play()
        case .status(.loading): wait()
        case .status(.stalled):
            conditions.insert(.wantsToPlay)
            wait()
        case .seekBegan: beginSeek()
        case .seekEnded: endSeek()
        case .bitrate(let value):
            watched.bitrate.set(value)
            playingInsideSeek?.watched.bitrate.set(value)
        case .presentation(let presentation):
            watched.presentation = presentation
            playingInsideSeek?.watched.presentation = presentation
        case .bytes(let count): bytes.set(count)
        case .playerStalls(let count, let milliseconds):
            guard count >= 0, milliseconds >= 0 else { return }
            playerStallCount.set(Int64(count))
            playerStallTime.set(Int64(milliseconds))
        case .memory(let count): memory = count >= 0 ? count : memory
        case .logStartup(let milliseconds): logStartup = milliseconds >= 0 ? milliseconds : logStartup
        // Kept by the meter, or it closes the play, whose figures stand as they are.
        case .edge, .status(.ended), .status(.failed), .suspended, .stop: break
        }
    }

    private mutating func play() {
        conditions.formUnion([.wantsToPlay, .hasStarted])
        conditions.remove(.waiting)
        if !conditions.contains(.seeking) {
            playedSinceSeek = nil
        } else if playingInsideSeek == nil {
            playingInsideSeek = (now, watched)
        }
    }

    /// A pause ends a wait: only the player's word begins another.
    private mutating func pause() {
        conditions.subtract([.wantsToPlay, .waiting])
        playingInsideSeek = nil
    }

    private mutating func wait() {
        playingInsideSeek = nil
        guard conditions.insert(.waiting).inserted else { return }
        waitIsTheSeeks = conditions.contains(.seeking) || (playedSinceSeek ?? .max) <= Self.seekGrace
    }

    private mutating func beginSeek() {
        conditions.insert(.seeking)
        playingInsideSeek = nil
        // What the player waits for from here on is the new position.
        waitIsTheSeeks = conditions.contains(.waiting)
    }

    private mutating func endSeek() {
        guard conditions.contains(.seeking) else { return }
        conditions.remove(.seeking)
        playingInsideSeek = nil
        playedSinceSeek = 0
    }

    /// The totals of a play that goes on where this one is cut off: under the same conditions, from nothing.
    func continued() -> PlayTotals {
        var next = PlayTotals(conditions, shownAs: watched.presentation)
        next.waitIsTheSeeks = waitIsTheSeeks
        next.playedSinceSeek = playedSinceSeek
        next.watched.bitrate.set(watched.bitrate.current)
        if let inside = playingInsideSeek { next.playingInsideSeek = (inside.since - now, next.watched) }
        next.bytes = bytes.continued()
        next.playerStallCount = playerStallCount.continued()
        next.playerStallTime = playerStallTime.continued()
        next.stalls = isStalled ? 1 : 0
        return next
    }
}

/// What a player counts from a beginning that may lie before the play.
private struct Counter: Sendable {
    private var total: Int64?
    private var before: Int64 = 0

    /// Takes the count up to now; a negative one is not known.
    mutating func set(_ count: Int64) {
        if count >= 0 { total = count }
    }

    var ofPlay: Int64? { total.map { max(0, $0 - before) } }

    func continued() -> Counter {
        var next = Counter()
        next.before = max(before, total ?? 0)
        return next
    }
}

/// The time that a play was watched, with which bitrate and where.
private struct WatchedTime: Sendable {
    private(set) var milliseconds: Int64 = 0
    var bitrate = BitrateAverage()
    var presentation: PlaybackPresentation?
    private var inline: Int64 = 0
    private var fullscreen: Int64 = 0
    private var pip: Int64 = 0

    init(shownAs presentation: PlaybackPresentation?) {
        self.presentation = presentation
    }

    mutating func play(milliseconds more: Int64) {
        watch(milliseconds: more)
        bitrate.play(milliseconds: more)
    }

    mutating func stall(milliseconds more: Int64) {
        watch(milliseconds: more)
    }

    private mutating func watch(milliseconds more: Int64) {
        milliseconds += more
        switch presentation {
        case .inline: inline += more
        case .fullscreen: fullscreen += more
        case .pip: pip += more
        case nil: break
        }
    }

    /// Where it was watched longest (of equals the first: inline, fullscreen, pip); where it is shown now when it was not
    /// watched anywhere.
    var longestPresentation: PlaybackPresentation? {
        let most = max(inline, fullscreen, pip)
        if most == 0 { return presentation }
        return inline == most ? .inline : fullscreen == most ? .fullscreen : .pip
    }
}

/// The bitrate of a play, weighted by the time that each value played.
private struct BitrateAverage: Sendable {
    /// The value that now plays in bit/s, when it is known.
    private(set) var current: Double?
    private var weighted = 0.0
    private var milliseconds: Int64 = 0

    /// Takes a value from now on: finite, above 0 and at most 10⁹; any other is not known.
    mutating func set(_ value: Double?) {
        current = value.flatMap { $0 > 0 && $0 <= 1_000_000_000 ? $0 : nil }
    }

    mutating func play(milliseconds more: Int64) {
        guard let current else { return }
        weighted += current * Double(more)
        milliseconds += more
    }

    /// The average in bit/s; `nil` when no value that was known has played.
    var average: Double? {
        milliseconds > 0 ? weighted / Double(milliseconds) : nil
    }
}
