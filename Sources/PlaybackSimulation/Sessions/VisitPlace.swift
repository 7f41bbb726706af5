internal import PlaybackMetricsClient

/// Where a visit takes place: network, edge, and what is handed from clip to clip.
struct VisitPlace: Sendable {
    let visit: Visit
    private(set) var network: PlaybackNetwork
    /// The region that serves the visit: the viewer's, or now and then the one next to it.
    let region: EdgeRegion
    private(set) var cdn: String
    var equipment: ClipPlayback.Equipment

    init(_ visit: Visit, device: Device, trouble: EdgeTrouble?, at time: Int64, _ chance: inout Chance) {
        self.visit = visit
        network = visit.network
        region = chance.happens(0.02) ? device.region.neighbouring : device.region
        cdn = chance.pick(EdgeRegion.cdns)
        equipment = Self.equipment(network, region, cdn, visit.steadiness, trouble, at: time, &chance)
    }

    /// Between two clips: now and then the device changes its network, or the app its CDN.
    mutating func moveOn(trouble: EdgeTrouble?, at time: Int64, _ chance: inout Chance) {
        let changesNetwork = chance.happens(0.002) && (network == .wifi || network == .cellular)
        let changesCDN = chance.happens(0.004)
        guard changesNetwork || changesCDN, !visit.isOffline else { return }
        if changesNetwork { network = network == .wifi ? .cellular : .wifi }
        if changesCDN { cdn = chance.pick(EdgeRegion.cdns) }
        equipment = Self.equipment(network, region, cdn, visit.steadiness, trouble, at: time, &chance)
    }

    /// A clip of which nothing is in memory.
    func newLoad(of clip: Clip, _ chance: inout Chance) -> SegmentLoad {
        visit.isOffline
            ? SegmentLoad(downloaded: clip, chance: chance.branch()) : SegmentLoad(of: clip, chance: chance.branch())
    }

    private static func equipment(
        _ network: PlaybackNetwork, _ region: EdgeRegion, _ cdn: String, _ steadiness: Steadiness,
        _ trouble: EdgeTrouble?, at time: Int64, _ chance: inout Chance
    ) -> ClipPlayback.Equipment {
        let link = AccessLink(network, in: region, steadiness, from: time, chance: chance.branch())
        return ClipPlayback.Equipment(
            delivery: EdgeDelivery(from: region, cdn: cdn, over: link, trouble: trouble, chance: chance.branch()),
            choice: BitrateChoice(cap: AccessNetwork(network).bitrateCap),
            chance: chance.branch())
    }
}
