/// A region of a content delivery network: how far its viewers are, and how well it serves them.
///
/// The figures are plausible, and nobody's measurements.
package struct EdgeRegion: Sendable {
    package let name: String
    /// The region that takes over for it now and then.
    let neighbour: String
    /// Its share of the viewers, in per cent.
    let share: Double
    /// Hours that its viewers' clocks are ahead of UTC.
    let hoursAhead: Int
    /// From the viewer's network to the edge and back, in ms.
    let roundTrip: Double
    /// How fast the access networks of its viewers are, 1 being usual.
    let access: Double
    /// How often requests fail, 1 being usual.
    let faultiness: Double
    /// Clips that a viewer has patience or data for in one session, in the median.
    let clips: Double

    static let all = [
        EdgeRegion(
            name: "eu-west", neighbour: "eu-central", share: 30, hoursAhead: 0, roundTrip: 11, access: 1.1, faultiness: 0.8, clips: 36),
        EdgeRegion(
            name: "eu-central", neighbour: "eu-west", share: 22, hoursAhead: 1, roundTrip: 13, access: 1.0, faultiness: 0.9, clips: 36),
        EdgeRegion(
            name: "us-east", neighbour: "us-west", share: 21, hoursAhead: -5, roundTrip: 14, access: 1.05, faultiness: 1.0, clips: 38),
        EdgeRegion(
            name: "us-west", neighbour: "us-east", share: 13, hoursAhead: -8, roundTrip: 16, access: 1.1, faultiness: 0.9, clips: 38),
        EdgeRegion(
            name: "ap-south", neighbour: "eu-central", share: 11, hoursAhead: 5, roundTrip: 34, access: 0.55, faultiness: 1.6, clips: 32),
        EdgeRegion(
            name: "af-south", neighbour: "eu-west", share: 3, hoursAhead: 2, roundTrip: 85, access: 0.5, faultiness: 2.0, clips: 6),
    ]

    var neighbouring: EdgeRegion {
        Self.all.first { $0.name == neighbour } ?? self
    }

    /// The networks that serve every region, and how the viewers are shared out.
    static let cdns: [(weight: Double, value: String)] = [(52, "cdn-a"), (33, "cdn-b"), (15, "cdn-c")]
}
