internal import Foundation
internal import PlaybackMetricsClient
internal import Synchronization

/// One run of the app on a device, from its start to its end: the meter of the clip that plays, and the sender.
final class AppProcess {
    /// What the meter asks for when a play begins.
    private final class Circumstances: Sendable {
        private let stage = Mutex<PlayStage?>(nil)
        private let session: PlaybackSession

        init(_ session: PlaybackSession) {
            self.session = session
        }

        func become(_ stage: PlayStage) {
            self.stage.withLock { $0 = stage }
        }

        var context: PlaybackContext {
            stage.withLock { $0?.context(session) ?? PlaybackContext() }
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
final class SimulatedUplink: HTTPClient {
    struct NoAnswer: Error {}

    private struct State {
        var chance: Chance
        var condition = Uplink.open
        var lastArrival: Int64 = .min
    }

    private let clock: SimulatedClock
    private let endpoint: any SimulatedEndpoint
    private let state: Mutex<State>

    init(clock: SimulatedClock, endpoint: any SimulatedEndpoint, chance: Chance) {
        self.clock = clock
        self.endpoint = endpoint
        state = Mutex(State(chance: chance))
    }

    func become(_ condition: Uplink) {
        state.withLock { $0.condition = condition }
    }

    func post(_ body: Data) async throws -> HTTPClientResponse {
        let (condition, arrival, fate) = state.withLock { state in
            let delay = Int64(state.chance.logNormal(median: 90, sigma: 0.5))
            return (
                state.condition, max(state.lastArrival + 1, clock.milliseconds + delay), state.chance.unit()
            )
        }
        switch condition {
        case .blocked: throw NoAnswer()
        case .portal: return HTTPClientResponse(status: 302)
        case .swallowing: return HTTPClientResponse(status: 200)
        case .lossy where fate < 0.15: throw NoAnswer()
        case .lossy, .open:
            state.withLock { $0.lastArrival = arrival }
            let response = try await endpoint.receive(body, at: arrival)
            if condition == .lossy, fate < 0.4 { throw NoAnswer() }
            return response
        }
    }
}
