internal import PlaybackMetricsClient

/// Everything that happens on one device, from the first visit on.
///
/// Pure: the same device gives the same events.
struct DeviceRun: Sendable {
    /// A clip at which the app went to the background.
    private struct Interruption: Sendable {
        var load: SegmentLoad
        /// In ms of the clip.
        var playhead: Int64
        var stage: PlayStage
    }

    let device: Device
    let trouble: EdgeTrouble?
    let catalogue: Catalogue
    /// Nothing plays any more, in ms since 1970.
    let end: Int64

    private(set) var events: [DeviceEvent] = []
    private var chance: Chance
    private var habits: ViewerHabits
    private var shelf: PlayerShelf
    private var now: Int64 = 0
    private var isRunning = false
    private var clipsShown = 0
    private var interruption: Interruption?

    init(_ device: Device, trouble: EdgeTrouble?, catalogue: Catalogue, end: Int64) {
        self.device = device
        self.trouble = trouble
        self.catalogue = catalogue
        self.end = end
        chance = device.chance
        habits = ViewerHabits(chance: chance.branch())
        shelf = PlayerShelf(PlayerKeeping(device.lifecycle))
    }

    /// - Complexity: O(clips · segments).
    mutating func run() -> [DeviceEvent] {
        for visit in device.visits { run(visit) }
        if isRunning, device.visits.last?.uplink != .open, chance.happens(0.6) { lookIn() }
        return events
    }

    private mutating func run(_ visit: Visit) {
        let resumes = visit.resumes && isRunning && interruption != nil
        let begin = resumes ? now + habits.absence() : max(visit.begin, now + 90_000)
        // Whoever would come in the last minutes stays away.
        guard begin < end - 120_000 else { return }
        if isRunning, !resumes, chance.happens(begin - now > 7_200_000 ? 0.45 : 0.08) { terminate() }
        now = begin
        if !isRunning { launch() }
        note(.foreground(visit.uplink))
        var place = VisitPlace(visit, device: device, trouble: trouble, at: now, &chance)
        let going = resumes ? interruption : nil
        interruption = nil
        watch(in: &place, from: going)
        note(.background)
        shelf.empty()
    }

    private mutating func launch() {
        isRunning = true
        clipsShown = 0
        interruption = nil
        shelf = PlayerShelf(PlayerKeeping(device.lifecycle))
        note(.launch(senderCapacity: device.app.senderCapacity))
    }

    /// The system needs the memory, some time after the app went to the background.
    private mutating func terminate() {
        now += 60_000
        isRunning = false
        note(.termination)
    }

    /// The viewer opens the app hours later, somewhere with a network, and watches nothing.
    private mutating func lookIn() {
        now += Int64(chance.uniform(1, 20) * 3_600_000)
        note(.foreground(.open))
        now += Int64(chance.uniform(2_000, 20_000))
        note(.background)
    }

    private mutating func note(_ happening: DeviceEvent.Happening) {
        events.append(DeviceEvent(time: now, happening: happening))
    }
}

// MARK: - The clips of a visit

extension DeviceRun {
    /// One clip after the other; the app goes to the background at the last, or when the simulation ends.
    private mutating func watch(in place: inout VisitPlace, from interruption: Interruption?) {
        var clip = interruption?.load.clip ?? catalogue.draw(&chance)
        var previous: Clip?
        var going = interruption
        for shown in 1...place.visit.clips {
            let next = catalogue.draw(&chance)
            let isLast = shown == place.visit.clips
            if shown > 1 { place.moveOn(trouble: trouble, at: now, &chance) }
            show(clip, goingOn: going, next: next, isLast: isLast, in: &place)
            going = nil
            now += habits.swipe()
            guard now < end else { return }
            if let before = previous, habits.goesBack() {
                (clip, previous) = (before, nil)
            } else {
                // The feed changes its mind now and then, after the next clip has been loaded.
                (clip, previous) = (chance.happens(0.15) ? catalogue.draw(&chance) : next, clip)
            }
        }
    }

    /// One clip, and the attempts after failures.
    private mutating func show(
        _ clip: Clip, goingOn: Interruption?, next: Clip, isLast: Bool, in place: inout VisitPlace
    ) {
        clipsShown += 1
        let taken = shelf.take(for: clip, &chance)
        var load = goingOn?.load ?? taken.load ?? place.newLoad(of: clip, &chance)
        var receivedBefore = goingOn == nil && taken.isPreloaded ? 0 : load.bytes
        let stage = stage(of: clip, taken, goingOn: goingOn, in: place)
        note(goingOn == nil ? .clip(stage) : .circumstances(stage))
        if goingOn == nil { note(.player(.presentation(presentation()))) }
        for attempt in 1... {
            var playback = ClipPlayback(
                load, from: goingOn?.playhead ?? 0, on: place.equipment,
                script: habits.script(for: clip, isLast: isLast), at: now,
                setup: attempt == 1 && goingOn == nil ? taken.setup : 5, deadline: max(now, end))
            let closing = playback.run()
            place.equipment = playback.equipment
            load = playback.load
            note(playback, closing, received: load.bytes - receivedBefore, in: place)
            if closing == .suspended {
                interruption = Interruption(load: load, playhead: playback.playhead, stage: stage)
                return
            }
            guard case .failed = closing, let pause = habits.retry(afterAttempt: attempt), now + pause < end else {
                shelf.putBack(load)
                if !isLast { preload(next, after: playback, in: &place) }
                return
            }
            now += pause
            load = load.again()
            receivedBefore = 0
        }
    }

    /// Loads the next clip from when the network was free for it.
    private mutating func preload(_ next: Clip, after playback: ClipPlayback, in place: inout VisitPlace) {
        guard shelf.keeping.preloads, !place.visit.isOffline else { return }
        guard let free = playback.networkFree, free < now else { return }
        var load = SegmentLoad(of: next, chance: chance.branch())
        load.preload(
            PlayerKeeping.preloadedSegments, &place.equipment.delivery, &place.equipment.choice, from: free, to: now)
        shelf.hold(preloaded: load)
    }

    private mutating func stage(
        of clip: Clip, _ taken: PlayerShelf.Taken, goingOn: Interruption?, in place: VisitPlace
    ) -> PlayStage {
        let isOffline = place.visit.isOffline
        return PlayStage(
            videoId: clip.id,
            network: isOffline ? nil : place.network,
            cdn: isOffline ? nil : place.cdn,
            cdnRegion: isOffline || !place.visit.tellsRegion ? nil : place.region.name,
            source: isOffline ? .download : .stream,
            appVersion: device.app.version,
            osVersion: device.model.osVersion,
            deviceModel: device.model.name,
            lifecycle: device.lifecycle,
            acquired: goingOn?.stage.acquired ?? taken.acquired,
            isPreloaded: goingOn?.stage.isPreloaded ?? taken.isPreloaded,
            isAutoplay: goingOn?.stage.isAutoplay ?? (clipsShown > 1))
    }

    private mutating func presentation() -> PlaybackPresentation {
        if device.model.name.hasPrefix("AppleTV") { return .fullscreen }
        return chance.pick([(90, .inline), (8.5, .fullscreen), (1.5, .pip)])
    }

    /// What the player said, and what is known when the play closes.
    private mutating func note(
        _ playback: ClipPlayback, _ closing: ClipPlayback.Closing, received: Int64, in place: VisitPlace
    ) {
        for saying in playback.said {
            now = saying.time
            note(.player(saying.input))
        }
        now = playback.now
        if device.app.countsBytes, !place.visit.isOffline, !chance.happens(0.03) { note(.player(.bytes(received))) }
        note(.player(.memory(memory(playing: playback.load))))
        switch closing {
        case .left: note(.player(.stop))
        case .ended: note(.player(.status(.ended)))
        case .suspended: note(.player(.suspended))
        case .failed(let failure): note(.player(.status(.failed(failure.error))))
        }
    }

    /// The app's footprint in bytes: its own, the players', and what piles up while it runs.
    private mutating func memory(playing load: SegmentLoad) -> Int64 {
        let piledUp = Double(min(clipsShown, 80)) * 0.35
        let noise = chance.logNormal(median: 6, sigma: 0.5)
        return device.model.memory + shelf.memory + min(load.bytes, 6 << 20) + Int64((piledUp + noise) * 1_048_576)
    }
}
