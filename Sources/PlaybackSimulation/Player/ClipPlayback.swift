internal import PlaybackMetricsClient

/// One clip on one player, from the request to play until it is let go: the segments' arrival times and the viewer's
/// script decide what happens, and what the player says of it goes to the meter.
struct ClipPlayback: Sendable {
    /// How the play closed.
    enum Closing: Sendable, Hashable {
        case left, ended, suspended
        case failed(PlaybackFailure)
    }

    enum Phase: Sendable, Hashable {
        case starting, playing, stalled, paused, jumping
    }

    /// What a player is made of, and what is handed on to the next clip.
    struct Equipment: Sendable {
        var delivery: EdgeDelivery
        var choice: BitrateChoice
        var chance: Chance
    }

    /// Players load this far ahead, in ms of the clip.
    private static let bufferGoal: Int64 = 12_000

    let script: ViewerScript
    /// When playback was asked for, in ms since 1970.
    let begin: Int64
    /// Before the player is there, in ms.
    let setup: Int64
    /// The app is gone at this time, whatever the script says.
    let deadline: Int64

    private(set) var equipment: Equipment
    private(set) var load: SegmentLoad
    private(set) var now: Int64
    private(set) var closing: Closing?
    private(set) var said: [Saying] = []
    /// When the player had first loaded enough and the network was free for something else.
    private(set) var networkFree: Int64?

    private var phase = Phase.starting
    private var phaseBegan: Int64
    private var ready: Int64?
    private var failing: Int64?
    /// In ms of the clip.
    private(set) var playhead: Int64
    private var watched: Int64 = 0
    private var loopsLeft: Int
    private var pause: ViewerScript.Pause?
    private var jump: ViewerScript.Jump?
    private var resumes: Int64 = .max
    private var hasStarted = false
    private var saidBitrate: Int?
    /// The player's own account of stalls, and their time in ms.
    private var counted: (stalls: Int, length: Int64) = (0, 0)

    /// What the player said, and when (ms since 1970).
    struct Saying: Sendable {
        let time: Int64
        let input: PlaybackInput
    }

    /// - Parameters:
    ///   - playhead: where the clip goes on, in ms of it.
    ///   - deadline: not before `begin`.
    init(
        _ load: SegmentLoad, from playhead: Int64 = 0, on equipment: Equipment, script: ViewerScript, at begin: Int64,
        setup: Int64, deadline: Int64
    ) {
        self.load = load
        self.playhead = playhead
        self.equipment = equipment
        self.script = script
        self.begin = begin
        self.setup = setup
        self.deadline = deadline
        now = begin
        phaseBegan = begin
        loopsLeft = script.loops
        pause = script.pause
        jump = script.jump
    }

    /// Plays until the play is closed.
    ///
    /// - Complexity: O(segments + acts of the viewer).
    mutating func run() -> Closing {
        say(.play)
        if !isEnoughBuffered { say(.status(.loading)) }
        prepareToPlay()
        while true {
            if let closing { return closing }
            step()
        }
    }

    private enum Event {
        case suspension, leaving, answer, ready, failure, resumption, bufferEnd, pause, jump, nothing
    }

    private mutating func step() {
        if load.isComplete || ahead >= Self.bufferGoal {
            networkFree = networkFree ?? now
        } else if load.nextAnswer == nil {
            load.ask(&equipment.delivery, equipment.choice, at: now)
        }
        let (time, event) = nextEvent()
        let passed = max(0, time - now)
        if phase == .playing { playhead += passed }
        if phase == .playing || phase == .stalled { watched += passed }
        now += passed
        handle(event)
    }

    /// The earliest of everything that can happen next; of what happens at once the first in this order.
    private func nextEvent() -> (Int64, Event) {
        var next: (time: Int64, event: Event) = (max(now, suspension), .suspension)
        func consider(_ time: Int64?, _ event: Event) {
            if let time, time < next.time { next = (time, event) }
        }
        consider(leaving, .leaving)
        consider(load.nextAnswer, .answer)
        consider(failing, .failure)
        consider(ready, .ready)
        if phase == .paused { consider(resumes, .resumption) }
        if phase == .playing {
            consider(pause.flatMap { time(toReach: $0.position) }, .pause)
            consider(jump.flatMap { time(toReach: $0.position) }, .jump)
            consider(now + load.bufferEnd - playhead, .bufferEnd)
            if load.nextAnswer == nil, !load.isComplete { consider(now + ahead - Self.bufferGoal + 1, .nothing) }
        }
        return next
    }

    private var suspension: Int64 {
        min(deadline, script.suspendsAfter.map { begin + $0 } ?? .max)
    }

    private var leaving: Int64? {
        switch phase {
        case .starting: begin + script.patience
        case .stalled, .jumping: phaseBegan + script.stallPatience
        case .playing: script.leavesAfter.map { now + max(0, $0 - watched) }
        case .paused: nil
        }
    }

    private func time(toReach position: Int64) -> Int64? {
        position >= playhead ? now + position - playhead : nil
    }

    /// What is buffered before the playhead, in ms of the clip.
    private var ahead: Int64 { load.bufferEnd - playhead }

    /// Whether the player would begin, or go on, with what it has.
    private var isEnoughBuffered: Bool {
        guard load.bufferBegin <= playhead, let bitrate = load.lastBitrate else { return false }
        let segments: Int64 = equipment.choice.keepsUp(with: bitrate) ? 1 : 2
        // A little less than whole segments, since a jump may lead into the middle of one.
        return ahead >= min(load.clip.length - playhead, segments * SegmentLoad.segmentLength - 2_000)
    }
}

// MARK: - What happens

extension ClipPlayback {
    private mutating func handle(_ event: Event) {
        switch event {
        case .suspension: close(.suspended)
        case .leaving: close(.left)
        case .answer: takeAnswer()
        case .failure: load.failure.map { close(.failed($0)) }
        case .ready: play()
        case .resumption: resume()
        case .bufferEnd: reachBufferEnd()
        case .pause: startPause()
        case .jump: startJump()
        case .nothing: break
        }
    }

    private mutating func takeAnswer() {
        load.take(&equipment.choice)
        if let failure = load.failure {
            // What is buffered plays out first.
            if phase != .playing, phase != .paused { close(.failed(failure)) }
            return
        }
        if hasStarted { sayBitrate() }
        prepareToPlay()
    }

    /// Sets the time of the first picture when enough is there.
    private mutating func prepareToPlay() {
        guard [.starting, .stalled, .jumping].contains(phase), ready == nil, isEnoughBuffered else { return }
        // A clip that its player has ready may already show its first picture.
        if phase == .starting, now == begin, setup < 10, equipment.chance.happens(0.1) {
            ready = now
            return
        }
        ready = max(now, begin + setup) + Int64(equipment.chance.logNormal(median: 30, sigma: 0.45))
    }

    private mutating func play() {
        ready = nil
        if phase == .jumping { say(.seekEnded) }
        if phase == .stalled { countStall() }
        enter(.playing)
        say(.status(.playing))
        guard !hasStarted else { return }
        hasStarted = true
        sayBitrate()
        // The access log leaves out what the app did before it had a player, and now and then it is far off.
        let own = now - begin - min(setup, now - begin)
        let isOff = equipment.chance.happens(0.015)
        say(.logStartup(Int(own) + (isOff ? equipment.chance.whole(in: 300...1_500) : 0)))
        sayStalls()
    }

    /// The player itself makes nothing of a wait that is over at once, nor of one that never ends.
    private mutating func countStall() {
        let length = now - phaseBegan
        guard length >= 100 else { return }
        counted.stalls += 1
        counted.length += length
        sayStalls()
    }

    private mutating func sayStalls() {
        say(.playerStalls(counted.stalls, milliseconds: Int(counted.length)))
    }

    private mutating func reachBufferEnd() {
        if load.bufferEnd >= load.clip.length {
            guard loopsLeft > 0, load.bufferBegin == 0 else { return close(.ended) }
            loopsLeft -= 1
            playhead = 0
            return
        }
        enter(.stalled)
        say(.status(.stalled))
        if load.failure != nil { failing = now + Int64(equipment.chance.uniform(200, 3_000)) }
    }

    private mutating func startPause() {
        resumes = now + (pause?.length ?? 0)
        pause = nil
        enter(.paused)
        say(.pause)
        say(.status(.paused))
    }

    private mutating func resume() {
        say(.play)
        enter(.playing)
        say(.status(.playing))
    }

    private mutating func startJump() {
        playhead = jump?.to ?? playhead
        jump = nil
        enter(.jumping)
        say(.seekBegan)
        if load.jump(to: playhead) {
            ready = now + Int64(equipment.chance.uniform(25, 120))
        } else {
            say(.status(.loading))
            if load.failure != nil { failing = now + 200 }
        }
    }

    private mutating func enter(_ phase: Phase) {
        self.phase = phase
        phaseBegan = now
    }

    private mutating func sayBitrate() {
        guard load.lastBitrate != saidBitrate, let bitrate = load.lastBitrate else { return }
        saidBitrate = bitrate
        say(.bitrate(Double(bitrate)))
    }

    private mutating func close(_ closing: Closing) {
        self.closing = closing
    }

    private mutating func say(_ input: PlaybackInput) {
        said.append(Saying(time: now, input: input))
    }
}
