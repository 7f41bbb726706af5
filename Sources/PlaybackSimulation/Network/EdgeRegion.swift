/// A region of a content delivery network: how far its viewers are, and how well it serves them.
///
/// The figures are plausible, and nobody's measurements.
struct EdgeRegion: Sendable {
    let name: String
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
    let faults: Double
    /// Clips that its viewers watch in one session, in the median.
    let clips: Double

    static let all = [
        EdgeRegion("eu-west", besides: "eu-central", 30, 0, roundTrip: 11, access: 1.1, faults: 0.8, clips: 36),
        EdgeRegion("eu-central", besides: "eu-west", 22, 1, roundTrip: 13, access: 1.0, faults: 0.9, clips: 36),
        EdgeRegion("us-east", besides: "us-west", 21, -5, roundTrip: 14, access: 1.05, faults: 1.0, clips: 38),
        EdgeRegion("us-west", besides: "us-east", 13, -8, roundTrip: 16, access: 1.1, faults: 0.9, clips: 38),
        EdgeRegion("ap-south", besides: "eu-central", 11, 5, roundTrip: 34, access: 0.55, faults: 1.6, clips: 32),
        // So few that only an interval tells what its figures are worth.
        EdgeRegion("af-south", besides: "eu-west", 3, 2, roundTrip: 85, access: 0.5, faults: 2.0, clips: 6),
    ]

    private init(
        _ name: String, besides neighbour: String, _ share: Double, _ hoursAhead: Int, roundTrip: Double,
        access: Double, faults: Double, clips: Double
    ) {
        self.name = name
        self.neighbour = neighbour
        self.share = share
        self.hoursAhead = hoursAhead
        self.roundTrip = roundTrip
        self.access = access
        self.faults = faults
        self.clips = clips
    }

    var neighbouring: EdgeRegion {
        Self.all.first { $0.name == neighbour } ?? self
    }

    /// The networks that serve every region, and how the viewers are shared out.
    static let cdns: [(weight: Double, value: String)] = [(52, "cdn-a"), (33, "cdn-b"), (15, "cdn-c")]
}
