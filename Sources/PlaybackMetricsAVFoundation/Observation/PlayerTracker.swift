import PlaybackMetricsClient

/// Turns what a player says into what the meters of its clips are told: a value, without a player or a clock.
struct PlayerTracker: Sendable {
    /// The item that is current, and the meter of its clip.
    private struct Current: Sendable {
        var item: PlayerEvent.ItemID
        var videoId: VideoID
        var meter: PlaybackMeter
        var jumps = JumpRule()
        var isReady = false
        var failure: PlaybackError?
        var bytes = ItemBytes()
        var figures: AccessLogFigures?
        /// The items that the clip has played in.
        var played: Set<PlayerEvent.ItemID> = []
        /// The item whose log tells the startup of the open play.
        var startupItem: PlayerEvent.ItemID?
    }

    private let makeMeter: @Sendable (PlaybackClip) -> PlaybackMeter
    private var current: Current?
    private var control: PlayerControl?
    private var presentation: PlaybackPresentation?
    private var request: (videoId: VideoID, instant: PlaybackInstant)?
    private(set) var isInBackground = false

    /// - Parameter makeMeter: makes the meter of a clip.
    init(
        makeMeter: @escaping @Sendable (PlaybackClip) -> PlaybackMeter = {
            PlaybackMeter(videoId: $0.videoId, context: $0.context)
        }
    ) {
        self.makeMeter = makeMeter
    }

    /// Takes what happened.
    ///
    /// - Returns: the play that this closed.
    mutating func handle(_ event: PlayerEvent, at now: PlaybackInstant) -> ClosedPlay? {
        switch event {
        case .item(let item, let clip, let isQueued): return change(to: item, clip, isQueued: isQueued, at: now)
        case .control(let control): return change(to: control, at: now)
        case .itemReady:
            current?.isReady = true
            return tellStatus(at: now)
        case .failed(let error):
            current?.failure = error
            return tell(.status(.failed(error)), at: now)
        case .ended(let action, let next): return end(action, next: next, at: now)
        case .jumped: return pass(current?.jumps.jump(at: now) ?? [])
        case .seekBegan: return tell(.seekBegan, at: now)
        case .seekEnded: return tell(.seekEnded, at: now)
        case .playRequested(let videoId): return request(videoId, at: now)
        case .log(let figures, let item): return take(figures, of: item, at: now)
        case .presentation(let shown):
            presentation = shown
            return tell(.presentation(shown), at: now)
        case .background:
            isInBackground = true
            return suspendWhenPaused(at: now)
        case .foreground:
            isInBackground = false
            return nil
        case .letGo:
            request = nil
            return change(to: nil, nil, isQueued: false, at: now)
        }
    }

    // MARK: Items

    private mutating func change(
        to item: PlayerEvent.ItemID?, _ clip: PlaybackClip?, isQueued: Bool, at now: PlaybackInstant
    ) -> ClosedPlay? {
        guard item != current?.item else { return nil }
        if let item, let clip, current?.videoId == clip.videoId {
            let isOpen = current?.meter.isPlayOpen == true
            // A queue that goes on with the same clip loops; a clip that is tried again counts its attempts.
            if isQueued || !isOpen { return goOn(in: item, at: now) }
        }
        let closed = tell(.stop, at: now)
        current = nil
        guard let item, let clip else { return closed }
        current = Current(item: item, videoId: clip.videoId, meter: makeMeter(clip))
        if let presentation { _ = tell(.presentation(presentation), at: now) }
        // A play that opens here closes nothing: the item is new.
        _ = startIfWanted(at: now)
        return closed
    }

    /// The clip goes on, or is tried again, in another item.
    private mutating func goOn(in item: PlayerEvent.ItemID, at now: PlaybackInstant) -> ClosedPlay? {
        current?.item = item
        current?.isReady = false
        current?.failure = nil
        current?.figures = nil
        guard current?.meter.isPlayOpen == true else { return startIfWanted(at: now) }
        current?.played.insert(item)
        return tellStatus(at: now)
    }

    /// Begins a play when the viewer asked for this clip, or the player is already meant to play.
    private mutating func startIfWanted(at now: PlaybackInstant) -> ClosedPlay? {
        if let asked = request, asked.videoId == current?.videoId {
            request = nil
            if let closed = open(at: asked.instant) { return closed }
        } else if let control, control != .paused {
            if let closed = open(at: now) { return closed }
        }
        return tellStatus(at: now)
    }

    private mutating func request(_ videoId: VideoID, at now: PlaybackInstant) -> ClosedPlay? {
        guard let current, current.videoId == videoId, !current.meter.isPlayOpen else {
            request = (videoId, now)
            return nil
        }
        return open(at: now)
    }

    private mutating func open(at now: PlaybackInstant) -> ClosedPlay? {
        guard let item = current?.item, current?.meter.isPlayOpen == false else { return nil }
        // What was loaded before the first play of an item belongs to that play.
        let isFirst = current?.played.insert(item).inserted == true
        current?.startupItem = isFirst ? item : nil
        current?.bytes.begin(keeping: isFirst ? item : nil)
        if let closed = tell(.play, at: now) { return closed }
        if let figures = current?.figures { _ = tell(figures, at: now) }
        // The item may have failed while nobody wanted it.
        if let failure = current?.failure { return tell(.status(.failed(failure)), at: now) }
        return nil
    }

    // MARK: Control

    private mutating func change(to control: PlayerControl, at now: PlaybackInstant) -> ClosedPlay? {
        let before = self.control
        guard control != before else { return nil }
        self.control = control
        // What the player was doing when observing began, it was told by somebody before.
        if before == .paused, let closed = open(at: now) { return closed }
        let isReady = current?.isReady == true
        return tell(.status(control.status(itemIsReady: isReady)), at: now) ?? suspendWhenPaused(at: now)
    }

    /// Tells what the player does to an item that it does it to only now. That it does nothing yet is no pause: the viewer
    /// may have asked for the clip already.
    private mutating func tellStatus(at now: PlaybackInstant) -> ClosedPlay? {
        guard let control, let current, control != .paused else { return nil }
        return tell(.status(control.status(itemIsReady: current.isReady)), at: now)
    }

    private mutating func end(_ action: ItemEnd.Action, next: VideoID?, at now: PlaybackInstant) -> ClosedPlay? {
        guard let clip = current?.videoId else { return nil }
        return ItemEnd.closesPlay(action, clip: clip, next: next) ? tell(.status(.ended), at: now) : nil
    }

    /// In the background, a player that is paused is one whose app may stop at any moment.
    private mutating func suspendWhenPaused(at now: PlaybackInstant) -> ClosedPlay? {
        guard isInBackground, control == .paused else { return nil }
        return tell(.suspended, at: now)
    }

    // MARK: Logs

    private mutating func take(
        _ figures: AccessLogFigures, of item: PlayerEvent.ItemID, at now: PlaybackInstant
    ) -> ClosedPlay? {
        guard let known = current, known.item == item || known.played.contains(item) else { return nil }
        current?.bytes.set(figures.bytes, of: item)
        guard item == known.item else { return tellBytes(at: now) }
        current?.figures = figures
        return tell(figures, at: now)
    }

    private mutating func tellBytes(at now: PlaybackInstant) -> ClosedPlay? {
        guard let bytes = current?.bytes.ofPlay else { return nil }
        return tell(.bytes(bytes), at: now)
    }

    private mutating func tell(_ figures: AccessLogFigures, at now: PlaybackInstant) -> ClosedPlay? {
        var closed = tellBytes(at: now)
        if let startup = figures.startupMs, let current, current.item == current.startupItem {
            closed = tell(.logStartup(startup), at: now) ?? closed
        }
        return tell(.bitrate(figures.bitrate), at: now) ?? closed
    }

    // MARK: The meter

    private mutating func tell(_ input: PlaybackInput, at now: PlaybackInstant) -> ClosedPlay? {
        pass(current?.jumps.take(input, at: now) ?? [])
    }

    private mutating func pass(_ inputs: [JumpRule.Timed]) -> ClosedPlay? {
        var closed: ClosedPlay?
        for timed in inputs {
            guard let summary = current?.meter.handle(timed.input, at: timed.instant), let current else { continue }
            let isHurried = timed.input == .suspended
            closed = ClosedPlay(
                summary, item: isHurried ? nil : current.item, otherBytes: current.bytes.others(than: current.item))
        }
        return closed
    }
}
