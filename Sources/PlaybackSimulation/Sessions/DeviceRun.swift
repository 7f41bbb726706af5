internal import Glibc
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
        var position = VisitPlace(visit, device: device, trouble: trouble, at: now, &chance)
        let going = resumes ? interruption : nil
        interruption = nil
        watch(in: &position, from: going)
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
    private mutating func watch(in position: inout VisitPlace, from interruption: Interruption?) {
        var clip = interruption?.load.clip ?? catalogue.draw(&chance)
        var previous: Clip?
        var going = interruption
        for shown in 1...position.visit.clips {
            let next = catalogue.draw(&chance)
            let isLast = shown == position.visit.clips
            if shown > 1 { position.moveOn(trouble: trouble, at: now, &chance) }
            show(clip, goingOn: going, next: next, isLast: isLast, in: &position)
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
        _ clip: Clip, goingOn: Interruption?, next: Clip, isLast: Bool, in position: inout VisitPlace
    ) {
        clipsShown += 1
        let taken = shelf.take(for: clip, &chance)
        var load = goingOn?.load ?? taken.load ?? position.newLoad(of: clip, &chance)
        var receivedBefore = goingOn == nil && taken.isPreloaded ? 0 : load.bytes
        let stage = stage(of: clip, taken, goingOn: goingOn, in: position)
        note(goingOn == nil ? .clip(stage) : .circumstances(stage))
        if goingOn == nil { note(.player(.presentation(presentation()))) }
        for attempt in 1... {
            var playback = ClipPlayback(
                load, from: goingOn?.playhead ?? 0, on: position.equipment,
                script: habits.script(for: clip, isLast: isLast), at: now,
                setup: attempt == 1 && goingOn == nil ? taken.setup : 5, deadline: max(now, end))
            let closing = playback.run()
            position.equipment = playback.equipment
            load = playback.load
            note(playback, closing, received: load.bytes - receivedBefore, in: position)
            if closing == .suspended {
                interruption = Interruption(load: load, playhead: playback.playhead, stage: stage)
                return
            }
            guard case .failed = closing, let pause = habits.retry(afterAttempt: attempt), now + pause < end else {
                shelf.putBack(load)
                if !isLast { preload(next, after: playback, in: &position) }
                return
            }
            now += pause
            load = load.again()
            receivedBefore = 0
        }
    }

    /// Loads the next clip from when the network was free for it.
    private mutating func preload(_ next: Clip, after playback: ClipPlayback, in position: inout VisitPlace) {
        guard shelf.keeping.preloads, !position.visit.isOffline else { return }
        guard let free = playback.networkFree, free < now else { return }
        var load = SegmentLoad(of: next, chance: chance.branch())
        load.preload(
            PlayerKeeping.preloadedSegments, &position.equipment.delivery, &position.equipment.choice, from: free,
            to: now)
        shelf.hold(preloaded: load)
    }

    private mutating func stage(
        of clip: Clip, _ taken: PlayerShelf.Taken, goingOn: Interruption?, in position: VisitPlace
    ) -> PlayStage {
        let isOffline = position.visit.isOffline
        return PlayStage(
            videoId: clip.id,
            network: isOffline ? nil : position.network,
            cdn: isOffline ? nil : position.cdn,
            cdnRegion: isOffline || !position.visit.tellsRegion ? nil : position.region.name,
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
        _ playback: ClipPlayback, _ closing: ClipPlayback.Closing, received: Int64, in position: VisitPlace
    ) {
        for saying in playback.said {
            now = saying.time
            note(.player(saying.input))
        }
        now = playback.now
        if device.app.countsBytes, !position.visit.isOffline, !chance.happens(0.03) { note(.player(.bytes(received))) }
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

/// The clips that there are: a few are watched by many, most by few.
struct Catalogue: Sendable {
    static let size = 600
    /// Two clips that were published broken, seldom watched ones.
    private static let broken: [Int: PlaybackFailure] = [433: .formatUnreadable, 587: .playlistUnreadable]

    let clips: [Clip]

    /// The same clips for every seed.
    init() {
        var chance = Chance(seed: 2_026)
        clips = (0..<Self.size).map { rank in
            Clip(
                id: "clip-" + Self.digits(Int(chance.next() % 9_000) * 600 + rank),
                length: Int64(min(60, max(15, chance.logNormal(median: 27, sigma: 0.4))) * 1_000),
                popularity: Double(rank) / Double(Self.size - 1),
                fault: Self.broken[rank])
        }
    }

    /// A clip as a feed proposes it: the rank is drawn from a power law.
    func draw(_ chance: inout Chance) -> Clip {
        let position = pow(chance.unit(), 2.2)
        return clips[min(Self.size - 1, Int(position * Double(Self.size)))]
    }

    private static func digits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    }
}

/// What happens on a device, in the order of its times: what drives the meter and the sender.
struct DeviceEvent: Sendable {
    enum Happening: Sendable {
        /// The app is started; a sender that keeps so many summaries.
        case launch(senderCapacity: Int)
        /// A visit begins.
        case foreground(Uplink)
        /// The viewer comes to a clip; its plays from now on stand in these circumstances.
        case clip(PlayStage)
        /// The viewer comes back to the clip at which the app went to the background: its next play stands in these.
        case circumstances(PlayStage)
        /// The player says something of the clip.
        case player(PlaybackInput)
        /// The visit is over; the app sends what it has, and stands still.
        case background
        /// The system ends the app in the background: what it had not sent is lost.
        case termination
    }

    /// In ms since 1970.
    let time: Int64
    let happening: Happening
}

/// The circumstances of the plays of a clip.
struct PlayStage: Sendable {
    var videoId: String
    var network: PlaybackNetwork?
    var cdn: String?
    var cdnRegion: String?
    var source: PlaybackSource
    var appVersion: String
    var osVersion: String
    var deviceModel: String
    var lifecycle: PlayerLifecycle
    var acquired: PlayerAcquisition
    var isPreloaded: Bool
    var isAutoplay: Bool
}
