/// The figures of one open play, and the conditions that they follow from.
struct PlayTally: Sendable {
    /// A wait that begins this soon after a seek was caused by it, in milliseconds.
    static let seekGrace: Int64 = 300

    private(set) var conditions: PlaybackConditions
    /// The wait for data was caused by a seek, so it is neither watched nor a stall.
    private(set) var waitIsTheSeeks = false
    private var openSeeks = 0
    private var seekEndedAt: Int64?

    /// Milliseconds since the play began, up to which everything is added up.
    private(set) var now: Int64 = 0
    private(set) var startingMs: Int64 = 0
    private(set) var watchedMs: Int64 = 0
    private(set) var stalledMs: Int64 = 0
    private(set) var stalls = 0
    private(set) var bitrate = BitrateAverage()
    private(set) var bytes: Int64?
    private(set) var memory: Int64?
    private(set) var logStartup: Int?
    private(set) var shown = PresentationTimes()

    init(_ conditions: PlaybackConditions, shownAs presentation: PlaybackPresentation?) {
        self.conditions = conditions
        shown.current = presentation
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

    /// Adds up the time until `milliseconds` after the beginning under the conditions that held since the last input.
    mutating func advance(to milliseconds: Int64) {
        let passed = milliseconds - now
        guard passed > 0 else { return }
        now = milliseconds
        if isStarting { startingMs += passed }
        guard isWatching else { return }
        watchedMs += passed
        shown.watch(milliseconds: passed)
        if isStalled {
            stalledMs += passed
        } else {
            bitrate.play(milliseconds: passed)
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
        case .pause, .status(.paused): conditions.remove(.wantsToPlay)
        case .status(.playing):
            conditions.formUnion([.wantsToPlay, .hasStarted])
            conditions.remove(.waiting)
        case .status(.loading): wait()
        case .status(.stalled):
            conditions.insert(.wantsToPlay)
            wait()
        case .seekBegan: beginSeek()
        case .seekEnded: endSeek()
        case .bitrate(let value): bitrate.set(value)
        case .bytes(let count): bytes = count >= 0 ? count : bytes
        case .memory(let count): memory = count >= 0 ? count : memory
        case .logStartup(let milliseconds): logStartup = milliseconds >= 0 ? milliseconds : logStartup
        case .presentation(let presentation): shown.current = presentation
        // These close the play: its figures stand as they are.
        case .status(.ended), .status(.failed), .suspended, .stop: break
        }
    }

    private mutating func wait() {
        guard conditions.insert(.waiting).inserted else { return }
        let isSoonAfterSeek = seekEndedAt.map { now - $0 <= Self.seekGrace } ?? false
        waitIsTheSeeks = conditions.contains(.seeking) || isSoonAfterSeek
    }

    private mutating func beginSeek() {
        openSeeks = min(openSeeks + 1, .max - 1)
        conditions.insert(.seeking)
        // What the player waits for from here on is the new place.
        waitIsTheSeeks = conditions.contains(.waiting)
    }

    private mutating func endSeek() {
        guard openSeeks > 0 else { return }
        openSeeks -= 1
        guard openSeeks == 0 else { return }
        conditions.remove(.seeking)
        seekEndedAt = now
    }
}
