internal import Glibc
internal import PlaybackMetricsClient

/// Requests of one player to one edge over one link: when they are answered, and how.
struct EdgeDelivery: Sendable {
    /// What is asked for.
    enum Request: Sendable {
        case playlist
        case segment(bytes: Int)
    }

    /// An answer: its time in ms since 1970, and what is wrong with it.
    struct Answer: Sendable {
        var time: Int64
        var failure: PlaybackFailure?
    }

    /// A player gives a request up after this long, in ms.
    private static let patience: Int64 = 40_000
    /// What an edge sends to one viewer at most, in bit/ms, when it is well.
    private static let edgeThroughput = 30_000.0

    let region: EdgeRegion
    let cdn: String

    private var link: AccessLink
    private let trouble: EdgeTrouble?
    private var chance: Chance
    private var lastUse: Int64?

    init(from region: EdgeRegion, cdn: String, over link: AccessLink, trouble: EdgeTrouble?, chance: Chance) {
        self.region = region
        self.cdn = cdn
        self.link = link
        self.trouble = trouble
        self.chance = chance
    }

    /// Asks for a part of a clip.
    ///
    /// - Parameter popularity: 0 for the clip that most watch, up to 1 for the one that fewest do: the edge may have to
    ///   fetch it first.
    mutating func answer(_ request: Request, popularity: Double, at time: Int64) -> Answer {
        if link.isOffline(at: time), chance.happens(0.6) {
            return Answer(time: time + Int64(chance.uniform(10, 60)), failure: .offline)
        }
        let severity = trouble?.severity(in: region.name, of: cdn, at: time) ?? 0
        let distance = (link.roundTrip + region.roundTrip) * (1 + 2 * severity)
        let roundTrip = distance * chance.logNormal(median: 1, sigma: 0.2)
        let isCold = lastUse.map { time - $0 > 45_000 } ?? true
        var delay = roundTrip + thinkingTime(popularity, severity)
        if isCold { delay += connecting(roundTrip) }

        if let failure = fault(in: request, severity, isCold: isCold) {
            let takes = failure == .timedOut || failure == .noResponse ? chance.uniform(8_000, 25_000) : delay
            return Answer(time: time + Int64(takes), failure: failure)
        }
        let bytes: Int
        switch request {
        case .playlist: bytes = 6_000
        case .segment(let size): bytes = size
        }
        if isCold { delay += slowStart(of: bytes, roundTrip) }
        let ceiling =
            Self.edgeThroughput * exp(-3.45 * severity) * chance.logNormal(median: 1, sigma: 0.2 + 0.5 * severity)
        let sent = time + Int64(delay.rounded(.up))
        guard let arrives = link.arrival(of: Double(bytes) * 8, from: sent, ceiling: ceiling, limit: Self.patience)
        else {
            lastUse = nil
            let failure: PlaybackFailure = link.isOffline(at: sent) ? .connectionLost : .noResponse
            return Answer(time: sent + Self.patience, failure: failure)
        }
        lastUse = arrives
        return Answer(time: arrives, failure: nil)
    }

    /// Until the first byte leaves the edge, in ms: at once from its cache, else after asking the origin.
    private mutating func thinkingTime(_ popularity: Double, _ severity: Double) -> Double {
        let misses = 0.02 + 0.16 * popularity * popularity + 0.25 * severity
        guard chance.happens(misses) else { return chance.logNormal(median: 7, sigma: 0.6) }
        return chance.logNormal(median: 190 * (1 + severity), sigma: 0.65)
    }

    /// Name, connection and encryption for a new connection, in ms.
    private mutating func connecting(_ roundTrip: Double) -> Double {
        let name = chance.happens(0.35) ? chance.logNormal(median: 45, sigma: 0.8) : 2
        return name + 2 * roundTrip
    }

    /// What a new connection loses while it finds out how fast it may send: it doubles from 10 packets a round trip.
    private func slowStart(of bytes: Int, _ roundTrip: Double) -> Double {
        max(0, log2(Double(bytes) / 14_600)) * roundTrip * 0.6
    }

    private mutating func fault(in request: Request, _ severity: Double, isCold: Bool) -> PlaybackFailure? {
        let usual =
            switch request {
            case .playlist: 0.0019
            case .segment: 0.0006
            }
        guard chance.happens(usual * region.faults * (1 + 16 * severity)) else { return nil }
        lastUse = nil
        if chance.happens(severity) {
            return chance.pick([(5, .noVariantLeft), (4, .noResponse), (1, .cannotConnect)])
        }
        let connecting: [(weight: Double, value: PlaybackFailure)] =
            isCold ? [(8, .hostNotFound), (8, .cannotConnect)] : []
        return chance.pick(
            connecting + [
                (20, .noResponse), (18, .forbidden), (16, .notFound), (12, .timedOut), (12, .connectionLost),
                (7, .noVariantLeft), (5, .unknown), (2, .mediaServicesReset),
            ])
    }
}

/// Trouble at the edge of one region for one evening: it rises, stays and fades.
package struct EdgeTrouble: Sendable {
    package let region: String
    /// The network that has most of it; the others of the region get some of its viewers, and slow down too.
    package let cdn: String
    /// In ms since 1970.
    package let begin: Int64
    /// In ms since 1970.
    package let end: Int64

    /// From 18:30 to 22:00 UTC of the day that begins at `midnight`: the evening of Central Europe.
    package init(onDayFrom midnight: Int64) {
        region = "eu-central"
        cdn = "cdn-a"
        begin = midnight + 18 * 3_600_000 + 30 * 60_000
        end = midnight + 22 * 3_600_000
    }

    /// From 0, none, to 1.
    func severity(in region: String, of cdn: String, at time: Int64) -> Double {
        guard region == self.region, (begin..<end).contains(time) else { return 0 }
        let ramp = 30 * 60_000.0
        let rising = Double(time - begin) / ramp
        let fading = Double(end - time) / ramp
        return min(1, rising, fading) * (cdn == self.cdn ? 1 : 0.45)
    }
}

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

/// Why a play fails, and the domain and number that AVFoundation reports for it.
///
/// CoreMedia's numbers are in no header; these are the ones that players' error logs show for each cause.
enum PlaybackFailure: Sendable, Hashable, CaseIterable {
    /// 403: a signature has expired, or the viewer is in the wrong country.
    case forbidden
    /// 404.
    case notFound
    /// 5xx for every variant: nothing is left to try.
    case noVariantLeft
    /// The edge has not answered for a segment in time.
    case noResponse
    /// The playlist can't be parsed.
    case playlistUnreadable
    case timedOut
    case connectionLost
    case cannotConnect
    case hostNotFound
    /// The device has no network.
    case offline
    /// The format is none that the device plays.
    case formatUnreadable
    /// The system's media services were reset.
    case mediaServicesReset
    /// What AVFoundation says when it does not know.
    case unknown

    var error: PlaybackError {
        switch self {
        case .forbidden: PlaybackError(domain: "CoreMediaErrorDomain", code: -12660)
        case .notFound: PlaybackError(domain: "CoreMediaErrorDomain", code: -12938)
        case .noVariantLeft: PlaybackError(domain: "CoreMediaErrorDomain", code: -12880)
        case .noResponse: PlaybackError(domain: "CoreMediaErrorDomain", code: -12889)
        case .playlistUnreadable: PlaybackError(domain: "CoreMediaErrorDomain", code: -12642)
        case .timedOut: PlaybackError(domain: "NSURLErrorDomain", code: -1001)
        case .hostNotFound: PlaybackError(domain: "NSURLErrorDomain", code: -1003)
        case .cannotConnect: PlaybackError(domain: "NSURLErrorDomain", code: -1004)
        case .connectionLost: PlaybackError(domain: "NSURLErrorDomain", code: -1005)
        case .offline: PlaybackError(domain: "NSURLErrorDomain", code: -1009)
        case .formatUnreadable: PlaybackError(domain: "AVFoundationErrorDomain", code: -11828)
        case .mediaServicesReset: PlaybackError(domain: "AVFoundationErrorDomain", code: -11819)
        case .unknown: PlaybackError(domain: "AVFoundationErrorDomain", code: -11800)
        }
    }

    /// Whether the same clip fails in the same way when it is tried again at once.
    var staysWithClip: Bool {
        switch self {
        case .forbidden, .notFound, .playlistUnreadable, .formatUnreadable: true
        default: false
        }
    }
}
