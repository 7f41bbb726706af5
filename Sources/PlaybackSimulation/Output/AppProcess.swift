internal import Foundation
internal import PlaybackMetricsClient

/// One run of the app on a device, from its start to its end: the meter of the clip that plays, and the sender.
final class AppProcess {
    /// What the meter asks for when a play begins.
    private final class Circumstances: @unchecked Sendable {
        private let lock = NSLock()
        private var stage: PlayStage?
        private let session: PlaybackSession

        init(_ session: PlaybackSession) {
            self.session = session
        }

        func become(_ stage: PlayStage) {
            lock.lock()
            defer { lock.unlock() }
            self.stage = stage
        }

        var context: PlaybackContext {
            lock.lock()
            defer { lock.unlock() }
            return stage?.context(session) ?? PlaybackContext()
        }
    }

    let clock: SimulatedClock
    let sender: PlaybackMetricsSender
    private let uplink: SimulatedUplink
    private let session: PlaybackSession
    private let circumstances: Circumstances
    private let ids: any PlayIDMaker
    private var meter: PlaybackMeter?
    private var isFresh = true

    /// - Parameter ids: of plays, sessions and the sender; `nil`: made from the simulation's time and chance.
    init(
        at time: Int64, senderCapacity: Int, endpoint: any SimulatedEndpoint, ids: (any PlayIDMaker)?,
        _ chance: inout Chance
    ) async {
        let clock = SimulatedClock(at: time)
        self.clock = clock
        self.ids = ids ?? TimeOrderedIDs(milliseconds: { clock.milliseconds }, random: chance.branch())
        uplink = SimulatedUplink(clock: clock, endpoint: endpoint, chance: chance.branch())
        session = PlaybackSession(ids: self.ids)
        circumstances = Circumstances(session)
        var seams = SenderSeams()
        seams.clock = clock
        seams.wallClock = { Date(timeIntervalSince1970: Double(clock.milliseconds) / 1_000) }
        seams.random = chance.branch()
        seams.ids = self.ids
        seams.log = { _ in }
        var configuration = SenderConfiguration()
        configuration.capacity = senderCapacity
        configuration.folder = nil
        sender = PlaybackMetricsSender(http: uplink, configuration: configuration, seams: seams)
        sender.start()
        await clock.untilAsleep()
    }

    /// A visit begins; the process may have stood still until now.
    func comeToForeground(_ condition: Uplink, at time: Int64) async {
        uplink.become(condition)
        if !isFresh { session.renew() }
        isFresh = false
        await clock.leap(to: time)
    }

    /// The viewer comes to a clip.
    func show(_ stage: PlayStage) {
        circumstances.become(stage)
        meter = PlaybackMeter(videoId: VideoID(stage.videoId), ids: ids, memory: { nil }) { [circumstances] in
            circumstances.context
        }
    }

    /// The clip that is there goes on in other circumstances.
    func goOn(_ stage: PlayStage) {
        circumstances.become(stage)
    }

    /// The player says something; a play that closes is recorded.
    func take(_ input: PlaybackInput) -> Bool {
        guard let summary = meter?.handle(input, at: clock.instant) else { return false }
        sender.record(summary)
        return true
    }
}

extension PlayStage {
    func context(_ session: PlaybackSession) -> PlaybackContext {
        var context = PlaybackContext()
        context.session = session.id
        context.network = network
        context.cdn = cdn.flatMap(PlaybackLabel.init)
        context.cdnRegion = cdnRegion.flatMap(PlaybackLabel.init)
        context.source = source == .stream ? nil : source
        context.appVersion = PlaybackLabel(appVersion)
        context.osVersion = PlaybackLabel(osVersion)
        context.deviceModel = PlaybackLabel(deviceModel)
        context.player = "AVPlayer"
        context.tags.lifecycle = lifecycle
        context.tags.acquired = acquired
        context.tags.preloaded = isPreloaded
        context.tags.autoplay = isAutoplay
        return context
    }
}

/// What lies between a sender and its endpoint: time, and what can go wrong on the way.
final class SimulatedUplink: HTTPClient, @unchecked Sendable {
    struct NoAnswer: Error {}

    private let lock = NSLock()
    private let clock: SimulatedClock
    private let endpoint: any SimulatedEndpoint
    private var chance: Chance
    private var condition = Uplink.open
    private var lastArrival: Int64 = .min

    init(clock: SimulatedClock, endpoint: any SimulatedEndpoint, chance: Chance) {
        self.clock = clock
        self.endpoint = endpoint
        self.chance = chance
    }

    func become(_ condition: Uplink) {
        locked { self.condition = condition }
    }

    func post(_ body: Data) async throws -> HTTPClientResponse {
        let (condition, arrival, fate) = locked {
            let arrival = max(lastArrival + 1, clock.milliseconds + Int64(chance.logNormal(median: 90, sigma: 0.5)))
            return (self.condition, arrival, chance.unit())
        }
        switch condition {
        case .blocked: throw NoAnswer()
        case .portal: return HTTPClientResponse(status: 302)
        case .swallowing: return HTTPClientResponse(status: 200)
        case .lossy where fate < 0.15: throw NoAnswer()
        case .lossy, .open:
            locked { lastArrival = arrival }
            let response = try await endpoint.receive(body, at: arrival)
            if condition == .lossy, fate < 0.4 { throw NoAnswer() }
            return response
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}
