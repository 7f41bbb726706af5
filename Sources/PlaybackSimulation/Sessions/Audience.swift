internal import PlaybackMetricsClient

/// Draws the devices and their visits, one after the other.
struct Audience: Sendable, IteratorProtocol {
    /// Half of the apps in the simulated field still make a player for every clip.
    private static let lifecycles: [(weight: Double, value: PlayerLifecycle)] = [
        (48, .default), (16, .reusePool), (14, .idScopedPool), (22, .singleton),
    ]

    private let configuration: Simulation.Configuration
    private var chance: Chance
    private var visitsLeft: Int

    init(_ configuration: Simulation.Configuration) {
        self.configuration = configuration
        chance = Chance(seed: configuration.seed)
        visitsLeft = configuration.sessions
    }

    /// The next device; `nil` when those before have all visits together.
    mutating func next() -> Device? {
        guard visitsLeft > 0 else { return nil }
        let visits = min(visitsLeft, chance.pick([(50, 1), (30, 2), (15, 3), (5, 4)]))
        visitsLeft -= visits
        var own = chance.branch()
        return device(visits: visits, &own)
    }

    private func device(visits: Int, _ chance: inout Chance) -> Device {
        let region = chance.pick(EdgeRegion.all.map { ($0.share, $0) })
        let model = chance.pick(DeviceModel.all)
        let drawn = chance.pick(Self.lifecycles)
        var times = (0..<visits).map { _ in
            let time = Daytime.draw(days: configuration.days, hoursAhead: region.hoursAhead, &chance)
            // Nobody begins in the last minutes, so that a session has room before the end.
            return min(configuration.midnight + time, configuration.end - Int64(chance.uniform(1_200_000, 3_600_000)))
        }
        times.sort()
        let app = chance.pick(AppRelease.all)
        return Device(
            region: region, model: model, app: app, lifecycle: configuration.lifecycle ?? drawn,
            visits: times.enumerated().map { visit($1, isFirst: $0 == 0, model, region, &chance) },
            chance: chance.branch(), senderChance: chance.branch())
    }

    private func visit(
        _ begin: Int64, isFirst: Bool, _ model: DeviceModel, _ region: EdgeRegion, _ chance: inout Chance
    ) -> Visit {
        let network = chance.pick(model.networks)
        let isMobile = network == .cellular || network == .constrained
        let isOffline = chance.happens(isMobile ? 0.02 : 0.008)
        let steadiness = chance.pick([
            (isMobile ? 79 : 87, Steadiness.steady), (isMobile ? 15 : 10, .shaky), (isMobile ? 6 : 3, .poor),
        ])
        let uplink = chance.pick([
            (88, Uplink.open), (5, .blocked), (isMobile ? 0 : 1.5, .portal), (0.8, .swallowing), (3, .lossy),
        ])
        let clips = chance.logNormal(median: region.clips, sigma: 0.45)
        return Visit(
            begin: begin, clips: Int(min(150, max(1, clips))), network: network, steadiness: steadiness,
            uplink: isOffline ? .blocked : uplink, isOffline: isOffline, tellsRegion: !chance.happens(0.015),
            resumes: !isFirst && chance.happens(0.3))
    }
}

/// When people watch: little at night, some at noon, most in the evening.
enum Daytime {
    /// How many watch in each hour of their own day, 0 to 23.
    static let weights: [Double] = [
        1.4, 0.7, 0.4, 0.25, 0.2, 0.3, 0.8, 1.6, 2.0, 1.9, 2.0, 2.3,
        3.0, 2.8, 2.4, 2.5, 2.9, 3.6, 4.6, 5.8, 6.6, 6.4, 5.0, 2.9,
    ]

    static let dayLength: Int64 = 86_400_000

    /// A time of one of the days, in ms after the first midnight UTC.
    ///
    /// - Parameter hoursAhead: of UTC, where the viewer lives.
    static func draw(days: Int, hoursAhead: Int, _ chance: inout Chance) -> Int64 {
        let hour = chance.pick(weights.enumerated().map { ($0.element, $0.offset) })
        let inUTC = (hour - hoursAhead + 24) % 24
        let day = chance.whole(in: 0...(days - 1))
        return Int64(day) * dayLength + Int64(inUTC) * 3_600_000 + Int64(chance.unit() * 3_600_000)
    }
}

/// One run of the app in the foreground, as it was drawn before anything plays.
struct Visit: Sendable {
    /// In ms since 1970.
    let begin: Int64
    /// Clips that the viewer comes to.
    let clips: Int
    let network: PlaybackNetwork
    let steadiness: Steadiness
    /// How the endpoint that takes the plays can be reached.
    let uplink: Uplink
    /// Whether the clips come from the device's own storage, on a flight.
    let isOffline: Bool
    /// Whether the edge tells its region.
    let tellsRegion: Bool
    /// Whether it goes on with the clip at which the app went to the background.
    let resumes: Bool
}

/// What happens to the requests of a sender for the length of a visit.
enum Uplink: Sendable, Hashable, CaseIterable {
    case open
    /// They don't get through: a filter knows the endpoint's name, or there is no network.
    case blocked
    /// A page that asks for a room number answers with a redirect.
    case portal
    /// A proxy answers itself that all is well.
    case swallowing
    /// They arrive, and now and then the answer gets lost on the way back.
    case lossy
}
