import PlaybackMetricsClient

/// Turns what a player says into what the meters of its clips are told: a value, without a player or a clock.
struct PlayerTracker: Sendable {
    /// The item that is current, and the meter of its clip.
    private struct Current: Sendable {
        var item: PlayerEvent.ItemID
        var clip: TrackedClip
        var meter: PlaybackMeter
        var jumps = JumpRule()
        var isReady = false
        /// It failed while nobody wanted to play it.
        var untoldFailure: (error: PlaybackError, isVague: Bool)?
        /// Its latest play ended, or failed.
        var hasEnded = false
        var hasFailed = false
        /// The player wanted to play on when the play failed: where the next attempt begins, if it does.
        var goesOnFrom: PlaybackInstant?
        /// A seek has begun, and the player has not played since.
        var isSought = false
        var logs = PlayLogs()
        /// The items that the clip has played in.
        var played: Set<PlayerEvent.ItemID> = []
        /// Entries of the error log, and how many of them the play has got over.
        var errorCount = 0
        var errorsGotOver = 0
    }

    private struct Request: Sendable {
        var clip: TrackedClip
        var instant: PlaybackInstant
    }

    private let makeMeter: @Sendable (TrackedClip) -> PlaybackMeter
    private var current: Current?
    private var control: PlayerControl?
    private var presentation: PlaybackPresentation?
    private var request: Request?
    private var emptyBuffer = EmptyBufferRule()
    private(set) var isInBackground = false

    /// What the open play does.
    var live: LivePlay? { current?.meter.live }

    /// - Parameter makeMeter: makes the meter of a clip.
    init(
        makeMeter: @escaping @Sendable (TrackedClip) -> PlaybackMeter = {
            PlaybackMeter(videoId: $0.videoId, context: $0.context)
        }
    ) {
        self.makeMeter = makeMeter
    }

    /// Takes what happened.
    ///
    /// - Returns: the plays that this closed, in order.
    mutating func handle(_ event: PlayerEvent, at now: PlaybackInstant) -> [ClosedPlay] {
        switch event {
        case .item(let item, let clip, let isQueued): return change(to: item, clip, isQueued: isQueued, at: now)
        case .control(let control): return change(to: control, at: now)
        case .itemReady:
            current?.isReady = true
            return tellStatus(at: now)
        case .failed(let error, let isVague): return fail((error, isVague), at: now)
        case .ended(let action, let next): return end(action, next: next, at: now)
        case .playbackStalled(let waitsByItself):
            if !waitsByItself { emptyBuffer.stalled(at: now) }
            return stallByPause(at: now)
        case .bufferEmpty(let isEmpty):
            emptyBuffer.isEmpty = isEmpty
            return stallByPause(at: now)
        case .jumped: return jump(at: now)
        case .seekBegan, .metric(.seekBegan, _), .seekEnded, .metric(.seekEnded, _): return seek(event, at: now)
        case .playRequested(let clip): return request(clip, at: now)
        case .requestCancelled: return cancelRequest(at: now)
        case .accessLog, .closingLog, .errorLog, .edge, .metric: return read(event, at: now)
        case .presentation(let shown):
            presentation = shown
            return tell(.presentation(shown), at: now)
        case .background:
            isInBackground = true
            return endRequest(at: now) + suspendUnlessPlaying(at: now)
        case .foreground:
            isInBackground = false
            return comeBack(at: now)
        case .terminated:
            return endRequest(at: now) + tell(.suspended, at: now)
        case .letGo:
            return endRequest(at: now) + change(to: nil, nil, isQueued: false, at: now)
        }
    }

    // MARK: Items

    private mutating func change(
        to item: PlayerEvent.ItemID?, _ clip: TrackedClip?, isQueued: Bool, at now: PlaybackInstant
    ) -> [ClosedPlay] {
        guard item != current?.item else { return [] }
        emptyBuffer.reset()
        if let item, let clip, current?.clip.videoId == clip.videoId {
            let isOpen = current?.meter.isPlayOpen == true
            // A queue that goes on with the same clip loops; a clip that is tried again counts its attempts.
            if isOpen ? isQueued : current?.hasFailed == true { return goOn(in: item, clip, at: now) }
        }
        var closed = tell(.stop, at: now)
        current = nil
        guard let item else { return closed }
        // What was asked for was another clip; an advertisement before it is none.
        if let clip, request?.clip.videoId != clip.videoId { closed += endRequest(at: now) }
        guard let clip else {
            request = nil
            return closed
        }
        current = Current(item: item, clip: clip, meter: makeMeter(clip))
        if let presentation { closed += tell(.presentation(presentation), at: now) }
        return closed + startIfWanted(at: now)
    }

    /// The clip goes on, or is tried again, in another item.
    private mutating func goOn(in item: PlayerEvent.ItemID, _ clip: TrackedClip, at now: PlaybackInstant)
        -> [ClosedPlay]
    {
        current?.item = item
        current?.isReady = false
        current?.untoldFailure = nil
        current?.goesOnFrom = nil
        current?.errorCount = 0
        current?.errorsGotOver = 0
        guard let meter = current?.meter, meter.isPlayOpen else { return startIfWanted(at: now) }
        current?.played.insert(item)
        current?.logs.goOn(in: item, played: meter.playedMilliseconds(at: now))
        return tellStatus(at: now)
    }

    /// Begins a play when the viewer asked for this clip, or the player is already meant to play.
    private mutating func startIfWanted(at now: PlaybackInstant) -> [ClosedPlay] {
        var closed: [ClosedPlay] = []
        if let asked = request, asked.clip.videoId == current?.clip.videoId {
            request = nil
            closed = open(at: asked.instant)
        } else if let control, control != .paused {
            closed = open(at: now)
        }
        return closed + tellStatus(at: now)
    }

    /// In the background nothing begins to be waited for: a play there begins when it plays.
    private mutating func open(at now: PlaybackInstant) -> [ClosedPlay] {
        guard current?.meter.isPlayOpen == false, !isInBackground else { return [] }
        let failure = current?.untoldFailure
        let closed = tell(.play, at: now)
        // The item may have failed while nobody wanted it.
        return failure.map { closed + fail($0, at: now) } ?? closed
    }

    // MARK: Requests

    private mutating func request(_ clip: TrackedClip, at now: PlaybackInstant) -> [ClosedPlay] {
        let closed = endRequest(at: now)
        if current?.clip.videoId == clip.videoId, current?.meter.isPlayOpen == false {
            return closed + open(at: now)
        }
        if !isInBackground { request = Request(clip: clip, instant: now) }
        return closed
    }

    private mutating func cancelRequest(at now: PlaybackInstant) -> [ClosedPlay] {
        guard request == nil else { return endRequest(at: now) }
        // The item was there already, and nobody told the player to play it.
        guard let meter = current?.meter, meter.isPlayOpen, !meter.hasStarted, control == .paused else { return [] }
        return tell(.stop, at: now)
    }

    /// The viewer waited for an item that never came.
    private mutating func endRequest(at now: PlaybackInstant) -> [ClosedPlay] {
        guard let asked = request else { return [] }
        request = nil
        var meter = makeMeter(asked.clip)
        meter.handle(.play, at: asked.instant)
        return meter.handleAll(.stop, at: now).map { ClosedPlay($0, logs: PlayLogs(), item: nil) }
    }

    // MARK: Control

    private mutating func change(to control: PlayerControl, at now: PlaybackInstant) -> [ClosedPlay] {
        let before = self.control
        guard control != before else { return [] }
        self.control = control
        emptyBuffer.controlChanged(to: control, from: before, at: now)
        if !control.wantsToPlay { current?.goesOnFrom = nil }
        var closed: [ClosedPlay] = []
        // What the player was doing when observing began, it was told by somebody before.
        if before == .paused { closed = open(at: now) }
        if emptyBuffer.isStall, current?.meter.hasStarted == true { return closed + stallByPause(at: now) }
        closed += tell(status, at: now)
        return closed + (isInBackground && control != .playing ? tell(.suspended, at: now) : [])
    }

    /// What the meter is told of the control.
    private var status: PlaybackInput {
        switch control {
        case .paused, .held, nil: .status(.paused)
        case .waitingForData: .status(.stalled)
        // Once the play has started, it comes with every resume, and is no wait for data: but after a seek it is the seek's.
        case .evaluating: current?.meter.hasStarted == true && current?.isSought == false ? .play : .status(.stalled)
        // A player can say that it plays before its new item is ready: then it still loads.
        case .playing: current?.isReady == true ? .status(.playing) : .status(.loading)
        }
    }

    /// Tells what the player does to an item that it does it to only now. That it does nothing yet is no pause: the viewer
    /// may have asked for the clip already.
    private mutating func tellStatus(at now: PlaybackInstant) -> [ClosedPlay] {
        guard let control, control != .paused, current != nil else { return [] }
        // In the background, what waits is closed: it must not be opened by its readiness either.
        guard !isInBackground || control == .playing else { return [] }
        return tell(status, at: now)
    }

    /// A player that does not wait by itself pauses when its buffer is empty: that is a stall.
    private mutating func stallByPause(at now: PlaybackInstant) -> [ClosedPlay] {
        guard emptyBuffer.isStall, current?.meter.hasStarted == true else { return [] }
        return tell(isInBackground ? .suspended : .status(.stalled), at: now)
    }

    /// In the background, a player that does not play is one whose app may stop at any moment.
    private mutating func suspendUnlessPlaying(at now: PlaybackInstant) -> [ClosedPlay] {
        let plays = control == .playing && (current?.isReady == true || current?.meter.hasStarted == true)
        return plays ? [] : tell(.suspended, at: now)
    }

    /// What still wants to play goes on as another play. A clip that came in the background begins with its first frame: its
    /// viewer has waited for a time that nobody knows.
    private mutating func comeBack(at now: PlaybackInstant) -> [ClosedPlay] {
        guard let known = current, !known.played.isEmpty, !known.hasEnded, !known.hasFailed else { return [] }
        guard !known.meter.isPlayOpen, control?.wantsToPlay == true else { return [] }
        return open(at: now) + tellStatus(at: now)
    }

    // MARK: Seeks, ends and failures

    private mutating func jump(at now: PlaybackInstant) -> [ClosedPlay] {
        guard let meter = current?.meter else { return [] }
        if !meter.isPlayOpen {
            // A player that was told to go on at the end, or after a failure, jumps: a replay, or another attempt.
            guard current?.hasEnded == true || current?.goesOnFrom != nil else { return [] }
            guard control?.wantsToPlay == true else { return [] }
            return open(at: now) + tellStatus(at: now)
        }
        if meter.isSeeking(at: now) {
            // The seek that the app announced has arrived. Many apps never say so; what plays from here on ends it.
            return control == .playing ? tell(status, at: now) : []
        }
        current?.isSought = control != .playing
        return pass(current?.jumps.jump(at: now) ?? [])
    }

    private mutating func seek(_ event: PlayerEvent, at now: PlaybackInstant) -> [ClosedPlay] {
        switch event {
        case .metric(_, let item) where item != current?.item: return []
        case .seekBegan, .metric(.seekBegan, _):
            current?.isSought = true
            return tell(.seekBegan, at: now)
        case .metric(.seekEnded(inBuffer: true), _) where control == .playing:
            // It plays on at once: a wait after this is none of the seek's.
            return tell(.seekEnded, at: now) + tell(status, at: now)
        default: return tell(.seekEnded, at: now)
        }
    }

    private mutating func end(_ action: ItemEnd.Action, next: VideoID?, at now: PlaybackInstant) -> [ClosedPlay] {
        guard let clip = current?.clip.videoId, ItemEnd.closesPlay(action, clip: clip, next: next) else { return [] }
        let closed = tell(.status(.ended), at: now)
        current?.hasEnded = !closed.isEmpty
        return closed
    }

    private mutating func fail(_ failure: (error: PlaybackError, isVague: Bool), at now: PlaybackInstant)
        -> [ClosedPlay]
    {
        guard let meter = current?.meter else { return [] }
        guard meter.isPlayOpen else {
            // The failure of the play before it is not told again.
            if current?.hasFailed == false { current?.untoldFailure = failure }
            return []
        }
        let closed = tell(.status(.failed(failure.error)), at: now, isVague: failure.isVague)
        current?.hasFailed = true
        current?.goesOnFrom = control?.wantsToPlay == true && !isInBackground ? now : nil
        return closed
    }

    // MARK: Logs

    private mutating func read(_ event: PlayerEvent, at now: PlaybackInstant) -> [ClosedPlay] {
        let closed = pass(current?.jumps.expire(at: now) ?? [])
        guard let known = current else { return closed }
        switch event {
        case .accessLog(let entries, let item) where item == known.item || known.played.contains(item):
            current?.logs.read(entries, of: item, played: known.meter.playedMilliseconds(at: now))
        case .closingLog(let entries, let item) where item == known.item || known.played.contains(item):
            current?.played.insert(item)
            current?.logs.leaveBehind(entries, of: item)
        case .errorLog(let count, let item) where item == known.item:
            current?.errorCount = max(known.errorCount, count)
        case .edge(let edge, let item) where item == known.item: return closed + tell(.edge(edge), at: now)
        case .metric(let metric, let item) where item == known.item: return closed + take(metric, at: now)
        default: break
        }
        return closed
    }

    private mutating func take(_ metric: PlayerMetric, at now: PlaybackInstant) -> [ClosedPlay] {
        switch metric {
        case .stall:
            // It may come late: only a player that waits is stalled.
            guard current?.meter.hasStarted == true, !isInBackground else { return [] }
            let waits = control == .waitingForData || control == .evaluating || emptyBuffer.hasPaused(at: now)
            return waits ? tell(.status(.stalled), at: now) : []
        case .bitrate(let bitrate): return tell(.bitrate(bitrate), at: now)
        case .summary(let stalls, let stalledMs, let startupMs):
            // It is one of all plays of the item.
            guard current?.logs.isItemsFirst == true else { return [] }
            return tell(.playerStalls(stalls, milliseconds: stalledMs), at: now) + tell(.logStartup(startupMs), at: now)
        case .seekBegan, .seekEnded: return []
        }
    }

    // MARK: The meter

    private mutating func tell(
        _ input: PlaybackInput, at now: PlaybackInstant, isVague: Bool = false
    ) -> [ClosedPlay] {
        guard let hasStarted = current?.meter.hasStarted else { return [] }
        return pass(current?.jumps.take(input, at: now, hasStarted: hasStarted) ?? [], isVague: isVague)
    }

    private mutating func pass(_ inputs: [JumpRule.Timed], isVague: Bool = false) -> [ClosedPlay] {
        var closed: [ClosedPlay] = []
        for timed in inputs {
            if timed.input == .status(.playing) { closed += plays(at: timed.instant) }
            let wasOpen = current?.meter.isPlayOpen == true
            let summaries = current?.meter.handleAll(timed.input, at: timed.instant) ?? []
            for (index, summary) in summaries.enumerated() {
                let isLast = index == summaries.count - 1 && current?.meter.isPlayOpen == false
                closed += close(summary, isHurried: !isLast || timed.input == .suspended, isVague: isLast && isVague)
            }
            if current?.meter.isPlayOpen == true, !wasOpen || !summaries.isEmpty { begin() }
        }
        return closed
    }

    /// The player plays: what went wrong until now it got over; an attempt that goes on after a failure begins.
    private mutating func plays(at now: PlaybackInstant) -> [ClosedPlay] {
        let errorCount = current?.errorCount ?? 0
        current?.isSought = false
        current?.errorsGotOver = errorCount
        guard let from = current?.goesOnFrom, current?.meter.isPlayOpen == false else { return [] }
        return open(at: from)
    }

    private mutating func begin() {
        guard let item = current?.item, let errorCount = current?.errorCount else { return }
        let isFirst = current?.played.insert(item).inserted == true
        current?.logs.begin(in: item, isFirst: isFirst)
        current?.hasEnded = false
        current?.hasFailed = false
        current?.untoldFailure = nil
        current?.goesOnFrom = nil
        current?.errorsGotOver = isFirst ? 0 : errorCount
    }

    private func close(_ summary: PlaybackSummary, isHurried: Bool, isVague: Bool) -> [ClosedPlay] {
        guard let current else { return [] }
        let play = ClosedPlay(
            summary, logs: current.logs, item: isHurried ? nil : current.item,
            errorsFrom: isVague ? current.errorsGotOver : nil)
        return [play]
    }
}
