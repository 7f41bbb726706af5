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
